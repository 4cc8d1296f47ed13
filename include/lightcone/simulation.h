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
class NamedExploration;
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
  std::uint64_t action_limit = 1'000'000;   ///< of all processes together
  std::size_t stack_size = 256 * 1024;      ///< bytes, of each process
  std::optional<RunOrders> run = {};        ///< how processes run, not by the environment
  Chooser* chooser = nullptr;               ///< internal: decides instead of delays and rates
  NamedExploration* exploration = nullptr;  ///< internal: goes through all executions
};

/// How a simulated execution ended, and what happened in it.
struct SimulationOutcome {
  enum class End : std::uint8_t {
    finished,  ///< every process returned or crashed
    deadlock,  ///< some wait for parcels that will not come
    failed,    ///< a process threw an exception; the others were stopped
    limit,     ///< the limit of actions was hit
    stopped,   ///< the chooser ended it
  };
  /// A process that waits forever.
  struct Waiting {
    std::string process;
    std::string mailbox;
    SimulatedTime since = {};
    std::string source;  ///< `file:line` of the call
  };

  End end = End::finished;
  std::vector<Waiting> waiting = {};      ///< deadlock: the processes, in the order of spawning
  std::string failed = {};                ///< failed: which process
  std::string what = {};                  ///< failed: what it threw
  std::vector<std::string> crashed = {};  ///< in the order of their crashes
  SimulatedTime time = {};                ///< when it ended
  std::uint64_t actions = 0, sent = 0, received = 0, lost = 0, doubled = 0;

  /// Returns what went wrong, without the time, or an empty text. The same failure has the same
  /// text.
  [[nodiscard]] std::string why() const;
  /// Returns one line of text; in a deadlock, one more line per process that waits.
  [[nodiscard]] std::string text() const;
};

/// Mailboxes by name, and processes that are fibers: ordinary code that may wait anywhere. All of
/// it runs in the thread that calls `run`. Only parcels, sleeping and polls that find nothing take
/// simulated time.
///
/// When the execution ends, processes that wait are stopped: their calls throw something other than
/// a std::exception, so that destructors run. Code that catches everything must throw it again.
/// Calls during such an exception have no effect. Other destructors that call the network should be
/// noexcept(false).
class SimulatedNetwork {
 public:
  /// The network finds processes that wait forever, so that no call needs a time limit.
  static constexpr bool finds_deadlocks = true;

  /// Rates are between 0 and 1, and so is their sum.
  explicit SimulatedNetwork(SimulationOptions options = {});
  ~SimulatedNetwork();
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;

  /// Adds a process. It begins when the network runs, or at once if it already runs. Names differ.
  void spawn(std::string name, std::function<void()> body);
  /// Runs until all processes have ended, or none can continue. May be called only once.
  SimulationOutcome run();

  /// Sends a parcel. It waits in the mailbox until it is received.
  void send(std::string_view to, Parcel parcel);
  /// Returns the next parcel when there is one, or nothing if the network is closed and empty.
  [[nodiscard]] std::optional<Parcel> receive(
      std::string_view mailbox,
      const std::source_location& where = std::source_location::current());
  /// Returns the next parcel if it arrives in time.
  [[nodiscard]] std::optional<Parcel> receive_within(
      SimulatedTime patience, std::string_view mailbox,
      const std::source_location& where = std::source_location::current());
  /// Returns the next parcel if there is one. A poll that finds none takes a little time.
  [[nodiscard]] std::optional<Parcel> try_receive(std::string_view mailbox);
  /// Nothing will be sent any more. Wakes all that wait.
  void close();

  /// Returns the time of the clock that all processes share.
  [[nodiscard]] SimulatedTime now() const;
  void sleep(SimulatedTime duration);
  /// A random number from 0 up to, not including, `end`, for the process that runs: those of a
  /// process depend on the seed and its name alone.
  [[nodiscard]] std::uint32_t random_below(std::uint32_t end);
  /// Returns one of this many alternatives, counted from 0, for the running process. Its random
  /// numbers decide, unless there is a chooser or an exploration.
  [[nodiscard]] std::uint32_t choose(std::uint32_t alternatives);
  /// Returns the name of the running process.
  [[nodiscard]] std::string_view self() const;

 private:
  friend PortableRandom& random_of(SimulatedNetwork& network);
  class Simulation;
  std::unique_ptr<Simulation> simulation_;
};
static_assert(Network<SimulatedNetwork>);

/// A program that can be run several times.
struct SimulatedProgram {
  /// Spawns the processes, once per execution. It must also create what they share.
  std::function<void(SimulatedNetwork&)> set_up;
  /// Called after an execution that did not fail. Returns why it is wrong, or nothing.
  std::function<std::optional<std::string>(const SimulationOutcome&)> verdict = {};
};

struct SimulatedExplorationOptions {
  SimulationOptions simulation = {};  ///< no chooser; rates only say which faults are possible
  std::uint32_t empty_polls = 1;      ///< how many polls in a row may find nothing, per process
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();  ///< at most
  NamedGuide first = {};               ///< the first execution follows it
  std::function<bool()> is_over = {};  ///< called between executions; true ends the exploration
  Progress progress = {};
};

/// What an exploration found.
struct SimulatedExploration {
  std::uint64_t executions = 0;
  bool complete = false;  ///< there are no others
  std::vector<FailedExecution> failures = {};
};

/// Runs a program once for each execution that differs in a choice of some process: which message
/// it takes, whether it finds one, what it chooses. Durations do not matter: a message may come
/// later than anything else. If a process throws, the others continue. It is an error if two
/// processes read one mailbox, or if what a process does depends on more than its choices.
[[nodiscard]] Expected<SimulatedExploration> explore(
    const SimulatedProgram& program, const SimulatedExplorationOptions& options = {});

/// One execution.
struct GuidedExecution {
  SimulationOutcome outcome;
  std::optional<std::string> why = {};  ///< why it failed
  NamedGuide guide = {};                ///< all choices that were made
  bool followed = false;                ///< whether it followed the guide
};

/// Runs a program once as a guide says. Other choices are made as in the first of all executions.
[[nodiscard]] Expected<GuidedExecution> run_guided(const SimulatedProgram& program,
                                                   const NamedGuide& guide,
                                                   const SimulatedExplorationOptions& options = {});

/// Finds few choices of a failing execution that make the program fail in the same way, with all
/// other choices being the first alternative. Without any one of them it does not fail.
[[nodiscard]] Expected<ShrunkFailure> shrink(const SimulatedProgram& program,
                                             const NamedGuide& guide,
                                             const SimulatedExplorationOptions& options = {});

/// Runs a program as `lightcone record`, `replay` or `explore` says, or once without them. Prints
/// failures. Returns the exit status, which `main` should return.
[[nodiscard]] int run_simulated(const SimulatedProgram& program, SimulationOptions options = {});

}  // namespace lightcone
