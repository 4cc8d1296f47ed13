// Reads the spans of a request, in either encoding.
#include "accept/span_batch.h"

#include <lightcone/trace/otlp/otlp.h>
#include <lightcone/trace/spans/span_table.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "otlp/otlp_protobuf.h"

namespace lightcone::service {
namespace {

[[nodiscard]] Expected<SpanTable> read_otlp_json(std::string_view bytes) {
  std::size_t at = 0;
  const auto source = [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
    const std::size_t taken = std::min(size, bytes.size() - at);
    std::memcpy(buffer, bytes.data() + at, taken);
    at += taken;
    return taken;
  };
  auto read = read_span_text(source, bytes.size(), "request", otlp_format(), {});
  if (!read) return failure(read.error());
  return std::move(read->table);
}

}  // namespace

Expected<void> read_batch(SpanBatch& batch) {
  auto read = batch.encoding == SpanBatch::Encoding::protobuf ? read_otlp_protobuf(batch.bytes)
                                                              : read_otlp_json(batch.bytes);
  if (!read) return failure(read.error());
  std::set<std::string> ids;
  for (const Span& span : read->spans) ids.insert(hex_of(span.trace));
  batch.traces.assign(ids.begin(), ids.end());
  batch.table = std::make_shared<const SpanTable>(std::move(*read));
  return {};
}

}  // namespace lightcone::service
