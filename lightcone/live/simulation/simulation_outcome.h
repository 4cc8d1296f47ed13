// How a simulated execution ended.
#pragma once

#include <lightcone/live/simulation/chooser.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// How a simulated execution ended, and what happened in it.
struct SimulationOutcome {
  enum class End : std::uint8_t {
    finished,  ///< every process returned or crashed
    deadlock,  ///< some wait for parcels that will not come
    failed,    ///< a process threw an exception; the others were stopped
    limit,     ///< the limit of actions was hit
    stopped,   ///< the chooser ended it
  };
  /// A process that waits for ever.
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

}  // namespace lightcone
