// Counts messages by sender and receiver.
#include <lightcone/view/process_traffic.h>

#include <tsl/robin_map.h>

#include <algorithm>
#include <tuple>

namespace lightcone {

std::vector<ProcessTraffic> process_traffic(const Computation& computation) {
  tsl::robin_map<std::uint64_t, std::uint64_t> counts;  // by sender and receiver
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    for (const MessageIndex m : computation.takes(e)) {
      const std::uint64_t from = computation.process_of(computation.sent_by(m));
      ++counts[from << 32 | computation.process_of(e)];
    }
  }
  std::vector<ProcessTraffic> traffic;
  for (const auto& [pair, count] : counts) {
    traffic.push_back(
        {static_cast<ProcessIndex>(pair >> 32), static_cast<ProcessIndex>(pair), count});
  }
  std::sort(traffic.begin(), traffic.end(), [](const auto& a, const auto& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  return traffic;
}

}  // namespace lightcone
