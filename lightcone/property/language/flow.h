// Questions about flows, as trees: atoms, patterns, alphabets.
#pragma once

#include <lightcone/property/language/token.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// `a` or `who:a`: a label, carried by anyone or by a process or group.
struct LabelName {
  std::string who = {};  ///< empty: anyone
  std::string label = {};
  TextPlace place = {};
  friend bool operator==(const LabelName& a, const LabelName& b) {
    return a.who == b.who && a.label == b.label;
  }
};

/// A test of one letter: `.` is none_of nothing, `a` one_of a, `!a` none_of a.
struct Atom {
  enum class Kind : std::uint8_t { one_of, none_of };
  Kind kind = Kind::none_of;
  std::vector<LabelName> names = {};
};

/// A regular expression over letters.
struct Pattern {
  enum class Kind : std::uint8_t { atom, sequence, choice, repeat };
  static constexpr std::uint32_t unbounded = UINT32_MAX;

  Kind kind = Kind::sequence;
  Atom atom = {};
  std::vector<Pattern> parts = {};  ///< of a sequence, a choice; the one that is repeated
  std::uint32_t least = 1, most = 1;
  /// Of what stands between P and Q in `P -> Q within D`: D in seconds.
  std::optional<double> within = {};
};

/// Returns whether the empty word matches.
[[nodiscard]] bool matches_nothing(const Pattern& pattern);
/// Returns whether a `within` stands in a pattern.
[[nodiscard]] bool has_times(const Pattern& pattern);

/// A question about the words of events.
struct Flow {
  bool every = false;    ///< all words, not just one
  bool longest = false;  ///< words of maximal paths of the covering graph
  std::optional<std::vector<LabelName>> over = {};  ///< the alphabet, where it is said
  std::optional<Atom> at = {};
  Pattern pattern = {};  ///< of the whole word
};

}  // namespace lightcone
