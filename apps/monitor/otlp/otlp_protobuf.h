// Spans as OTLP has them in protocol buffers.
#pragma once

#include <lightcone/error.h>
#include <lightcone/trace/spans/span_table.h>

#include <string_view>

namespace lightcone::service {

/// Reads an `ExportTraceServiceRequest`. Fields that Lightcone does not use are passed over.
[[nodiscard]] Expected<SpanTable> read_otlp_protobuf(std::string_view bytes);

}  // namespace lightcone::service
