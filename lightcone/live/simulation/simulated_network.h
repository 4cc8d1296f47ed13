// A network inside one program with simulated time, delays and faults. The same seed gives the same
// execution on every machine.
#pragma once

#include <lightcone/base/random.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/live/network/parcel.h>
#include <lightcone/live/simulation/chooser.h>
#include <lightcone/live/simulation/simulation_outcome.h>
#include <lightcone/run/recording/run_orders.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

class Explorer;

/// A process that crashes instead of performing an action.
struct Crash {
  std::string process;
  std::uint64_t action = 1;  ///< which of its calls of the network, counted from 1
};

struct SimulationOptions {
  std::uint64_t seed = 1;
  bool fifo = false;  ///< parcels from one process to one mailbox do not overtake each other
  SimulatedTime delay = std::chrono::milliseconds(1);  ///< mean delay of parcels
  Spread spread = Spread::exponential;                 ///< the distribution of delays
  SimulatedTime poll = std::chrono::microseconds(1);   ///< duration of a poll that finds nothing
  double loss_rate = 0;                                ///< the share of parcels that never arrive
  double duplicate_rate = 0;                           ///< the share of parcels that arrive twice
  std::vector<Crash> crashes = {};
  std::uint64_t action_limit = 1'000'000;  ///< of all processes together
  std::size_t stack_size = 256 * 1024;     ///< bytes, of each process
  Chooser* chooser = nullptr;              ///< decides instead of delays and rates
  std::optional<RunOrders> run = {};       ///< how processes run, not by the environment
  Explorer* explorer = nullptr;            ///< goes through all executions; instead of a chooser
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
  /// A process that waits for ever is detected, so no time limit is needed.
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
  /// Returns random numbers of the running process. They depend on the seed and its name only.
  [[nodiscard]] PortableRandom& random();
  /// Returns one of this many alternatives, counted from 0, for the running process. Its random
  /// numbers decide, unless there is a chooser or an explorer.
  [[nodiscard]] std::uint32_t choose(std::uint32_t alternatives);
  /// Returns the name of the running process.
  [[nodiscard]] std::string_view self() const;

 private:
  class Simulation;
  std::unique_ptr<Simulation> simulation_;
};
static_assert(Network<SimulatedNetwork>);

}  // namespace lightcone
