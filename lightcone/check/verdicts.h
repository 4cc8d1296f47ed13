// What the verbs mean: from what was found to a verdict, for recorded and growing traces.
#pragma once

#include <lightcone/check.h>
#include <lightcone/property/language/syntax.h>

namespace lightcone {

/// Returns the verdict at a place where a property was found, or where a `require` is missing.
[[nodiscard]] Verdict verdict_at_a_place(Verb verb);
/// Returns the verdict of a global property that was found, or not.
[[nodiscard]] Verdict verdict_of_global(Verb verb, bool found);

/// Gives a property that was answered its verdict, as the table of verbs in docs/semantics.md says.
/// The report holds how often the property was asked and found, or whether a global one was found.
///
/// Of a trace that is incomplete, only what is certain is found, and what is not found is not
/// known.
void judge(const Property& property, const Wholeness& wholeness, PropertyReport& report);

/// Why a property is not known that reads a text on which a regular expression took too long.
inline constexpr std::string_view given_up_text =
    "not decided: a regular expression takes too long on a text";

/// What was found about a global property, as the end of a sentence: `some global state satisfies
/// it`.
[[nodiscard]] std::string_view what_was_found(Global::Modality modality, bool found);

}  // namespace lightcone
