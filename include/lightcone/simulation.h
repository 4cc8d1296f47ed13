// A network inside one program, where time, delays and faults are simulated: the same seed gives
// the same execution, on every machine. Programs on it can be explored: all executions, each once.
#pragma once

#include <lightcone/error.h>
#include <lightcone/guide.h>
#include <lightcone/network.h>
#include <lightcone/progress.h>
#include <lightcone/recording.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

class Chooser;
class Explorer;
class PortableRandom;

/// Time in a simulation, from its beginning.
using SimulatedTime = std::chrono::nanoseconds;

/// A process that crashes instead of performing an action.
struct Crash {
  std::string process;
  std::uint64_t action = 1;  ///< the number of its call of the network, from 1
};

/// How the delays of parcels lie around their mean.
enum class DelaySpread : std::uint8_t { fixed, uniform, exponential };

struct SimulationOptions {
  std::uint64_t seed = 1;
  bool fifo = false;  ///< parcels from one process to one mailbox do not overtake each other
  SimulatedTime delay = std::chrono::milliseconds(1);  ///< mean, of parcels
  DelaySpread spread = DelaySpread::exponential;
  SimulatedTime poll = std::chrono::microseconds(1);  ///< what a poll that finds nothing takes
  double loss_rate = 0;       ///< of the parcels: the share that never arrives
  double duplicate_rate = 0;  ///< of the parcels: the share that arrives twice
  std::vector<Crash> crashes = {};
  std::uint64_t action_limit = 1'000'000;  ///< of all processes together
  std::size_t stack_size = 256 * 1024;     ///< bytes, of each process
  std::optional<RunOrders> run = {};       ///< how processes run, not by the environment
  Chooser* chooser = nullptr;              ///< internal: decides instead of delays and rates
  Explorer* explorer = nullptr;            ///< internal: goes through all executions
};

/// How a simulated execution ended, and what happened in it.
struct SimulationOutcome {
  enum class End : std::uint8_t {
    finished,  ///< every process returned or crashed
    deadlock,  ///< some wait for parcels, and there is none for them
    failed,    ///< a process threw an exception; the others were stopped
    limit,     ///< as many actions as were allowed
    stopped,   ///< the chooser wanted no more
  };
  /// A process that waits for ever.
  struct Waiting {
    std::string process;
    std::string mailbox;
    SimulatedTime since = {};
    std::string source;  ///< `file:line` of the call
  };

  End end = End::finished;
  std::vector<Waiting> waiting = {};      ///< deadlock: who, in the order of their spawning
  std::string failed = {};                ///< failed: which process
  std::string what = {};                  ///< failed: what it threw
  std::vector<std::string> crashed = {};  ///< in the order of their crashes
  SimulatedTime time = {};                ///< when it ended
  std::uint64_t actions = 0, sent = 0, received = 0, lost = 0, doubled = 0;

  /// What went wrong, without when; empty if nothing did. The same mistake has the same words.
  [[nodiscard]] std::string why() const;
  /// One line for people, and in a deadlock one more for each process that waits.
  [[nodiscard]] std::string text() const;
};

/// Mailboxes by name, and processes that are fibers: ordinary code that waits where it likes. All
/// of it runs in the thread that calls `run`. What takes no time by its nature takes none: only
/// parcels, sleeping and fruitless polls do.
///
/// When the execution ends, processes that wait are stopped: their calls throw something that is no
/// std::exception, so that destructors run. Whoever catches everything must throw it on.
/// Calls made while an exception passes have no effect then; another destructor that calls the
/// network should be noexcept(false).
class SimulatedNetwork {
 public:
  /// The network finds processes that wait for ever, so that no call needs a time limit.
  static constexpr bool finds_deadlocks = true;

  /// Rates are between 0 and 1, and so is their sum.
  explicit SimulatedNetwork(SimulationOptions options = {});
  ~SimulatedNetwork();
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;

  /// A process that begins when the network runs, or at once if it does. No two have one name.
  void spawn(std::string name, std::function<void()> body);
  /// Runs until all processes have ended, or none can go on. Once only.
  SimulationOutcome run();

  /// A parcel to someone who has not received anything yet waits for them.
  void send(std::string_view to, Parcel parcel);
  /// The next parcel, as soon as there is one; nothing once the network is closed and empty.
  [[nodiscard]] std::optional<Parcel> receive(
      std::string_view mailbox,
      const std::source_location& where = std::source_location::current());
  /// The next parcel, if it comes soon enough.
  [[nodiscard]] std::optional<Parcel> receive_within(
      SimulatedTime patience, std::string_view mailbox,
      const std::source_location& where = std::source_location::current());
  /// The next parcel if there is one. A poll that finds none takes a little time.
  [[nodiscard]] std::optional<Parcel> try_receive(std::string_view mailbox);
  /// No one will send any more: wakes all who wait.
  void close();

  /// The clock that all processes share.
  [[nodiscard]] SimulatedTime now() const;
  void sleep(SimulatedTime duration);
  /// A random number from 0 up to, not including, `end`, for the process that runs: those of a
  /// process depend on the seed and its name alone.
  [[nodiscard]] std::uint32_t random_below(std::uint32_t end);
  /// One of so many alternatives, counted from 0, for the process that runs: drawn from its random
  /// numbers, unless someone decides.
  [[nodiscard]] std::uint32_t choose(std::uint32_t alternatives);
  /// The name of the process that runs.
  [[nodiscard]] std::string_view self() const;

 private:
  friend PortableRandom& random_of(SimulatedNetwork& network);
  class Simulation;
  std::unique_ptr<Simulation> simulation_;
};
static_assert(Network<SimulatedNetwork>);

/// A program that can be run again and again.
struct SimulatedProgram {
  /// Spawns the processes, once for each execution. What they share begins anew.
  std::function<void(SimulatedNetwork&)> set_up;
  /// Called after an execution that did not fail. Returns why it is wrong, or nothing.
  std::function<std::optional<std::string>(const SimulationOutcome&)> verdict = {};
};

struct SimulatedExplorationOptions {
  SimulationOptions simulation = {};  ///< no chooser; rates say only which faults there may be
  std::uint32_t empty_polls = 1;      ///< in a row, of one process, that find nothing at any time
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();  ///< at most
  NamedGuide first = {};               ///< the first execution follows it
  std::function<bool()> is_over = {};  ///< asked between executions: no more are wanted
  Progress progress = {};
};

/// An execution that went wrong: a process threw, some wait for ever, there was no end within the
/// limit, or the verdict was against it.
struct FailedExecution {
  std::uint64_t execution = 0;  ///< its number, counted from 1; 0: none of them
  std::string why;
  NamedGuide guide;
};

struct SimulatedExploration {
  std::uint64_t executions = 0;
  bool complete = false;  ///< there are no others
  std::vector<FailedExecution> failures = {};
};

/// Runs a program once for each of its executions that differ in a choice of some process: which
/// message it takes, whether it finds one, how it decides. How long anything takes does not matter:
/// a message may come later than anything else, and time is what a process knows of it. When a
/// process throws, the others go on. It is an error if two processes read one mailbox, or what a
/// process does depends on more than its choices.
[[nodiscard]] Expected<SimulatedExploration> explore(
    const SimulatedProgram& program, const SimulatedExplorationOptions& options = {});

/// One execution.
struct GuidedExecution {
  SimulationOutcome outcome;
  std::optional<std::string> why = {};  ///< it is wrong
  NamedGuide guide = {};                ///< all choices that were made
  bool followed = false;                ///< it is as the guide says
};

/// Runs a program once, as a guide says; where it says nothing, like the first of all executions.
[[nodiscard]] Expected<GuidedExecution> run_guided(const SimulatedProgram& program,
                                                   const NamedGuide& guide,
                                                   const SimulatedExplorationOptions& options = {});

/// A failure made simple.
struct ShrunkFailure {
  FailedExecution failure;
  NamedGuide flips;         ///< what to choose where not the first that there is
  std::uint64_t count = 0;  ///< of flips
  std::uint64_t runs = 0;   ///< that it took
};

/// Of the choices of an execution that fails, finds few that make the program fail the same way
/// when all others are the first that there are: without any one of them it does not.
[[nodiscard]] Expected<ShrunkFailure> shrink(const SimulatedProgram& program,
                                             const NamedGuide& guide,
                                             const SimulatedExplorationOptions& options = {});

/// Runs a program as `lightcone record`, `replay` or `explore` says, or once without them, and
/// returns its exit status: what `main` returns. It prints what goes wrong.
[[nodiscard]] int run_simulated(const SimulatedProgram& program, SimulationOptions options = {});

}  // namespace lightcone
