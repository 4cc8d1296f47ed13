// Spans that arrived in one request.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lightcone {
struct SpanTable;
}

namespace lightcone::service {

/// As it came, and what it holds.
struct SpanBatch {
  enum class Encoding : std::uint8_t { protobuf = 1, json = 2 };
  Encoding encoding = Encoding::protobuf;
  std::string bytes = {};
  std::shared_ptr<const SpanTable> table = {};
  /// Their ids, each once and sorted. Spans of others are not used.
  std::vector<std::string> traces = {};
};

/// What became of a request with spans.
struct SpanAnswer {
  enum class What : std::uint8_t {
    stored,
    bad,         ///< it is never taken
    not_stored,  ///< it could not be stored now, and may be sent again
  };
  What what = What::stored;
  std::string why = {};
};

/// Reads the bytes of a batch. The error says what is wrong with them.
[[nodiscard]] Expected<void> read_batch(SpanBatch& batch);
/// Some spans of a table, encoded as protobuf.
[[nodiscard]] std::string protobuf_of(const SpanTable& table, std::span<const std::uint32_t> spans);

}  // namespace lightcone::service
