// Checks that need one timestamp only.
#include <lightcone/lattice/monitor/arrived_timestamps.h>

#include <lightcone/causal/order/vector_code.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {

LIGHTCONE_VECTOR_CODE
std::uint32_t entries_above(const Rank* a, const Rank* b, std::size_t count) {
  std::uint32_t above = 0;
  for (std::size_t i = 0; i < count; ++i) above += a[i] > b[i] ? 1 : 0;
  return above;
}

bool know_the_same(std::span<const Rank> a, std::span<const Rank> b, std::uint32_t process) {
  return std::equal(a.begin(), a.begin() + process, b.begin()) &&
         std::equal(a.begin() + process + 1, a.end(), b.begin() + process + 1);
}

ArrivedTimestamps::ArrivedTimestamps(std::uint32_t processes)
    : last_(std::size_t{processes} * processes, 0),
      known_of_(processes, 0),
      most_(processes, none) {}

Expected<void> ArrivedTimestamps::check_open(std::uint32_t process) const {
  if (process >= processes()) {
    return failure(fmt::format("process {} of {} processes", process, processes()));
  }
  if (has_ended(process)) return failure(fmt::format("process {} has ended", process));
  return {};
}

/// Returns whether the last event of another process is in the past of this one, and this one in
/// its past.
bool ArrivedTimestamps::closes_cycle(std::uint32_t process, std::span<const Rank> timestamp) const {
  if (known_of_[process] < timestamp[process]) return false;
  for (std::uint32_t q = 0; q < timestamp.size(); ++q) {
    if (q == process || timestamp[q] < arrived(q)) continue;
    if (last(q)[process] >= timestamp[process]) return true;
  }
  return false;
}

Expected<void> ArrivedTimestamps::check(std::uint32_t process,
                                        std::span<const Rank> timestamp) const {
  const std::uint64_t own = std::uint64_t{arrived(process)} + 1;
  const auto refused = [&](const char* why) {
    return failure(fmt::format("the timestamp of event {} of process {} {}", own, process, why));
  };
  if (timestamp.size() > processes()) return refused("has more entries than there are processes");
  if (process >= timestamp.size() || timestamp[process] != own) {
    return refused("must count exactly the events of that process");
  }
  const std::span<const Rank> before = last(process);
  const std::size_t size = timestamp.size();
  if (entries_above(before.data(), timestamp.data(), size) > 0 ||
      std::any_of(before.begin() + static_cast<std::ptrdiff_t>(size), before.end(),
                  [](Rank entry) { return entry > 0; })) {
    return refused("knows less than that of the event before");
  }
  if (entries_above(timestamp.data(), most_.data(), size) > 0) {
    return refused("knows of more events than a process has that has ended");
  }
  if (size_of(timestamp) >= none) return refused("counts more events than there can be");
  if (closes_cycle(process, timestamp)) return refused("knows of an event that knows of this one");
  return {};
}

Expected<void> ArrivedTimestamps::arrive(std::uint32_t process, std::span<const Rank> timestamp) {
  if (auto open = check_open(process); !open) return open;
  if (auto possible = check(process, timestamp); !possible) return possible;
  Rank* row = last_.data() + std::size_t{process} * processes();
  for (std::size_t q = 0; q < timestamp.size(); ++q) {
    row[q] = timestamp[q];
    known_of_[q] = std::max(known_of_[q], timestamp[q]);
  }
  return {};
}

Expected<void> ArrivedTimestamps::end(std::uint32_t process) {
  if (auto open = check_open(process); !open) return open;
  if (known_of_[process] > arrived(process)) {
    return failure(fmt::format("process {} cannot have ended after event {}: there are {}", process,
                               arrived(process), known_of_[process]));
  }
  most_[process] = arrived(process);
  return {};
}

}  // namespace lightcone
