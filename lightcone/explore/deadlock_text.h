// Says who waits for whom when no one can go on.
#pragma once

#include <span>
#include <string>

namespace lightcone {

/// A process that waits for a message which no one will send.
struct StuckProcess {
  std::string name;
  std::string in = {};      ///< what it waits in, in words; empty if it did not say
  std::string sender = {};  ///< from whom the message would have to be; empty: from several
};

/// A sentence about the deadlock of some processes, with the circles in which they wait for each
/// other.
[[nodiscard]] std::string deadlock_text(std::span<const StuckProcess> stuck);

}  // namespace lightcone
