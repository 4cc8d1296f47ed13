// Writes and reads states of partitions.
#include "nats/partition_state.h"

#include <lightcone/base/wire.h>

#include <algorithm>

namespace lightcone::service {
namespace {

constexpr std::uint64_t state_version = 3;  // 1 had no traces of spans, 2 gave nothing up
constexpr std::uint64_t most_entries = 1 << 22;

}  // namespace

std::uint64_t PartitionState::first_needed() const {
  std::uint64_t first = next;
  for (const auto& [name, execution] : open) first = std::min(first, execution.first);
  return first;
}

std::string bytes_of(const PartitionState& state) {
  WireWriter writer;
  writer.number(state_version);
  writer.number(state.next);
  writer.number(state.verdicts);
  writer.number(state.open.size());
  for (const auto& [name, execution] : state.open) {
    writer.text(name);
    writer.number(execution.first);
    writer.number(execution.told);
    writer.number(execution.is_trace ? 1 : 0);
    writer.number(execution.given_up);
  }
  writer.number(state.ended.size());
  for (const auto& [digest, message] : state.ended) {
    writer.fixed(digest, 8);
    writer.number(message);
  }
  return std::move(writer.bytes());
}

std::optional<PartitionState> partition_state_of(std::string_view bytes) {
  WireReader reader(bytes);
  PartitionState state;
  const std::uint64_t version = reader.number();
  if (version < 1 || version > state_version) return std::nullopt;
  state.next = reader.number();
  state.verdicts = reader.number();
  const std::uint64_t open = reader.number();
  if (open > most_entries) return std::nullopt;
  for (std::uint64_t i = 0; i < open && !reader.failed(); ++i) {
    const std::string name(reader.text(bytes.size()));
    PartitionState::OpenExecution& execution = state.open[name];
    execution.first = reader.number();
    execution.told = reader.number();
    if (version >= 2) execution.is_trace = reader.number() != 0;
    if (version >= 3) execution.given_up = reader.number();
  }
  const std::uint64_t ended = reader.number();
  if (ended > most_entries) return std::nullopt;
  for (std::uint64_t i = 0; i < ended && !reader.failed(); ++i) {
    const std::uint64_t digest = reader.fixed(8);
    state.ended[digest] = reader.number();
  }
  if (reader.failed() || reader.left() != 0 || state.next == 0) return std::nullopt;
  return state;
}

}  // namespace lightcone::service
