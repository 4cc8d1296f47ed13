// What a monitor knows about each process. It refuses timestamps that are impossible.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/lattice/order/cut.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Returns how many entries of `a` are greater than those of `b`; both have so many.
[[nodiscard]] std::uint32_t entries_above(const Rank* a, const Rank* b, std::size_t count);

/// Returns whether two timestamps of one process, of the same length, know the same of all others.
[[nodiscard]] bool know_the_same(std::span<const Rank> a, std::span<const Rank> b,
                                 std::uint32_t process);

/// The last timestamp of each process: 4 bytes per pair of processes. Timestamps count relevant
/// events and come in the order of each process; an entry that is not there is 0.
class ArrivedTimestamps {
 public:
  explicit ArrivedTimestamps(std::uint32_t processes);

  /// The next event of a process. Refused, without effect, if its timestamp is not one more event
  /// of its process, knows less than the one before, or speaks of events that cannot be.
  [[nodiscard]] Expected<void> arrive(std::uint32_t process, std::span<const Rank> timestamp);
  /// The process has no further events. Refused if another has known of more.
  [[nodiscard]] Expected<void> end(std::uint32_t process);

  [[nodiscard]] std::uint32_t processes() const {
    return static_cast<std::uint32_t>(known_of_.size());
  }
  [[nodiscard]] bool has_ended(std::uint32_t process) const { return most_[process] != none; }
  /// The number of events of a process that have arrived.
  [[nodiscard]] Rank arrived(std::uint32_t process) const { return last(process)[process]; }
  /// The timestamp of the last of them, in full length; zeros if there is none.
  [[nodiscard]] std::span<const Rank> last(std::uint32_t process) const {
    return {last_.data() + std::size_t{process} * processes(), processes()};
  }

 private:
  [[nodiscard]] Expected<void> check_open(std::uint32_t process) const;
  [[nodiscard]] Expected<void> check(std::uint32_t process, std::span<const Rank> timestamp) const;
  [[nodiscard]] bool closes_cycle(std::uint32_t process, std::span<const Rank> timestamp) const;

  std::vector<Rank> last_;  // a row for each process
  Cut known_of_;            // the most events of each process that any timestamp has counted
  Cut most_;                // how many events each process can have: none, until it has ended
};

}  // namespace lightcone
