// Checkpoints as bytes (docs/formats/checkpoints.md).
#include <lightcone/live/process/checkpoint.h>

#include <lightcone/base/wire.h>
#include <lightcone/live/snapshot/snapshot_part.h>
#include <lightcone/riders/tags/peers.h>
#include <lightcone/run/journal/journal_block.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::size_t longest_tag = std::size_t{1} << 26;
constexpr std::size_t most_opened = 1 << 20;

/// The counts that a process goes on with, in the order of the format.
template <class Counts, class Each>
void for_each_count(Counts& counts, const Each& each) {
  for (auto* count :
       {&counts.events, &counts.sent, &counts.received, &counts.tag_bytes, &counts.without_tag,
        &counts.bad_tags, &counts.redelivered, &counts.trace_failures}) {
    each(*count);
  }
}

void write_numbers(WireWriter& wire, const ReceivedNumbers& numbers) {
  wire.number(numbers.end());
  for (const std::uint64_t word : numbers.words()) wire.fixed(word, 8);
}

[[nodiscard]] ReceivedNumbers read_numbers(WireReader& wire) {
  const std::uint64_t end = wire.number();
  std::vector<std::uint64_t> words(ReceivedNumbers::word_count(end));
  for (std::uint64_t& word : words) word = wire.fixed(8);
  return ReceivedNumbers(end, words);
}

void write_peer(WireWriter& wire, const Checkpoint::Peer& peer) {
  wire.text(peer.name);
  if (peer.name.empty()) wire.fixed(peer.hash, 8);
  for (const std::uint64_t number :
       {peer.sent, peer.received, std::uint64_t{peer.clock}, std::uint64_t{peer.receives},
        peer.counted_to, peer.counted_from, peer.colour}) {
    wire.number(number);
  }
  write_numbers(wire, peer.numbers);
}

[[nodiscard]] std::uint32_t small_number(WireReader& wire) {
  const std::uint64_t number = wire.number();
  if (number > UINT32_MAX) wire.fail();
  return static_cast<std::uint32_t>(number);
}

[[nodiscard]] Checkpoint::Peer read_peer(WireReader& wire) {
  Checkpoint::Peer peer;
  peer.name = wire.text(journal::longest_name);
  peer.hash = peer.name.empty() ? wire.fixed(8) : Peers::hash_of(peer.name);
  peer.sent = wire.number();
  peer.received = wire.number();
  peer.clock = small_number(wire);
  peer.receives = small_number(wire);
  peer.counted_to = wire.number();
  peer.counted_from = wire.number();
  peer.colour = wire.number();
  if (peer.colour > SnapshotRange::most) wire.fail();
  peer.numbers = read_numbers(wire);
  return peer;
}

}  // namespace

std::string Checkpoint::encode() const {
  WireWriter wire;
  for_each_count(counts, [&](std::uint64_t count) { wire.number(count); });
  wire.fixed(digest, 4);
  for (const std::uint64_t number : {takes, journal_blocks, trace_bytes, snapshots}) {
    wire.number(number);
  }
  wire.number(peers.size());
  for (const Peer& peer : peers) write_peer(wire, peer);
  wire.number(opened.size());
  for (const std::string& tag : opened) wire.text(tag);
  wire.bytes() += state;
  return std::move(wire.bytes());
}

Expected<Checkpoint> Checkpoint::decode(std::string_view bytes) {
  WireReader wire(bytes);
  Checkpoint checkpoint;
  for_each_count(checkpoint.counts, [&](std::uint64_t& count) { count = wire.number(); });
  checkpoint.digest = static_cast<std::uint32_t>(wire.fixed(4));
  for (std::uint64_t* number : {&checkpoint.takes, &checkpoint.journal_blocks,
                                &checkpoint.trace_bytes, &checkpoint.snapshots}) {
    *number = wire.number();
  }
  if (checkpoint.snapshots > SnapshotRange::most) wire.fail();
  const std::uint64_t peers = wire.number();
  if (peers > Peers::most) wire.fail();
  for (std::uint64_t i = 0; i < peers && !wire.failed(); ++i) {
    checkpoint.peers.push_back(read_peer(wire));
  }
  const std::uint64_t opened = wire.number();
  if (opened > most_opened) wire.fail();
  for (std::uint64_t i = 0; i < opened && !wire.failed(); ++i) {
    checkpoint.opened.emplace_back(wire.text(longest_tag));
  }
  if (wire.failed()) return failure("is not a checkpoint that a process has written");
  checkpoint.state = bytes.substr(bytes.size() - wire.left());
  return checkpoint;
}

}  // namespace lightcone
