// The processes that a process has heard of, and what each is known to know.
#pragma once

#include <lightcone/error.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Numbers processes for one of them. Members, which all processes know in the same order, have the
/// same number everywhere; others come as they are heard of, and are known by a hash of their name.
/// There is room for so many others. Those that are known only by hash, because someone spoke of
/// them, can be forgotten; those that have a name have sent or been sent a message, and stay.
class Peers {
 public:
  static constexpr std::uint32_t most = 1 << 16;
  static constexpr std::uint32_t nobody = UINT32_MAX;

  explicit Peers(std::vector<std::string> members, std::uint32_t most_others = most);

  /// One beyond the greatest number.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
  [[nodiscard]] std::uint32_t member_count() const { return members_; }
  [[nodiscard]] bool is_member(std::uint32_t peer) const { return peer < members_; }
  /// Its name; `#` and its hash as long as only that is known.
  [[nodiscard]] const std::string& name(std::uint32_t peer) const { return names_[peer]; }
  [[nodiscard]] bool is_named(std::uint32_t peer) const { return brought_by_[peer] == nobody; }
  [[nodiscard]] std::uint64_t hash(std::uint32_t peer) const { return hashes_[peer]; }
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t hash) const;
  /// The process of this name, which is added if it is new. Fails when there is no room.
  [[nodiscard]] Expected<std::uint32_t> find_or_add(std::string_view name);
  /// The same for a hash that a peer spoke of.
  [[nodiscard]] Expected<std::uint32_t> find_or_add(std::uint64_t hash, std::uint32_t brought_by);
  [[nodiscard]] static std::uint64_t hash_of(std::string_view name);

  /// The latest incarnation that has been heard of of a process that is to receive a message,
  /// which is added if it is new; or the very one, if its number is said.
  [[nodiscard]] Expected<std::uint32_t> find_or_add_latest(std::string_view name);
  /// A process has shown that it is there: an earlier incarnation of it is not meant any more.
  void heard_from(std::uint32_t peer);

  /// What is added from here on is added on trial, until `begin_trial` is called again.
  void begin_trial();
  /// Takes back what was added on trial.
  void undo_trial();

  /// Returns whether something could not be added for want of room since the last trial began.
  [[nodiscard]] bool lacks_room() const { return lacks_room_; }
  /// Makes room by forgetting those known only by hash that one peer spoke of, the one that spoke
  /// of most. Returns their numbers, which may be given to others; none, if there are none, or if
  /// the room is wanted for more of the same peer.
  [[nodiscard]] std::vector<std::uint32_t> make_room();

 private:
  /// The latest known incarnation of a process, if it is not the first.
  struct Latest {
    std::uint32_t number = 1, peer = 0;
    std::uint64_t next = 0;  ///< the hash of the one after it
  };
  void make_latest(std::string_view name, std::uint32_t number, std::uint32_t peer);
  [[nodiscard]] Expected<std::uint32_t> add(std::uint64_t hash, std::uint32_t brought_by);
  void remove(std::uint32_t peer);

  std::vector<std::string> names_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> brought_by_;  // the peer that mentioned it; none if it has a name
  std::uint32_t members_, most_others_;
  tsl::robin_map<std::uint64_t, std::uint32_t> by_hash_;
  tsl::robin_map<std::uint64_t, Latest> latest_;  // by the hash of the name alone
  std::vector<std::uint32_t> free_;               // unused numbers
  std::vector<std::uint32_t> added_on_trial_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      named_on_trial_;  // process, and the peer that mentioned it
  bool lacks_room_ = false;
  std::uint32_t room_for_ = nobody;  // who spoke of what could not be added
};

/// What each peer is known to hold of a vector whose entries only grow: an entry that a peer holds
/// already need not be sent to it (Anceaume, Hélary and Raynal's rule, which needs no FIFO order).
/// Their matrix of bits says "holds as much as I"; here the value itself is kept, so that nothing
/// has to be cleared when an entry grows. What members hold of members is a matrix. All else is
/// sparse and bounded: where it is forgotten, entries are sent that need not be.
class Knowledge {
 public:
  /// The most values that are kept beside the matrix; about 32 bytes each.
  static constexpr std::size_t most_sparse = 1 << 17;

  explicit Knowledge(std::uint32_t members = 0) : members_(members) {}

  /// The peer has shown that it holds this much of an entry.
  void learn(std::uint32_t peer, std::uint32_t entry, std::uint32_t value);
  [[nodiscard]] std::uint32_t of(std::uint32_t peer, std::uint32_t entry) const;
  /// The entry is another process's from now on.
  void forget(const std::vector<bool>& entries);

 private:
  [[nodiscard]] bool is_dense(std::uint32_t peer, std::uint32_t entry) const {
    return peer < members_ && entry < members_;
  }
  [[nodiscard]] static std::uint64_t key(std::uint32_t peer, std::uint32_t entry) {
    return std::uint64_t{peer} << 32 | entry;
  }

  std::uint32_t members_;
  std::vector<std::vector<std::uint32_t>> rows_;
  tsl::robin_map<std::uint64_t, std::uint32_t> sparse_;  // by peer and entry
};

}  // namespace lightcone
