// Goes through the assignments of a process up to an event.
#include <lightcone/view/state_at_cut.h>

#include <tsl/robin_map.h>

namespace lightcone {

std::vector<HeldValue> state_after(const Computation& computation, ProcessIndex p, Rank rank) {
  std::vector<HeldValue> held;
  tsl::robin_map<std::uint32_t, std::size_t> place_of;  // in held, by variable
  const auto assign = [&](Row row, Rank since) {
    for (const Assignment& assignment : computation.assignments(row)) {
      const auto variable = static_cast<std::uint32_t>(assignment.variable);
      const auto [at, is_new] = place_of.emplace(variable, held.size());
      if (is_new) {
        held.push_back({assignment, since});
      } else {
        held[at->second] = {assignment, since};
      }
    }
  };
  assign(computation.initial_row(p), 0);
  for (Rank k = 1; k <= rank; ++k) assign(computation.event(p, k), k);
  return held;
}

}  // namespace lightcone
