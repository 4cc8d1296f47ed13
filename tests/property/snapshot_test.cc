// Snapshots of random programs are consistent cuts of what really happened, with all that is in
// transit there, and complete when they can be.
#include "model/generators/arbitrary.h"
#include "model/programs/snapshot_program.h"

#include <gtest/gtest.h>
#include <lightcone/live/simulation/process_random.h>
#include <lightcone/snapshot.h>

#include <algorithm>
#include <random>

namespace lightcone {
namespace {

using namespace std::chrono_literals;

/// By sender, receiver and number.
using InTransit = std::map<std::tuple<std::string, std::string, std::uint64_t>, std::string>;

/// A program that does what its random numbers say; its state is how much it has done.
class Wanderers : public SnapshotProgram {
 public:
  Wanderers(SimulationOptions options, std::uint32_t processes, SnapshotMethod method, bool leave)
      : SnapshotProgram(std::move(options), processes, method), leave_(leave) {
    state = [this](std::uint32_t p) { return std::to_string(members()[p].history.size()); };
    on_part = [this](const std::string& bytes) { parts.push_back(bytes); };
    for (std::uint32_t p = 0; p < processes; ++p) spawn(p, [this, p] { wander(p); });
  }
  std::vector<std::string> parts;

 private:
  void wander(std::uint32_t p) {
    PortableRandom& random = random_of(network());
    const auto processes = static_cast<std::uint32_t>(members().size());
    const bool leaves = leave_ && random.below(3) == 0;
    for (int step = 0; step < 40; ++step) {
      const std::uint32_t what = random.below(16);
      if (what == 0) {
        begin(p);
      } else if (what <= 7) {
        const std::uint32_t to = random.below(processes);
        send(p, to, "from " + std::to_string(p) + " at " + std::to_string(step));
      } else {
        static_cast<void>(take(p, std::chrono::microseconds(random.below(1000))));
      }
      if (leaves && random.below(20) == 0) return end(p);
    }
    while (take(p, 1s)) {
    }
  }

  bool leave_;
};

/// How far each process was when it saved its state; nothing if one did not.
[[nodiscard]] std::optional<std::vector<std::size_t>> cut_of(const SnapshotProgram& program,
                                                             std::uint64_t snapshot) {
  std::vector<std::size_t> cut;
  for (const auto& member : program.members()) {
    const auto saved = member.saved.find(snapshot);
    if (saved == member.saved.end() && !member.ended) return {};
    cut.push_back(saved == member.saved.end() ? *member.ended : saved->second);
  }
  return cut;
}

/// What was sent before the cut and not taken before it. Nothing if some of it was never taken, so
/// that no process can know its contents.
[[nodiscard]] std::optional<InTransit> in_transit_at(const SnapshotProgram& program,
                                                     const std::vector<std::size_t>& cut) {
  InTransit found;
  for (std::uint32_t p = 0; p < cut.size(); ++p) {
    const auto& sender = program.members()[p];
    for (std::size_t i = 0; i < cut[p]; ++i) {
      const auto& [is_send, peer, number] = sender.history[i];
      if (!is_send) continue;
      const auto& receiver = program.members()[peer];
      const auto taken = std::ranges::find_if(receiver.history, [&](const auto& event) {
        return !event.send && event.peer == p && event.number == number;
      });
      if (taken == receiver.history.end()) return {};
      if (static_cast<std::size_t>(taken - receiver.history.begin()) < cut[peer]) continue;
      found[{sender.name, receiver.name, number}] = sender.contents[number - 1];
    }
  }
  return found;
}

/// Whether what was taken before the cut was sent before it.
[[nodiscard]] bool is_consistent(const SnapshotProgram& program,
                                 const std::vector<std::size_t>& cut) {
  for (std::uint32_t p = 0; p < cut.size(); ++p) {
    for (std::size_t i = 0; i < cut[p]; ++i) {
      const auto& [is_send, peer, number] = program.members()[p].history[i];
      if (is_send) continue;
      const auto& history = program.members()[peer].history;
      const auto end = history.begin() + static_cast<std::ptrdiff_t>(cut[peer]);
      const bool sent = std::any_of(history.begin(), end, [&](const auto& event) {
        return event.send && event.peer == p && event.number == number;
      });
      if (!sent) return false;
    }
  }
  return true;
}

[[nodiscard]] InTransit contents(const GlobalSnapshot& snapshot) {
  InTransit found;
  for (const auto& [ends, channel] : snapshot.channels()) {
    for (const auto& [number, part] : channel.in_transit) {
      found[{ends.first, ends.second, number}] = part->contents;
    }
  }
  return found;
}

struct Counts {
  std::uint64_t complete = 0, incomplete = 0, with_messages = 0, messages = 0, overlapping = 0;
};

/// Compares with the definition what a collector makes of all parts, in whatever order.
void check(const Wanderers& program, std::vector<std::string> parts, Counts& counts) {
  std::map<std::uint64_t, GlobalSnapshot> complete;
  SnapshotCollector collector(
      {.processes = program.names(), .on_complete = [&](GlobalSnapshot snapshot) {
         const std::uint64_t number = snapshot.number();
         ASSERT_TRUE(complete.emplace(number, std::move(snapshot)).second) << "twice";
       }});
  for (const std::string& bytes : parts) {
    const auto added = collector.add_bytes(bytes);
    ASSERT_TRUE(added) << added.error().text();
    if (collector.open().size() > 1) ++counts.overlapping;
  }
  for (std::uint64_t k = 1; k <= program.last_snapshot(); ++k) {
    const auto cut = cut_of(program, k);
    const auto expected = cut ? in_transit_at(program, *cut) : std::nullopt;
    const auto snapshot = complete.find(k);
    ASSERT_EQ(snapshot != complete.end(), expected.has_value()) << "snapshot " << k;
    ++(expected ? counts.complete : counts.incomplete);
    ASSERT_TRUE(!cut || is_consistent(program, *cut)) << "snapshot " << k;
    if (!expected) continue;
    ASSERT_EQ(contents(snapshot->second), *expected) << "snapshot " << k;
    for (std::uint32_t p = 0; p < cut->size(); ++p) {
      const auto& part = snapshot->second.states().at(program.names()[p]);
      ASSERT_EQ(part->state, std::to_string((*cut)[p]));
    }
    counts.messages += expected->size();
    if (!expected->empty()) ++counts.with_messages;
  }
}

/// Runs programs, each with another seed, and checks all of their snapshots.
[[nodiscard]] Counts wander(SnapshotMethod method, bool faults) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 400 / arbitrary::one_in; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SimulationOptions options = {.seed = seed};
    options.duplicate_rate = seed % 3 == 0 ? 0.1 : 0;
    // Without colours, channels must be FIFO indeed: a marker that is lost would tear the cut.
    const bool loses = faults && seed % 2 == 0 && method != SnapshotMethod::markers;
    options.loss_rate = loses ? 0.01 : 0;
    Wanderers program(options, 2 + seed % 4, method, faults && !loses);
    const SimulationOutcome outcome = program.network().run();
    EXPECT_EQ(outcome.end, SimulationOutcome::End::finished) << outcome.text();
    std::vector<std::string> parts = program.parts;
    std::mt19937_64 random(seed);
    if (seed % 2 == 0) std::shuffle(parts.begin(), parts.end(), random);
    parts.insert(parts.end(), program.parts.begin(), program.parts.end());  // each comes again
    check(program, std::move(parts), counts);
    if (testing::Test::HasFailure()) break;
    if (faults || !program.fifo()) continue;
    for (std::uint32_t p = 0; p < program.members().size(); ++p) {
      EXPECT_EQ(program.closed(p), program.last_snapshot());
    }
  }
  return counts;
}

class Snapshots : public testing::TestWithParam<SnapshotMethod> {};

TEST_P(Snapshots, AreCutsOfWhatHappenedAndWhatIsInTransitThere) {
  const Counts counts = wander(GetParam(), false);
  EXPECT_GT(counts.with_messages, 1000U / arbitrary::one_in);
  EXPECT_GT(counts.overlapping, 1000U / arbitrary::one_in);
  EXPECT_TRUE(counts.incomplete == 0 || GetParam() == SnapshotMethod::colours_alone);
}

TEST_P(Snapshots, AreCompleteOnlyIfNothingIsMissing) {
  const Counts counts = wander(GetParam(), true);
  EXPECT_GT(counts.complete, 500U / arbitrary::one_in);
  EXPECT_GT(counts.incomplete, 100U / arbitrary::one_in);
}

INSTANTIATE_TEST_SUITE_P(Methods, Snapshots,
                         testing::Values(SnapshotMethod::markers, SnapshotMethod::coloured_fifo,
                                         SnapshotMethod::colours, SnapshotMethod::colours_alone));

}  // namespace
}  // namespace lightcone
