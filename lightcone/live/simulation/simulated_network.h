// A network inside one program, where time, delays and faults are simulated: the same seed gives
// the same execution, on every machine.
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
  SimulatedTime delay = std::chrono::milliseconds(1);  ///< mean, of parcels
  Spread spread = Spread::exponential;                 ///< how delays lie around their mean
  SimulatedTime poll = std::chrono::microseconds(1);   ///< what a poll that finds nothing takes
  double loss_rate = 0;       ///< of the parcels: the share that never arrives
  double duplicate_rate = 0;  ///< of the parcels: the share that arrives twice
  std::vector<Crash> crashes = {};
  std::uint64_t action_limit = 1'000'000;  ///< of all processes together
  std::size_t stack_size = 256 * 1024;     ///< bytes, of each process
  Chooser* chooser = nullptr;              ///< decides instead of delays and rates
  std::optional<RunOrders> run = {};       ///< how processes run, not by the environment
  Explorer* explorer = nullptr;            ///< goes through all executions; instead of a chooser
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
  /// A process that waits for ever is detected, so no time limit is needed.
  static constexpr bool finds_deadlocks = true;

  /// Rates lie between 0 and 1, their sum too.
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
  /// Random numbers of the process that runs: they depend on the seed and its name alone.
  [[nodiscard]] PortableRandom& random();
  /// One of so many alternatives, counted from 0, for the process that runs: drawn from its random
  /// numbers, unless someone decides.
  [[nodiscard]] std::uint32_t choose(std::uint32_t alternatives);
  /// The name of the process that runs.
  [[nodiscard]] std::string_view self() const;

 private:
  class Simulation;
  std::unique_ptr<Simulation> simulation_;
};
static_assert(Network<SimulatedNetwork>);

}  // namespace lightcone
