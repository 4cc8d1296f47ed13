// The result of a comparison as a JSON document, for the command, the page and other languages.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/diff.h>

#include <functional>
#include <string>
#include <string_view>

namespace lightcone {

/// Returns what a source is called. None: as it stands in the trace.
using SourceNames = std::function<std::string(std::string_view)>;

/// An event or initial state as a comparison sees it: kind, messages by sender and number, labels,
/// variables, text, digest, source.
[[nodiscard]] Json event_json(const Computation& computation, ProcessIndex p, Rank rank,
                              const SourceNames& sources = {});

/// Adds `same`, `first`, `alike` and `processes` to a document.
void add_comparison(const Comparison& comparison, const Computation& a, const Computation& b,
                    Json& document, const SourceNames& sources_a = {},
                    const SourceNames& sources_b = {});

}  // namespace lightcone
