// Members of spans that Lightcone does not know, as JSON text.
#pragma once

#include <lightcone/computation.h>

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Texts by the index of what they belong to; most things have none.
class KeptTexts {
 public:
  void set(std::size_t index, NameIndex text) {
    if (texts_.size() <= index) texts_.resize(index + 1, NameIndex::none);
    texts_[index] = text;
  }
  [[nodiscard]] NameIndex operator[](std::size_t index) const {
    return index < texts_.size() ? texts_[index] : NameIndex::none;
  }
  void clear() { texts_.clear(); }

 private:
  std::vector<NameIndex> texts_;
};

/// What a SpanTable keeps. All but the texts of links are unknown members of an event as a
/// computation holds them: `"otlp": {"span": {"flags": 1}}`.
struct KeptMembers {
  KeptTexts starts;     ///< of spans
  KeptTexts ends;       ///< of spans
  KeptTexts events;     ///< of events of spans
  KeptTexts links;      ///< the members alone
  KeptTexts resources;  ///< for the initial state

  void clear();
};

/// Collects members as JSON text: `"key": value, "key": value`. Values that are null are the same
/// as none.
class MemberText {
 public:
  /// A value that is nested deeper, or a text that is longer, could not be read again in all
  /// formats that can hold it.
  static constexpr std::size_t most_levels = 100;
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;

  /// Returns whether the member was small enough to be taken.
  bool add(std::string_view key, const simdjson::dom::element& value);
  void add(std::string_view key, std::uint64_t number);
  /// A member that is an object of these members, unless there are none.
  void add_object(std::string_view key, std::string_view members);
  /// All members of an object but those of these names.
  void add_others(const simdjson::dom::object& object, std::span<const std::string_view> but);
  void clear() { text_.clear(); }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void begin(std::string_view key);
  std::string text_;
};

}  // namespace lightcone
