// What a live process says of its states, with its names looked up.
#pragma once

#include <lightcone/process.h>
#include <lightcone/property/states/local_expressions.h>
#include <lightcone/property/states/vocabulary.h>
#include <tsl/robin_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Looks up the names that properties read. All other labels are one, and other variables are left
/// out.
class LiveContent {
 public:
  /// Whether texts are forgotten that are no longer the value of a variable, if there are many. One
  /// observer of one process may read them then, and no one else.
  enum class Texts : std::uint8_t { forgotten, kept };

  LiveContent(const Vocabulary& vocabulary, Texts texts);
  LiveContent(const LiveContent&) = delete;
  LiveContent& operator=(const LiveContent&) = delete;

  /// What a state says. It holds until the next call.
  [[nodiscard]] StateContent of(Kind kind, const LiveState& state);
  [[nodiscard]] const Names& names() const { return names_; }

 private:
  static constexpr std::size_t least_text_bytes = std::size_t{1} << 20;

  struct SeenLabel {
    std::string text = {};
    NameIndex name = NameIndex::none;
  };

  [[nodiscard]] NameIndex find_name(std::string_view name) const;
  [[nodiscard]] NameIndex label_of(std::string_view label);
  [[nodiscard]] NameSetIndex set_of(const std::vector<NameIndex>& labels);
  void assign(std::string_view variable, const LiveValue& value);
  void forget_texts();

  const Vocabulary& vocabulary_;
  Texts texts_;
  Names names_;
  NameIndex other_label_;  // stands for every label that no property names
  std::size_t named_;      // so many names are of the properties; those behind are texts
  std::size_t most_bytes_ = least_text_bytes;             // of names, until texts are forgotten
  tsl::robin_map<std::uint32_t, NameIndex> text_values_;  // by variable: those of the last state
  NameSets label_sets_;
  std::vector<NameSetIndex> sets_of_one_;  // by label; 0: not made yet
  std::array<SeenLabel, 16> seen_labels_;  // by length and ends of the text
  std::vector<NameIndex> labels_;
  std::vector<Assignment> assignments_;
};

}  // namespace lightcone
