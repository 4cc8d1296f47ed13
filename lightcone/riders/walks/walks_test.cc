// Walks through recorded computations find what a rider per process finds.
#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/ride.h>
#include <lightcone/riders/walks/longest_flow_walk.h>
#include <lightcone/riders/walks/lrdag_walk.h>

#include <map>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

/// A property file and what it sees of a computation.
struct Watched {
  Watched(const Computation& computation, const std::string& text)
      : properties(
            CompiledProperties::compile(*parse_property_syntax(text, "test"), {"a", "b", "c"})),
        observer(properties.vocabulary(), computation.names()),
        scenes(observe(computation, observer)) {}

  CompiledProperties properties;
  Observer observer;
  std::vector<Scene> scenes;
};

using SetsOfEvents = std::map<Row, ReachedSets::Index>;

TEST(Walks, LongestFlowsAreThoseOfRiders) {
  arbitrary::for_all_computations("walks along longest flows", 1000, [](const Computation& c) {
    const Watched watched(c,
                          "watch p : some longest flow contains a -> b without c\n"
                          "watch q : every longest flow over {a} contains a -> a -> a\n");
    for (const auto& group : by_alphabet(watched.properties, watched.observer)) {
      SetsOfEvents by_riders;
      std::vector<LongestFlowRider> riders;
      for (ProcessIndex p = 0; p < c.process_count(); ++p) riders.emplace_back(*group, p);
      ride(c, watched.scenes, riders, [&](Row row, const LongestFlowRider& rider) {
        if (rider.observed()) by_riders[row] = *rider.observed();
      });
      SetsOfEvents by_walk;
      LongestFlowWalk walk(group->sets, c, watched.observer.scene_count(), 1 << 20);
      RC_ASSERT(walk.run(watched.scenes,
                         [&](EventIndex e, ReachedSets::Index set) { by_walk[e] = set; }));
      RC_ASSERT(by_walk == by_riders);
    }
  });
}

TEST(Walks, SayThatTheyNeedMoreMemory) {
  arbitrary::for_all_computations("walks in little memory", 300, [](const Computation& c) {
    const Watched watched(c, "watch p : some longest flow contains a -> b without c\n");
    const auto group = std::move(by_alphabet(watched.properties, watched.observer).front());
    const std::size_t fronts = c.process_count() * ((c.process_count() + 7) / 8 * 32);
    const auto runs_in = [&](std::size_t bytes) {
      LongestFlowWalk walk(group->sets, c, watched.observer.scene_count(), bytes);
      return walk.run(watched.scenes, [](EventIndex, ReachedSets::Index) {});
    };
    RC_ASSERT(!runs_in(fronts - 1));
    RC_ASSERT(runs_in(fronts) == (c.edge_count() == 0));  // no row for a message
  });
}

TEST(Walks, EquationsAreThoseOfRiders) {
  for (const char* text :
       {"watch p : some flow ends with a -> b without c\nwatch q : every flow at a contains b\n",
        "watch p : some flow contains a -> b\n"
        "watch l : logic { x := initial or a and prev y\n y := b and msg x or any y }\n"}) {
    arbitrary::for_all_computations("walks along equations", 1000, [&](const Computation& c) {
      Watched watched(c, text);
      Lrdag lrdag(watched.properties, watched.observer);
      RC_ASSERT(LrdagWalk::can(lrdag));
      std::map<Row, std::uint64_t> by_riders, by_walk;
      std::vector<LrdagRider> riders(c.process_count(), LrdagRider(lrdag));
      ride(c, watched.scenes, riders, [&](Row row, const LrdagRider& rider) {
        for (std::size_t m = 0; m < lrdag.members().size(); ++m) {
          const bool found = lrdag.is_found(m, rider.state().data());
          by_riders[row] |= std::uint64_t{found} << m;
        }
      });
      LrdagWalk walk(lrdag, watched.observer.scene_count());
      walk.run(c, watched.scenes, [&](Row row, std::uint64_t found) { by_walk[row] = found; });
      RC_ASSERT(by_walk == by_riders);
    });
  }
}

}  // namespace
}  // namespace lightcone
