// What the verbs mean: from what was found to a verdict, for recorded and growing traces.
#pragma once

#include <lightcone/check.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/property/language/syntax.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Returns the verdict at a place where a property was found, or where a `require` is missing.
[[nodiscard]] Verdict verdict_at_a_place(Verb verb);
/// Returns the verdict of a global property that was found, or not.
[[nodiscard]] Verdict verdict_of_global(Verb verb, bool found);

/// Where a flow or logic property was asked and found.
struct PlaceFinding {
  std::uint64_t asked = 0, found = 0;
  /// The first places where it was found, and for `require` those where it is missing.
  std::vector<EventPlace> at = {}, missing = {};
  std::uint64_t undecided = 0;  ///< asked, and clocks cannot tell
  std::vector<EventPlace> undecided_at = {};
};

/// Returns the report on a property, with the verdict that the table of verbs in docs/semantics.md
/// gives it. `method` says which algorithm answered.
///
/// Of a trace that is incomplete, only what is certain is found, and what is not found is not
/// known.
[[nodiscard]] PropertyReport report_on(const Property& property, PlaceFinding finding,
                                       std::string method, const Wholeness& wholeness);
/// The same for a global property, which reads these processes.
[[nodiscard]] PropertyReport report_on(const Property& property, const Decision& decision,
                                       std::vector<ProcessIndex> read, const Wholeness& wholeness);

/// Returns the report on a property that could not be answered.
[[nodiscard]] PropertyReport report_on_unanswered(const Property& property, std::string why);
/// The same for one that reads a text on which a regular expression took too long.
[[nodiscard]] PropertyReport report_on_given_up(const Property& property);

/// How the summary of a report begins: `1 property failed, 1 not decided, of 3 properties`.
[[nodiscard]] std::string verdict_counts(std::uint64_t failed, std::uint64_t unknown,
                                         std::uint64_t properties);

/// What was found about a global property, as the end of a sentence: `some global state satisfies
/// it`.
[[nodiscard]] std::string_view what_was_found(Global::Modality modality, bool found);

}  // namespace lightcone
