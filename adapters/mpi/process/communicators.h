// Communicators by names that are the same in every run, and what is counted on each.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
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

/// The handle of a key.
template <class Handle>
[[nodiscard]] Handle handle_of_key(std::uint64_t key) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(key));
  } else {
    return static_cast<Handle>(key);
  }
}

/// One communicator as one of its processes sees it. It outlives its handle.
class Communicator {
 public:
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
  /// What the names of messages begin with that go to a rank, or come from a channel:
  /// `FROM>TO/TAG@COMMUNICATOR:`. These live as long as the communicator.
  [[nodiscard]] const std::string& to(int rank, int tag) { return keep(to_, {rank, tag}); }
  [[nodiscard]] const std::string& from(const Channel& channel) { return keep(from_, channel); }
  /// The same, until the next is spelled.
  [[nodiscard]] const std::string& spell_to(int rank, int tag) { return spell(to_, {rank, tag}); }
  [[nodiscard]] const std::string& spell_from(const Channel& channel) {
    return spell(from_, channel);
  }
  /// The names of what members give to collective operations, by their ranks in the world.
  [[nodiscard]] const std::string& gift_of(int world_rank);

  ChannelCounts sent;  ///< messages, by their receivers and tags
  PostedReceives posted;
  std::uint64_t collectives = 0;  ///< that were begun
  std::string_view failed = {};   ///< the last of them, if this process took no part in it
  std::uint64_t creations = 0;    ///< of communicators out of this one

 private:
  /// The prefixes of one direction.
  struct Prefixes {
    struct Spelled {
      bool is_there = false;
      std::uint64_t key = 0;
      std::string text = {};
      std::size_t head = 0;  ///< how much of it stands before the tag
    };
    bool outward = false;
    tsl::robin_map<std::uint64_t, std::unique_ptr<const std::string>, KeyHash> kept = {};
    std::array<Spelled, 8> spelled = {};  // by the lowest bits of the rank
  };
  [[nodiscard]] const std::string& keep(Prefixes& prefixes, const Channel& channel);
  [[nodiscard]] const std::string& spell(Prefixes& prefixes, const Channel& channel) {
    const std::uint64_t key = channel.key();
    const auto place = static_cast<std::uint32_t>(channel.source) % prefixes.spelled.size();
    Prefixes::Spelled& last = prefixes.spelled[place];
    if (!last.is_there || last.key != key) spell(prefixes, channel, last);
    return last.text;
  }
  void spell(const Prefixes& prefixes, const Channel& channel, Prefixes::Spelled& spelled) const;

  std::string name_, suffix_;  // the suffix is for names of messages
  CommunicatorFacts facts_;
  int self_;  // in the world
  Prefixes to_{.outward = true}, from_;
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
  [[nodiscard]] Communicator* find(MPI_Comm handle) {
    const std::uint64_t key = key_of(handle);
    return last_ != nullptr && last_key_ == key ? last_ : look_up(handle, key);
  }
  /// The handle of one that the program has not given up; else MPI_COMM_SELF.
  [[nodiscard]] MPI_Comm handle_of(const Communicator& communicator) const;
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
  [[nodiscard]] Communicator* look_up(MPI_Comm handle, std::uint64_t key);
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
