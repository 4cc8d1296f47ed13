// Parts of snapshots as bytes: one way to write each, and every byte is checked when read.
#include <lightcone/live/snapshot/snapshot_part.h>

#include <lightcone/base/wire.h>

#include <optional>

namespace lightcone {
namespace {

constexpr std::size_t longest_name = 4096;
enum class Kind : std::uint8_t { local = 1, in_transit = 2 };

void write_header(WireWriter& wire, Kind kind, std::string_view process,
                  const SnapshotRange& snapshots) {
  wire.fixed(snapshot_part_mark, 1);
  wire.fixed(snapshot_part_version, 1);
  wire.fixed(static_cast<std::uint8_t>(kind), 1);
  wire.text(process);
  wire.number(snapshots.first);
  wire.number(snapshots.last == SnapshotRange::for_ever ? 0 : snapshots.last);
}

void write_counts(WireWriter& wire, const MessageCounts& counts) {
  wire.number(counts.size());
  for (const auto& [peer, count] : counts) {
    wire.text(peer);
    wire.number(count);
  }
}

void write(WireWriter& wire, const LocalPart& part) {
  write_header(wire, Kind::local, part.process, part.snapshots);
  write_counts(wire, part.sent);
  write_counts(wire, part.received);
  wire.text(part.state);
}

void write(WireWriter& wire, const InTransitPart& part) {
  write_header(wire, Kind::in_transit, part.receiver, part.snapshots);
  wire.text(part.sender);
  wire.number(part.number);
  wire.text(part.contents);
}

[[nodiscard]] std::string read_name(WireReader& wire) {
  const std::string_view name = wire.text(longest_name);
  if (name.empty()) wire.fail();
  return std::string(name);
}

[[nodiscard]] SnapshotRange read_range(WireReader& wire, Kind kind) {
  SnapshotRange range;
  range.first = wire.number();
  range.last = wire.number();
  const bool ends = range.last == 0 && kind == Kind::local;
  const SnapshotRange written{range.first, ends ? range.first : range.last};
  if (!written.is_proper()) wire.fail();
  if (ends) range.last = SnapshotRange::for_ever;
  return range;
}

/// Names ascend, so that none comes twice.
[[nodiscard]] MessageCounts read_counts(WireReader& wire) {
  MessageCounts counts;
  const std::uint64_t size = wire.number();
  if (size > Peers::most) wire.fail();
  for (std::uint64_t i = 0; i < size && !wire.failed(); ++i) {
    std::string peer = read_name(wire);
    const std::uint64_t count = wire.number();
    if (count == 0 || (!counts.empty() && peer <= counts.rbegin()->first)) wire.fail();
    counts.emplace_hint(counts.end(), std::move(peer), count);
  }
  return counts;
}

[[nodiscard]] SnapshotPart read_local(WireReader& wire) {
  LocalPart part;
  part.process = read_name(wire);
  part.snapshots = read_range(wire, Kind::local);
  part.sent = read_counts(wire);
  part.received = read_counts(wire);
  part.state = wire.text(longest_in_snapshot);
  return part;
}

[[nodiscard]] SnapshotPart read_in_transit(WireReader& wire) {
  InTransitPart part;
  part.receiver = read_name(wire);
  part.snapshots = read_range(wire, Kind::in_transit);
  part.sender = read_name(wire);
  part.number = wire.number();
  part.contents = wire.text(longest_in_snapshot);
  return part;
}

[[nodiscard]] std::uint64_t bytes_of(const MessageCounts& counts) {
  constexpr std::uint64_t entry = 80;  // of the map, about
  std::uint64_t bytes = 0;
  for (const auto& [peer, count] : counts) bytes += entry + peer.size();
  return bytes;
}

}  // namespace

std::uint64_t LocalPart::bytes() const {
  return sizeof(LocalPart) + process.size() + state.size() + bytes_of(sent) + bytes_of(received);
}

std::uint64_t InTransitPart::bytes() const {
  return sizeof(InTransitPart) + receiver.size() + sender.size() + contents.size();
}

MessageCounts counts_by_name(const std::vector<std::uint64_t>& counts, const Peers& peers) {
  MessageCounts by_name;
  for (std::uint32_t peer = 0; peer < counts.size(); ++peer) {
    if (counts[peer] != 0) by_name.emplace(peers.name(peer), counts[peer]);
  }
  return by_name;
}

std::string encode(const SnapshotPart& part) {
  WireWriter wire;
  std::visit([&](const auto& of) { write(wire, of); }, part);
  return std::move(wire.bytes());
}

Expected<SnapshotPart> decode_snapshot_part(std::string_view bytes) {
  WireReader wire(bytes);
  if (wire.fixed(1) != snapshot_part_mark) return failure("this is not a part of a snapshot");
  if (wire.fixed(1) != snapshot_part_version) {
    return failure("a part of a snapshot has another version", {}, 0,
                   "use the same Lightcone in all processes");
  }
  const std::uint64_t kind = wire.fixed(1);
  std::optional<SnapshotPart> part;
  if (kind == static_cast<std::uint64_t>(Kind::local)) part = read_local(wire);
  if (kind == static_cast<std::uint64_t>(Kind::in_transit)) part = read_in_transit(wire);
  if (!part || wire.failed() || wire.left() != 0) {
    return failure("a part of a snapshot is damaged");
  }
  return *std::move(part);
}

}  // namespace lightcone
