// Who talks to whom, and how much.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// How many messages of one process another one received.
struct ProcessTraffic {
  ProcessIndex from = 0, to = 0;
  std::uint64_t messages = 0;
  friend bool operator==(const ProcessTraffic&, const ProcessTraffic&) = default;
};

/// All pairs of processes with messages, by sender, then by receiver.
[[nodiscard]] std::vector<ProcessTraffic> process_traffic(const Computation& computation);

}  // namespace lightcone
