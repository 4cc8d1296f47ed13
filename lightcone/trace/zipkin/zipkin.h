// Zipkin JSON, version 2: a list of spans.
#pragma once

#include <lightcone/trace/spans/span_json.h>

namespace lightcone {

/// A list of spans, or of lists of them.
[[nodiscard]] const SpanFormat& zipkin_format();

}  // namespace lightcone
