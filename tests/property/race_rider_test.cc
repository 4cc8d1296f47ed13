// The race rider marks, at the receive itself, what the definition marks afterwards.
#include <lightcone/causal/races/races.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/riders/clocks/race_rider.h>
#include <lightcone/riders/ride.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

[[nodiscard]] std::vector<Reception> marked_by_riders(const Computation& computation) {
  std::vector<RaceRider> riders;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) riders.emplace_back(p);
  const std::vector<Scene> scenes(computation.row_count(), 0);
  std::vector<Reception> marked;
  ride(computation, scenes, riders, [&](Row row, const RaceRider& rider) {
    if (row >= computation.event_count()) return;
    const auto takes = computation.takes(row);
    for (std::size_t i = 0; i < takes.size(); ++i) {
      if (rider.traced()[i]) marked.push_back({row, takes[i]});
    }
  });
  std::stable_sort(marked.begin(), marked.end(),
                   [](const Reception& a, const Reception& b) { return a.event < b.event; });
  return marked;
}

TEST(RaceRider, MarksWhatTheDefinitionMarks) {
  arbitrary::for_all_computations("race rider", 4000, [](const Computation& c) {
    const definition::HappenedBefore before(c);
    RC_ASSERT(marked_by_riders(c) == definition::traced_receptions(c, before));
  });
}

TEST(RaceRider, MarksWhatTheOfflineAlgorithmMarks) {
  for (const Topology topology :
       {Topology::uniform, Topology::ring, Topology::star, Topology::pairs, Topology::phases}) {
    const auto c = random_computation({.seed = 7,
                                       .processes = 20,
                                       .events = 20000,
                                       .topology = topology,
                                       .multicast_rate = 0.1,
                                       .batch_rate = 0.1,
                                       .duplicate_rate = 0.05});
    ASSERT_TRUE(c.has_value()) << c.error().text();
    EXPECT_EQ(marked_by_riders(*c), traced_receptions(*c));
  }
}

TEST(RaceRider, CountsABatchOnce) {
  RaceRider sender(0), receiver(1);
  const auto first = sender.tag(), second = sender.tag();
  const std::vector<const RaceRider::Tag*> both{&first, &second};
  receiver.receive({}, both);
  EXPECT_EQ(receiver.receives(), 1U);
  EXPECT_EQ(receiver.traced(), (std::vector<bool>{false, false}));
  receiver.receive({}, both);
  EXPECT_EQ(receiver.traced(), (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace lightcone
