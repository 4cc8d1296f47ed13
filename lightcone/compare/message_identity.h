// Names and messages of two runs under numbers that both share.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/diff.h>

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lightcone {

/// Texts and sets of texts, each with one number in both runs.
class SharedNames {
 public:
  [[nodiscard]] std::uint32_t name(std::string_view text);
  /// The order of the members does not count.
  [[nodiscard]] std::uint32_t set(std::vector<std::uint32_t> members);

 private:
  std::unordered_map<std::string_view, std::uint32_t> names_;  // views of the two runs
  std::map<std::vector<std::uint32_t>, std::uint32_t> sets_;
};

/// A message under shared numbers.
struct MessageKey {
  std::uint32_t from = 0, to = 0;  ///< a process, a set of receivers
  std::uint64_t number = 0;
  friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

/// What one run has, under shared numbers.
struct SharedNumbers {
  SharedNumbers(const Computation& computation, SharedNames& shared);
  std::vector<std::uint32_t> names;  ///< indexed by NameIndex
  std::vector<std::uint32_t> sets;   ///< indexed by NameSetIndex
  std::vector<MessageKey> messages;  ///< indexed by message

  [[nodiscard]] std::uint32_t name(NameIndex index) const {
    return names[static_cast<std::uint32_t>(index)];
  }
};

}  // namespace lightcone
