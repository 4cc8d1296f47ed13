// What all monitors of global predicates have: fed with local states, they answer when it is
// certain.
#pragma once

#include <lightcone/error.h>
#include <lightcone/lattice/decide/found_state.h>

#include <concepts>
#include <cstdint>
#include <span>

namespace lightcone {

// The monitor is told about each relevant event of a process, with the value of the local state
// that begins there and its timestamp, which counts relevant events (see relevant_clock_rider.h).
// Events of one process arrive in its order. Events of different processes may arrive in any order.
// Initial states are known from the beginning. The three monitors are
//
// - PossiblyMonitor, DefinitelyMonitor: for `possibly` and `definitely` all(...). The value says
//   whether the local predicate holds. All its changes must be relevant; more events may be.
// - ProperlyMonitor: for `properly`, of any predicate of the local values. The relevant events are
//   those that change a value: with more, there are fewer inevitable states.
//
// A cut that they find says how many relevant events of each process have happened there.
//
// A refused event has no effect, unless the error says that earlier timestamps were not true. Not
// all false timestamps can be noticed. An answer never changes.

/// The interface that they share.
template <class M, class Value>
concept GlobalMonitor = requires(M& monitor, const M& known, std::uint32_t process,
                                 std::span<const Rank> timestamp, Value value) {
  { monitor.arrive(process, timestamp, value) } -> std::same_as<Expected<void>>;
  { monitor.end(process) } -> std::same_as<Expected<void>>;  // no further events of this process
  { known.finding() } -> std::same_as<const FoundState&>;
  { known.kept() } -> std::same_as<std::uint64_t>;  // how many local states are remembered
  { known.least() } -> std::same_as<const Cut&>;    // what is still to be found is not below
};

}  // namespace lightcone
