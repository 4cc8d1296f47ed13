// The public view of global states: cuts of chains become one number per process.
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/lattice/visit/observation.h>
#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/states.h>

namespace lightcone {
namespace {

/// Shows cuts to a visitor of states. Processes without a relevant event have no chain: they stay
/// at 0.
class StateShower {
 public:
  StateShower(const Level& level, const GlobalStates::Visitor& visit)
      : level_(level), visit_(visit), state_(level.computation().process_count(), 0) {}

  bool operator()(std::span<const Rank> cut) {
    for (std::uint32_t chain = 0; chain < level_.chains(); ++chain) {
      state_[level_.process(chain)] = cut[chain];
    }
    return visit_(state_);
  }

 private:
  const Level& level_;
  const GlobalStates::Visitor& visit_;
  std::vector<Rank> state_;
};

}  // namespace

GlobalStates::GlobalStates(const Computation& computation)
    : GlobalStates(computation, Selection::all(computation)) {}

GlobalStates::GlobalStates(const Computation& computation, const Selection& relevant)
    : level_(std::make_unique<const Level>(computation, relevant)) {}

GlobalStates::GlobalStates(GlobalStates&&) noexcept = default;
GlobalStates& GlobalStates::operator=(GlobalStates&&) noexcept = default;
GlobalStates::~GlobalStates() = default;

Count GlobalStates::count(const Limits& limits, const Progress& progress) const {
  return count_cuts(Futures(*level_), all_of(*level_), limits, progress);
}

VisitedStates GlobalStates::for_each(const Visitor& visit, const Limits& limits,
                                     const Progress& progress) const {
  StateShower show(*level_, visit);
  return visit_states(Futures(*level_), all_of(*level_), std::span(&show, 1), limits, progress);
}

std::size_t GlobalStates::inevitable_count() const { return inevitable_states(*level_).count(); }

void GlobalStates::for_each_inevitable(const Visitor& visit) const {
  StateShower show(*level_, visit);
  inevitable_states(*level_).for_each(std::ref(show));
}

Count GlobalStates::count_observations(const Limits& limits) const {
  return lightcone::count_observations(Futures(*level_), all_of(*level_), limits);
}

std::vector<EventIndex> GlobalStates::random_observation(std::uint64_t seed) const {
  return lightcone::random_observation(*level_, seed);
}

}  // namespace lightcone
