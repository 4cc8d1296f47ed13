// Jaeger JSON: what the query service of Jaeger answers.
#pragma once

#include <lightcone/trace/spans/span_json.h>

namespace lightcone {

/// A document with `data`, a list of traces.
[[nodiscard]] const SpanFormat& jaeger_format();

}  // namespace lightcone
