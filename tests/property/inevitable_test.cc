// Inevitable states against their definitions: full, partial and physical.
#include <gtest/gtest.h>
#include <lightcone/lattice/visit/physically_inevitable.h>

#include "model/definitions/inevitable_definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

using definition::Ends;
using definition::GroupStates;
using Group = std::vector<ProcessIndex>;
using States = std::vector<std::vector<Rank>>;

/// More tuples of local states than these are not tried one by one.
constexpr std::uint64_t most_tuples = 1'500;

/// The same states, with an entry for each process of the group.
[[nodiscard]] States states_of(const InevitableStates& states, const Group& group) {
  States result;
  states.for_each([&](std::span<const Rank> cut) {
    std::vector<Rank> state;
    for (const ProcessIndex p : group) {
      const std::uint32_t chain = states.level().chain_of(p);
      state.push_back(chain == none ? 0 : cut[chain]);
    }
    result.push_back(std::move(state));
    return true;
  });
  RC_ASSERT(result.size() == states.count());
  return result;
}

/// Relevant events of several densities: all, some, those with a label.
[[nodiscard]] std::vector<std::function<bool(EventIndex)>> choices(const Computation& computation) {
  return {[](EventIndex) { return true; },
          [](EventIndex e) { return (e * 2654435761U >> 7) % 3 == 0; },
          [&computation](EventIndex e) { return !computation.labels(e).empty(); },
          [](EventIndex e) { return (e * 2654435761U >> 9) % 8 == 0; }};
}

/// All processes, every second, and the first two.
[[nodiscard]] std::vector<Group> groups(const Computation& computation) {
  Group all, some, two;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    all.push_back(p);
    if (p % 2 == 1) some.push_back(p);
    if (p < 2) two.push_back(p);
  }
  if (some.empty()) return {all};
  return {all, some, two};
}

/// How many cases there were in which an algorithm could have been wrong.
struct Tally {
  int several = 0;          // inevitable states between the first and the last
  int partly_physical = 0;  // some of them physical, some not
};

void expect_definitions(const Computation& computation, const Selection& relevant,
                        const Group& group, Tally& tally) {
  const GroupStates together(computation, relevant, group, Ends::together);
  if (together.tuples() > most_tuples) return;
  const Level level(computation, relevant);
  const InevitableStates inevitable = inevitable_states(level);
  const States found = states_of(inevitable, group);
  RC_ASSERT(found == together.only_of_their_size());
  RC_ASSERT(found == together.satisfying_igs());
  RC_ASSERT(found == together.found_by_monitor());

  const GroupStates physical(computation, relevant, group, Ends::physical);
  const States coexisting = states_of(physically_inevitable(inevitable, group), group);
  RC_ASSERT(coexisting == physical.satisfying_igs());
  RC_ASSERT(coexisting == physical.found_by_monitor());
  tally.several += found.size() > 2;
  tally.partly_physical += !coexisting.empty() && coexisting.size() < found.size();
}

TEST(Inevitable, AgreesWithAllDefinitions) {
  Tally tally;
  arbitrary::for_all_computations("inevitable states", 4000, [&](const Computation& computation) {
    for (const auto& choice : choices(computation)) {
      for (const Group& group : groups(computation)) {
        const Selection relevant(computation, [&](EventIndex e) {
          return choice(e) && std::ranges::count(group, computation.process_of(e)) > 0;
        });
        expect_definitions(computation, relevant, group, tally);
      }
    }
  });
  EXPECT_GT(tally.several, 1000 / arbitrary::one_in);
  EXPECT_GT(tally.partly_physical, 1000 / arbitrary::one_in);
}

TEST(Inevitable, StopsWhenTold) {
  arbitrary::for_all_computations("some inevitable states", 100, [](const Computation& c) {
    const Level level(c, Selection::all(c));
    const InevitableStates states = inevitable_states(level);
    for (std::size_t wanted = 1; wanted <= states.count(); ++wanted) {
      std::size_t seen = 0;
      states.for_each([&](std::span<const Rank> cut) {
        RC_ASSERT(size_of(cut) == states.sizes()[seen]);
        return ++seen < wanted;
      });
      RC_ASSERT(seen == wanted);
    }
  });
}

}  // namespace
}  // namespace lightcone
