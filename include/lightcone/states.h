// Global states of a computation: how many there are, which, and which of them are inevitable.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/computation.h>
#include <lightcone/progress.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

class Level;

/// When to give up.
struct Limits {
  std::uint64_t states = UINT64_MAX;
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  ///< of memory
};

/// Why a visit of the states ended: it was complete, a visitor said stop, or a limit was hit.
enum class Ending : std::uint8_t { complete, stopped, limited };

/// How many states were visited, and why not more.
struct VisitedStates {
  std::uint64_t states = 0;
  Ending ending = Ending::complete;
};

/// How states were counted: without visiting them, or (some of them) one by one.
enum class CountMethod : std::uint8_t { elimination, enumeration };

/// A number of any size: how many there are or, if a limit was hit, how many there are at least.
struct Count {
  std::string decimal;
  std::optional<std::uint64_t> number = {};  ///< if it fits 64 bits
  bool exact = true;
  CountMethod method = CountMethod::elimination;
  std::uint32_t width = 0;  ///< of elimination: the most processes that one table was about
};

/// The consistent global states of a computation: the combinations of local states in which nothing
/// has happened without its causes. Only relevant events end a local state; all events are relevant
/// unless a selection says otherwise. A state is shown as one number per process: how many of its
/// relevant events have happened. Needs 4 bytes of memory per pair of a relevant event and a
/// process, and twice as many while it counts or visits states.
class GlobalStates {
 public:
  /// Called with a state. Returns whether to continue.
  using Visitor = std::function<bool(std::span<const Rank> state)>;

  /// The computation must outlive it.
  explicit GlobalStates(const Computation& computation);
  GlobalStates(const Computation& computation, const Selection& relevant);
  GlobalStates(GlobalStates&&) noexcept;
  GlobalStates& operator=(GlobalStates&&) noexcept;
  ~GlobalStates();

  /// The number of states. Processes are eliminated one after the other, so that numbers far beyond
  /// what could be visited are exact, if each process talks to few others, or messages are short.
  /// The limit of states is for the rest, which is visited on all cores.
  [[nodiscard]] Count count(const Limits& limits = {}, const Progress& progress = {}) const;
  /// Visits each state once, in lexical order, on the thread that calls.
  VisitedStates for_each(const Visitor& visit, const Limits& limits = {},
                         const Progress& progress = {}) const;

  /// The number of inevitable states: those that every observation passes through.
  [[nodiscard]] std::size_t inevitable_count() const;
  /// Visits the inevitable states, from the initial state to the final one.
  void for_each_inevitable(const Visitor& visit) const;

  /// The number of observations: orders of the relevant events, one after the other, in which every
  /// cause comes before its effects.
  [[nodiscard]] Count count_observations(const Limits& limits = {}) const;
  /// One observation. Every observation can be the result for some seed.
  [[nodiscard]] std::vector<EventIndex> random_observation(std::uint64_t seed) const;

  /// For the library itself: the relevant events and their order.
  [[nodiscard]] const Level& level() const { return *level_; }

 private:
  std::unique_ptr<const Level> level_;
};

}  // namespace lightcone
