// The result of a comparison as a JSON document, for the command, the page and other languages.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/diff.h>

namespace lightcone {

/// An event or initial state as a comparison sees it: kind, messages by sender and number, labels,
/// variables, text, digest, source.
[[nodiscard]] Json event_json(const Computation& computation, ProcessIndex p, Rank rank);

/// Adds `same`, `first`, `alike` and `processes` to a document.
void add_comparison(const Comparison& comparison, const Computation& a, const Computation& b,
                    Json& document);

}  // namespace lightcone
