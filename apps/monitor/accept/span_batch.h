// Spans that arrived in one request.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <memory>
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
  std::vector<std::string> traces = {};  ///< their ids, each once
};

/// Reads the bytes of a batch. The error says what is wrong with them.
[[nodiscard]] Expected<void> read_batch(SpanBatch& batch);

}  // namespace lightcone::service
