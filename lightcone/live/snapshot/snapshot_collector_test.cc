// Snapshots are put together in bounded memory, and from nothing that cannot be.
#include <lightcone/live/snapshot/snapshot_part.h>
#include <lightcone/snapshot.h>

#include <gtest/gtest.h>

#include <random>

namespace lightcone {
namespace {

[[nodiscard]] LocalPart state(std::string process, SnapshotRange snapshots, MessageCounts sent = {},
                              MessageCounts received = {}) {
  return {std::move(process), snapshots, "its state", std::move(sent), std::move(received)};
}
[[nodiscard]] InTransitPart message(std::string from, std::string to, SnapshotRange snapshots,
                                    std::uint64_t number = 1) {
  return {std::move(to), snapshots, std::move(from), number, "contents"};
}

/// A collector of the snapshots of a and b, and what it has completed.
struct Collected {
  explicit Collected(std::uint64_t window = 64, std::uint64_t most_bytes = 1 << 20)
      : collector(
            {.processes = {"a", "b"},
             .on_complete = [this](const GlobalSnapshot& s) { complete.push_back(s.number()); },
             .window = window,
             .most_bytes = most_bytes}) {}
  [[nodiscard]] bool add(SnapshotPart part) { return collector.add(std::move(part)).has_value(); }

  std::vector<std::uint64_t> complete;
  SnapshotCollector collector;
};

using Numbers = std::vector<std::uint64_t>;

TEST(SnapshotCollector, WaitsForStatesAndForAllThatIsInTransit) {
  Collected collected;
  EXPECT_TRUE(collected.add(message("a", "b", {1, 2}, 7)));
  EXPECT_TRUE(collected.add(state("a", {1, 1}, {{"b", 2}})));
  EXPECT_TRUE(collected.add(state("b", {1, 2}, {}, {{"a", 1}})));
  EXPECT_EQ(collected.complete, Numbers{1});
  EXPECT_TRUE(collected.add(state("a", {2, 2}, {{"b", 3}})));
  EXPECT_EQ(collected.complete, Numbers{1});
  EXPECT_EQ(collected.collector.open().size(), 1U);
  EXPECT_TRUE(collected.add(message("a", "b", {2, 2}, 8)));
  EXPECT_EQ(collected.complete, (Numbers{1, 2}));
  EXPECT_TRUE(collected.collector.open().empty());
}

TEST(SnapshotCollector, AsksForTheStateOfWhomeverItHearsOf) {
  Collected collected;
  EXPECT_TRUE(collected.add(state("a", {1, 1}, {{"newcomer", 1}})));
  EXPECT_TRUE(collected.add(state("b", {1, 1})));
  EXPECT_TRUE(collected.complete.empty());
  EXPECT_TRUE(collected.add(state("newcomer", {1, 1}, {}, {{"a", 1}})));
  EXPECT_EQ(collected.complete, Numbers{1});
}

TEST(SnapshotCollector, KnowsTheLastStateOfWhoHasEnded) {
  Collected collected;
  EXPECT_TRUE(collected.add(state("a", {2, 2})));
  EXPECT_TRUE(collected.add(state("b", {2, SnapshotRange::for_ever})));
  EXPECT_TRUE(collected.add(state("b", {2, SnapshotRange::for_ever})));
  EXPECT_TRUE(collected.add(state("a", {4, 4})));
  EXPECT_TRUE(collected.add(state("a", {1, 1})));
  EXPECT_EQ(collected.complete, (Numbers{2, 4}));
  EXPECT_FALSE(collected.add(state("b", {3, SnapshotRange::for_ever})));
}

TEST(SnapshotCollector, RefusesWhatContradictsOtherParts) {
  Collected collected;
  EXPECT_TRUE(collected.add(state("a", {1, 1}, {{"b", 1}})));
  EXPECT_TRUE(collected.add(state("a", {1, 1}, {{"b", 1}})));
  EXPECT_FALSE(collected.add(state("a", {1, 1}, {{"b", 2}}))) << "another state";
  EXPECT_FALSE(collected.add(state("b", {1, 1}, {}, {{"a", 2}}))) << "more than was sent";
  EXPECT_FALSE(collected.add(state("b", {1, 1}, {}, {{"b", 1}}))) << "more than was sent to itself";
  EXPECT_FALSE(collected.add(state("b", {1, 1}, {{"a", UINT64_MAX}}))) << "no such count";
  EXPECT_FALSE(collected.add(message("a", "c", {1, 1}))) << "never sent";
  EXPECT_TRUE(collected.add(message("a", "b", {1, 1})));
  InTransitPart other = message("a", "b", {1, 1});
  other.contents = "other contents";
  EXPECT_FALSE(collected.add(other));
  EXPECT_FALSE(collected.add(message("a", "b", {1, 1}, 2))) << "more than was sent";
  EXPECT_FALSE(collected.add(state("b", {1, 1}, {}, {{"a", 1}}))) << "received and in transit";
  EXPECT_TRUE(collected.add(message("b", "b", {1, 1})));
  EXPECT_FALSE(collected.add(state("b", {1, 1}, {{"b", 1}}, {{"b", 1}}))) << "the same, to itself";
  EXPECT_TRUE(collected.add(message("b", "a", {1, 1})));
  EXPECT_FALSE(collected.add(state("b", {1, 1}, {{"b", 1}}))) << "a knows of more";
  EXPECT_TRUE(collected.complete.empty());
  EXPECT_TRUE(collected.add(state("b", {1, 1}, {{"a", 1}, {"b", 1}})));
  EXPECT_EQ(collected.complete, Numbers{1});
}

TEST(SnapshotCollector, RefusesWhatBelongsToNoSnapshot) {
  Collected collected;
  constexpr std::uint64_t most = SnapshotRange::most;
  for (const SnapshotRange range :
       {SnapshotRange{}, {0, 1}, {3, 2}, {1, most + 1}, {most + 1, most + 1}}) {
    EXPECT_FALSE(collected.add(state("a", range)));
    EXPECT_FALSE(collected.add(message("a", "b", range)));
  }
  EXPECT_FALSE(collected.add(message("a", "b", {1, SnapshotRange::for_ever})));
  EXPECT_FALSE(collected.add(state("a", {0, SnapshotRange::for_ever})));
  EXPECT_TRUE(collected.collector.open().empty());
}

TEST(SnapshotCollector, GivesUpWhatIsTooFarBehind) {
  Collected collected(3);
  EXPECT_TRUE(collected.add(state("a", {1, 4})));
  EXPECT_EQ(collected.collector.open().size(), 3U);
  EXPECT_TRUE(collected.add(state("a", {5, 5})));
  EXPECT_EQ(collected.collector.given_up(), 1U);
  EXPECT_TRUE(collected.add(state("b", {1, 5})));
  EXPECT_EQ(collected.complete, (Numbers{3, 4, 5}));
  EXPECT_TRUE(collected.add(state("a", {SnapshotRange::most, SnapshotRange::most})));
  EXPECT_TRUE(collected.add(state("b", {6, SnapshotRange::most})));
  EXPECT_EQ(collected.collector.completed(), 4U);
  EXPECT_EQ(collected.collector.open().size(), 2U);
}

TEST(SnapshotCollector, GivesUpTheOldestWhenMemoryEnds) {
  Collected collected(64, 30000);
  for (std::uint64_t k = 1; k <= 20; ++k) {
    LocalPart part = state("a", {k, k});
    part.state = std::string(9000, 'x');
    EXPECT_TRUE(collected.add(part));
  }
  EXPECT_EQ(collected.collector.given_up(), 17U);
  EXPECT_TRUE(collected.add(state("b", {1, 20})));
  EXPECT_EQ(collected.complete, (Numbers{18, 19, 20}));
  LocalPart large = state("a", {21, SnapshotRange::for_ever});
  large.state = std::string(40000, 'x');
  EXPECT_FALSE(collected.add(large));
}

[[nodiscard]] SnapshotPart some_part(std::mt19937_64& random) {
  const SnapshotRange range{1 + random() % 300, 300 + random() % 2};
  if (random() % 2 == 0) {
    return InTransitPart{"receiver", range, "sender", random() >> random() % 64,
                         std::string(random() % 200, '\0')};
  }
  LocalPart part = state("a process", range, {{"b", 1 + random() % 1000}, {"c", 1}}, {{"b", 3}});
  if (random() % 4 == 0) part.snapshots.last = SnapshotRange::for_ever;
  return part;
}

TEST(SnapshotPart, ComesBackAsItWasAndIsRefusedIfItIsCutOff) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const SnapshotPart part = some_part(random);
    const std::string bytes = encode(part);
    const auto back = decode_snapshot_part(bytes);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, part);
    EXPECT_FALSE(decode_snapshot_part(bytes + '\0'));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_FALSE(decode_snapshot_part(std::string_view(bytes).substr(0, size)));
    }
  }
}

TEST(SnapshotPart, IsReadOnlyIfItCouldHaveBeenWritten) {
  std::mt19937_64 random(2);
  Collected collected;
  int read = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string bytes = encode(some_part(random));
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = 3 + random() % (std::min<std::size_t>(bytes.size(), 40) - 3);
      bytes[at] = static_cast<char>(random() % 4 == 0 ? random() : bytes[at] ^ 1 << random() % 8);
    }
    const auto part = decode_snapshot_part(bytes);
    if (!part) continue;
    ++read;
    ASSERT_EQ(encode(*part), bytes);
    static_cast<void>(collected.collector.add_bytes(bytes));  // whatever it makes of that
  }
  EXPECT_GT(read, 5000);
}

}  // namespace
}  // namespace lightcone
