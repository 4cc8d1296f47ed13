// Communicators by names that are the same in every run, and what is counted on each.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calls/posted_receives.h"
#include "process/communicator_facts.h"

namespace lightcone::mpi {

/// A handle of either MPI (a pointer or a number) as a key.
template <class Handle>
[[nodiscard]] std::uint64_t key_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

/// One communicator as one of its processes sees it. It outlives its handle.
class Communicator {
 public:
  /// Messages in one direction, with one peer and tag.
  struct Messages {
    std::string prefix;       ///< of their names: `FROM>TO/TAG@COMMUNICATOR:`
    std::uint64_t count = 0;  ///< sent so far
  };

  Communicator(std::string name, CommunicatorFacts facts, int self);
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Their ranks in the world; of the other group, if it is an intercommunicator.
  [[nodiscard]] const std::vector<int>& members() const {
    return facts_.is_inter ? facts_.others : facts_.members;
  }
  [[nodiscard]] bool is_inter() const { return facts_.is_inter; }
  [[nodiscard]] const CommunicatorFacts& facts() const { return facts_; }
  /// Returns whether messages can go to and come from this rank.
  [[nodiscard]] bool has(int rank) const {
    return rank >= 0 && static_cast<std::size_t>(rank) < members().size();
  }
  /// A member by its rank in the communicator; as it is, if there is none.
  [[nodiscard]] int world_rank(int rank) const {
    return has(rank) ? members()[static_cast<std::size_t>(rank)] : rank;
  }
  [[nodiscard]] Messages& to(int rank, int tag) { return find(to_, rank, tag, true); }
  [[nodiscard]] Messages& from(const Channel& channel) {
    return find(from_, channel.source, channel.tag, false);
  }
  /// The names of what members give to collective operations, by their ranks in the world.
  [[nodiscard]] const std::string& gift_of(int world_rank);

  PostedReceives posted;
  std::uint64_t collectives = 0;  ///< that were begun
  std::string_view failed = {};   ///< the last of them, if this process took no part in it
  std::uint64_t creations = 0;    ///< of communicators out of this one

 private:
  struct Table {
    struct Found {
      std::uint64_t key = 0;
      Messages* messages = nullptr;
    };
    std::deque<Messages> messages;  // stay where they are
    tsl::robin_map<std::uint64_t, Messages*, KeyHash> by_key;
    std::array<Found, 8> last;  // by the lowest bits of the rank
  };
  [[nodiscard]] Messages& find(Table& table, int rank, int tag, bool outward);

  std::string name_, suffix_;  // the suffix is for names of messages
  CommunicatorFacts facts_;
  int self_;  // in the world
  Table to_, from_;
  std::map<int, std::string> gifts_;
};

/// The communicators of a process by their handles.
class Communicators {
 public:
  /// Once the MPI is there.
  void begin();
  /// The same for a process that runs alone, and was one of so many.
  void begin_alone(int rank, int size);
  /// Returns nothing for handles that the MPI refuses. Ends the program if the communicator was
  /// made in a way that is not seen here, and its name could be that of another.
  [[nodiscard]] Communicator* find(MPI_Comm handle);
  /// A communicator that all members of another have made together; `several`: they made more than
  /// one at once, such as a split.
  void made(Communicator& parent, MPI_Comm handle, CommunicatorFacts facts, bool several);
  /// One that its own members alone have made.
  void made_by_members(const std::string& how, MPI_Comm handle, CommunicatorFacts facts);
  void add(MPI_Comm handle, std::string name, CommunicatorFacts facts);
  /// What the MPI says of a communicator.
  [[nodiscard]] CommunicatorFacts facts_of(MPI_Comm handle) const {
    return CommunicatorFacts::of(handle, world_);
  }
  void forget(MPI_Comm handle);
  /// The ranks in the world of a group that the MPI knows.
  [[nodiscard]] std::vector<int> world_ranks_of(MPI_Group group) const {
    return world_ranks(group, world_);
  }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

 private:
  [[nodiscard]] Communicator* add_unknown(MPI_Comm handle);

  int rank_ = 0, size_ = 1;
  MPI_Group world_ = MPI_GROUP_NULL;
  std::vector<std::unique_ptr<Communicator>> all_;  // names of messages live on
  tsl::robin_map<std::uint64_t, Communicator*> by_handle_;
  std::uint64_t last_key_ = 0;
  Communicator* last_ = nullptr;  // found
  std::map<std::string, std::uint64_t> made_by_members_;
  std::set<std::string> unknown_;  // names
};

}  // namespace lightcone::mpi
