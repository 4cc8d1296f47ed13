// Says which process waits for which when none can continue.
#pragma once

#include <span>
#include <string>

namespace lightcone {

/// A process that waits for a message that will never be sent.
struct StuckProcess {
  std::string name;
  std::string in = {};      ///< what it waits in, in words; empty if it did not say
  std::string sender = {};  ///< the sender of the message; empty if it could be one of several
};

/// A sentence about the deadlock of some processes, with the circles in which they wait for each
/// other.
[[nodiscard]] std::string deadlock_text(std::span<const StuckProcess> stuck);

}  // namespace lightcone
