// In a replay: how each rank of a host sends, in memory that all of them see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lightcone::mpi {

/// Says of each rank of this host what others may do with its messages before they are received.
class Standings {
 public:
  /// Of so many ranks; in a folder that is new for each replay. Nothing where memory cannot be
  /// shared.
  [[nodiscard]] static std::optional<Standings> open(const std::string& folder, int rank,
                                                     int ranks);
  Standings(Standings&& other) noexcept;
  Standings& operator=(Standings&&) = delete;
  ~Standings();

  /// From now on, this rank sends messages whose sends are over when they are received.
  void sends_synchronously();
  /// A call of this rank begins or ends in which the MPI sends messages of its own, which a
  /// receive of the program could take.
  void sends_unseen(bool begins);

  /// What may be done with a message before its receive.
  enum class Early : std::uint8_t {
    nothing,
    match,   ///< its handle may be taken: the sender does not notice
    receive  ///< it may be received: no call of the sender waits for that
  };
  /// For a message of this rank that has come.
  [[nodiscard]] Early early(int from) const;
  /// Returns whether a rank is on this host.
  [[nodiscard]] bool knows(int rank) const { return find(rank) != nullptr; }

 private:
  struct Slot;
  Standings(Slot* slots, int rank, int ranks) : slots_(slots), rank_(rank), ranks_(ranks) {}
  [[nodiscard]] const Slot* find(int rank) const;

  Slot* slots_;
  int rank_, ranks_;
};

}  // namespace lightcone::mpi
