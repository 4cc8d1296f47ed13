// OTLP JSON: spans as OpenTelemetry's collectors and SDKs write them.
#pragma once

#include <lightcone/trace/spans/span_json.h>

namespace lightcone {

/// Documents with `resourceSpans`, one per line or any number in a file.
[[nodiscard]] const SpanFormat& otlp_format();

}  // namespace lightcone
