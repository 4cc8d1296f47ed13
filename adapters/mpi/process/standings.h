// In a replay: what each rank of a host waits for, in memory that all of them see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lightcone::mpi {

/// Says of each rank of this host how it stands. A sender that is far ahead of its receiver asks
/// whether it helps anyone to wait. What is said of this may be out of date when it is read: it
/// decides how fast a replay is, and never what happens in it. A receiver asks what it may do with
/// a message that came early.
class Standings {
 public:
  /// What a rank waits for, if it is not the number of another rank in the world.
  static constexpr int nothing = -1, something = -2;

  /// Of so many ranks; in a folder that is new for each replay. Nothing where memory cannot be
  /// shared.
  [[nodiscard]] static std::optional<Standings> open(const std::string& folder, int rank,
                                                     int ranks);
  Standings(Standings&& other) noexcept;
  Standings& operator=(Standings&&) = delete;
  ~Standings();

  /// This rank begins a receive; `is_free`: the program would have taken a message of any source,
  /// with this tag, or with any if the tag is negative.
  void asks(bool is_free, int tag);
  /// This rank has received a message.
  void moved();
  void waits_for(int what);
  /// From now on, this rank sends messages whose sends are over when they are received.
  void sends_synchronously();
  /// A call of this rank begins or ends in which the MPI sends messages of its own, which a
  /// receive of the program could take.
  void sends_unseen(bool begins);

  enum class Advice : std::uint8_t {
    go,    ///< the receiver may wait for this very sender, or its order is the program's own
    hold,  ///< the receiver waits for another, whose message was there first when it was recorded
    watch  ///< it takes messages of others, or did: hold as long as it does
  };
  /// For this rank, which is about to send a message with this tag and is far ahead.
  [[nodiscard]] Advice advice(int to, int tag) const;
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
  /// Returns how many messages a rank has received. 0 for one of another host.
  [[nodiscard]] std::uint64_t moves(int rank) const;

 private:
  struct Slot;
  Standings(Slot* slots, int rank, int ranks) : slots_(slots), rank_(rank), ranks_(ranks) {}
  [[nodiscard]] const Slot* find(int rank) const;

  Slot* slots_;
  int rank_, ranks_;
};

}  // namespace lightcone::mpi
