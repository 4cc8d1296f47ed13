// No bytes are read as part of a snapshot but those that would be written for it, and whatever
// parts come, snapshots are put together from them in bounded memory.
#include <lightcone/base/wire.h>
#include <lightcone/live/snapshot/snapshot_part.h>
#include <lightcone/snapshot.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace lightcone;

void check_complete(const GlobalSnapshot& snapshot) {
  for (const auto& [process, state] : snapshot.states()) {
    if (!state || !state->snapshots.contains(snapshot.number())) __builtin_trap();
  }
  for (const auto& [ends, channel] : snapshot.channels()) {
    if (channel.sent != channel.received + channel.in_transit.size()) __builtin_trap();
  }
}

}  // namespace

/// The input is a sequence of texts, each of which may be a part.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  WireReader wire({reinterpret_cast<const char*>(data), size});
  constexpr std::uint64_t window = 4, most_bytes = 1 << 16;
  SnapshotCollector collector({.processes = {"a"},
                               .on_complete = check_complete,
                               .window = window,
                               .most_bytes = most_bytes});
  while (wire.left() > 0) {
    const std::string_view bytes = wire.text(size);
    const auto part = decode_snapshot_part(bytes);
    if (part && encode(*part) != bytes) __builtin_trap();
    const auto added = collector.add_bytes(bytes);
    if (!added && added.error().what.empty()) __builtin_trap();
    std::uint64_t held = 0;
    for (const GlobalSnapshot* snapshot : collector.open()) held += snapshot->bytes();
    if (collector.open().size() > window || held > most_bytes) __builtin_trap();
  }
  return 0;
}
