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

}  // namespace lightcone
