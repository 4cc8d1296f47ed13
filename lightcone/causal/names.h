// Names, each stored once and then known by its index: processes, labels, variables, texts.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// An index into a Names table. A distinct type, so that it is never taken for an integer value.
enum class NameIndex : std::uint32_t { none = UINT32_MAX };

/// An index into a NameSets table; set 0 is the empty set.
using NameSetIndex = std::uint32_t;

/// Distinct strings at stable addresses.
class Names {
 public:
  /// The index of this name, which is added if it is new.
  NameIndex intern(std::string_view name);
  /// The index of this name, or none.
  [[nodiscard]] NameIndex find(std::string_view name) const;
  [[nodiscard]] std::string_view operator[](NameIndex index) const {
    return views_[static_cast<std::uint32_t>(index)];
  }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Names of up to 8 bytes, by those bytes: most names of most traces, found without a hash of
  /// a string. One entry a slot, the latest.
  struct ShortName {
    std::uint64_t bytes = 0;
    std::uint32_t size = 0;
    NameIndex index = NameIndex::none;
  };
  static constexpr std::size_t short_slots = 256;

  std::string_view store(std::string_view name);
  NameIndex intern_slowly(std::string_view name);

  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_used_ = 0;
  std::size_t chunk_size_ = 0;
  std::size_t stored_ = 0;
  std::vector<std::string_view> views_;
  tsl::robin_map<std::string_view, NameIndex> index_;
  std::vector<ShortName> short_names_;
};

/// Distinct sequences of names (the labels of an event, the receivers of a message).
class NameSets {
 public:
  NameSets();
  NameSetIndex intern(std::span<const NameIndex> names);
  [[nodiscard]] std::span<const NameIndex> operator[](NameSetIndex set) const {
    return {members_.data() + begin_[set], begin_[set + 1] - begin_[set]};
  }
  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }

 private:
  std::vector<NameIndex> members_;
  std::vector<std::uint32_t> begin_;
  tsl::robin_map<std::string, NameSetIndex> index_;  // keyed by the members' bytes
};

/// A message name split into a prefix and a trailing number: programs count their messages, and
/// a pair of integers is smaller and faster than a string. `number` is `no_number` where the name
/// does not end in a digit; leading zeros stay in the prefix, so that the split loses nothing.
struct SplitName {
  static constexpr std::uint64_t no_number = UINT64_MAX;
  std::string_view prefix;
  std::uint64_t number = no_number;
};
[[nodiscard]] SplitName split_name(std::string_view name);
[[nodiscard]] std::string join_name(SplitName name);

}  // namespace lightcone
