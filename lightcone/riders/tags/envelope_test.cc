// Envelopes come back as they were sent, and whatever else comes is refused.
#include <lightcone/riders/tags/envelope.h>

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>

#include <random>

namespace lightcone {
namespace {

/// Properties with two alphabets and some equations.
constexpr std::string_view text = R"(
  forbid a : some longest flow contains a -> b without c
  require b : every longest flow contains a
  forbid c : some longest flow over {a, b} matches a b a
  watch d : some flow ends with a -> b
  watch e : logic {
    x := a
    y := b and any x
  }
)";

/// One end of a channel.
struct End {
  CompiledProperties properties =
      CompiledProperties::compile(*parse_property_syntax(text, "properties"));
  Names names;
  Observer observer{properties.vocabulary(), names};
  std::vector<std::unique_ptr<LongestFlows>> flows = by_alphabet(properties, observer);
  Lrdag lrdag{properties, observer};
  Peers peers;
  EnvelopeCodec codec;

  explicit End(std::vector<std::string> members, std::uint64_t agreement = 1)
      : peers(std::move(members)),
        codec({&flows[0]->sets, &flows[1]->sets}, lrdag.bits(), true, agreement, peers) {}
};

[[nodiscard]] Envelope some_envelope(End& end, std::mt19937_64& random) {
  Envelope envelope;
  const std::uint32_t outsider = *end.peers.find_or_add(std::string_view("outsider"));
  const std::uint32_t stranger = *end.peers.find_or_add(Peers::hash_of("stranger"), 0);
  envelope.sender = random() % 2 == 0 ? 1 : outsider;
  envelope.number = random() % 1000000;
  envelope.fifo = random() % 2 == 0;
  if (envelope.fifo || random() % 2 == 0) envelope.in_channel = random() % 300;
  envelope.races = random() % 2 == 0;
  if (random() % 2 == 0) envelope.colours.snapshot = 1 + random() % 300;
  if (random() % 2 == 0) envelope.colours.checkpoint = SnapshotRange::most;
  if (envelope.fifo || random() % 2 == 0) envelope.made_for = 1 + random() % 3;
  envelope.marker = envelope.colours.snapshot != 0 && !envelope.in_channel;
  if (envelope.races) envelope.receives = {{1, 3}, {2, 70000}, {outsider, 9}};
  for (auto& flows : end.flows) {
    EntriesOfFlows entries;
    for (const std::uint32_t peer : {0U, 2U, outsider, stranger}) {
      if (random() % 2 == 0) continue;
      const std::uint64_t bits = random() & ((std::uint64_t{1} << flows->sets.bits()) - 1);
      ObservedEntry entry = observed_entry(1 + random() % 100000, 0);
      entry |= random() % 2 == 0 ? covered_bit : flows->sets.intern(std::span(&bits, 1));
      entries.emplace_back(peer, entry);
    }
    envelope.flows.push_back(std::move(entries));
  }
  envelope.bits = {random() & ((std::uint64_t{1} << end.lrdag.bits()) - 1)};
  if (random() % 2 == 0) envelope.clock = {{0, 17}, {2, 100000}, {stranger, 1}};
  return envelope;
}

/// The same, whatever numbers each end has given to peers and sets.
void expect_equal(const End& a, const Envelope& x, const End& b, const Envelope& y) {
  EXPECT_EQ(a.peers.hash(x.sender), b.peers.hash(y.sender));
  EXPECT_EQ(x.number, y.number);
  EXPECT_EQ(x.fifo, y.fifo);
  EXPECT_EQ(x.in_channel, y.in_channel);
  EXPECT_EQ(x.races, y.races);
  EXPECT_EQ(x.colours.snapshot, y.colours.snapshot);
  EXPECT_EQ(x.colours.checkpoint, y.colours.checkpoint);
  EXPECT_EQ(x.marker, y.marker);
  EXPECT_EQ(x.made_for, y.made_for);
  EXPECT_EQ(x.receives.size(), y.receives.size());
  EXPECT_EQ(x.bits, y.bits);
  ASSERT_EQ(x.flows.size(), y.flows.size());
  for (std::size_t i = 0; i < x.flows.size(); ++i) {
    ASSERT_EQ(x.flows[i].size(), y.flows[i].size());
    for (std::size_t k = 0; k < x.flows[i].size(); ++k) {
      const auto& [peer, entry] = x.flows[i][k];
      const auto& [other, came] = y.flows[i][k];
      EXPECT_EQ(a.peers.hash(peer), b.peers.hash(other));
      EXPECT_EQ(entry >> 32, came >> 32);
      if (!is_uncovered(entry)) continue;
      EXPECT_EQ(a.flows[i]->sets.set(set_of(entry))[0], b.flows[i]->sets.set(set_of(came))[0]);
    }
  }
  ASSERT_EQ(x.clock.size(), y.clock.size());
  for (std::size_t k = 0; k < x.clock.size(); ++k) EXPECT_EQ(x.clock[k].second, y.clock[k].second);
}

TEST(Envelope, ComesBackAsItWasSent) {
  std::mt19937_64 random(1);
  End sender({"p1", "p2", "p3"}), receiver({"p1", "p2", "p3"});
  for (int i = 0; i < 2000; ++i) {
    const Envelope envelope = some_envelope(sender, random);
    const std::string bytes = sender.codec.encode(envelope);
    const auto came = receiver.codec.decode(bytes);
    ASSERT_TRUE(came) << came.error().text();
    expect_equal(sender, envelope, receiver, *came);
    EXPECT_EQ(receiver.codec.encode(*came), bytes);
    EXPECT_EQ(EnvelopeCodec::is_marker(bytes), envelope.marker);
  }
}

TEST(Envelope, OfASenderWhoseNameIsNotUtf8IsRefused) {
  std::mt19937_64 random(4);
  End sender({"p1", "p2", "p3"}), receiver({"p1", "p2", "p3"});
  for (const std::string_view name : {"caf\xc3\xa9", "caf\xe9"}) {
    Envelope envelope = some_envelope(sender, random);
    envelope.sender = *sender.peers.find_or_add(name);
    const auto came = receiver.codec.decode(sender.codec.encode(envelope));
    EXPECT_EQ(came.has_value(), name.size() == 5) << name;
    const std::string said = came ? "UTF-8" : came.error().what;
    EXPECT_NE(said.find("UTF-8"), std::string::npos) << said;
  }
}

TEST(Envelope, CutShortOrLengthenedIsRefused) {
  std::mt19937_64 random(2);
  End end({"p1", "p2", "p3"});
  const std::string bytes = end.codec.encode(some_envelope(end, random));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(end.codec.decode(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(end.codec.decode(bytes + '\0'));
}

TEST(Envelope, AnyChangedBitIsNoticed) {
  std::mt19937_64 random(3);
  End end({"p1", "p2", "p3"});
  const std::string bytes = end.codec.encode(some_envelope(end, random));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(end.codec.decode(changed)) << bit;
  }
}

TEST(Envelope, ColoursThatCannotBeAreRefused) {
  std::mt19937_64 random(5);
  End end({"p1", "p2", "p3"});
  Envelope envelope = some_envelope(end, random);
  envelope.marker = false;
  envelope.colours = {SnapshotRange::most, 1};
  EXPECT_TRUE(end.codec.decode(end.codec.encode(envelope)));
  envelope.colours = {SnapshotRange::most + 1, 1};
  EXPECT_FALSE(end.codec.decode(end.codec.encode(envelope)));
  envelope.colours = {1, SnapshotRange::most + 1};
  EXPECT_FALSE(end.codec.decode(end.codec.encode(envelope)));
  envelope.colours = {0, 1};
  envelope.marker = true;
  EXPECT_FALSE(end.codec.decode(end.codec.encode(envelope))) << "a marker of no snapshot";
  envelope.colours = {1, 0};
  envelope.in_channel = 3;
  EXPECT_FALSE(end.codec.decode(end.codec.encode(envelope))) << "a marker is no message";
}

TEST(Envelope, OtherVersionsAndAgreementsAreRefusedInWords) {
  std::mt19937_64 random(4);
  End end({"p1", "p2", "p3"}), other({"p1", "p2", "p3"}, 2);
  std::string bytes = end.codec.encode(some_envelope(end, random));
  const auto disagreed = other.codec.decode(bytes);
  ASSERT_FALSE(disagreed);
  EXPECT_NE(disagreed.error().what.find("other properties"), std::string::npos);
  bytes[1] = 4;
  const auto newer = end.codec.decode(bytes);
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().what.find("version 4"), std::string::npos);
  EXPECT_FALSE(end.codec.decode("hello"));
  EXPECT_FALSE(end.codec.decode(""));
}

}  // namespace
}  // namespace lightcone
