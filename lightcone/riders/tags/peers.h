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

/// How much room there is for processes that are no members.
struct PeerRoom {
  std::uint32_t most = 1 << 16;           ///< how many
  std::size_t most_bytes = SIZE_MAX;      ///< of all together
  std::size_t most_spoken_of = SIZE_MAX;  ///< bytes of those that one peer spoke of
  std::size_t bytes = 0;                  ///< what each takes
  std::size_t named_bytes = 0;            ///< what one with a name takes beyond that and its name
};

/// Numbers processes for one of them. Members, which all processes know in the same order, have the
/// same number everywhere; others come as they are heard of, and are known by a hash of their name.
/// There is bounded room for others. Those that are known only by hash, because someone spoke of
/// them, can be forgotten; those that have a name have sent or been sent a message, and stay.
class Peers {
 public:
  static constexpr std::uint32_t most = 1 << 16;
  static constexpr std::uint32_t nobody = UINT32_MAX;

  explicit Peers(std::vector<std::string> members, const PeerRoom& room = {});
  /// The same, from now on.
  void set_room(const PeerRoom& room) { room_ = room; }
  [[nodiscard]] const PeerRoom& room() const { return room_; }

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
  /// Returns what that gave the last time, if the name is the same and nothing has changed since;
  /// else `nobody`.
  [[nodiscard]] std::uint32_t last_receiver(std::string_view name) const {
    return name == last_receiver_ ? last_receiver_peer_ : nobody;
  }
  /// A process has shown that it is there: an earlier incarnation of it is not meant any more.
  void heard_from(std::uint32_t peer) {
    if (!is_member(peer)) heard_from_other(peer);
  }

  /// What is added from here on is added on trial, until `begin_trial` is called again.
  void begin_trial() {
    added_on_trial_.clear();
    named_on_trial_.clear();
    lacks_room_ = false;
  }
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
  void heard_from_other(std::uint32_t peer);
  void make_latest(std::string_view name, std::uint32_t number, std::uint32_t peer);
  [[nodiscard]] Expected<std::uint32_t> find_or_add_latest_by_hash(std::string_view name);
  [[nodiscard]] Expected<std::uint32_t> add(std::uint64_t hash, std::uint32_t brought_by,
                                            std::size_t bytes);
  void remove(std::uint32_t peer);
  void give_name(std::uint32_t peer, std::string_view name);
  [[nodiscard]] std::uint32_t other_count() const;
  /// What a process takes that has a name of this length.
  [[nodiscard]] std::size_t bytes_with_name(std::size_t length) const;
  /// Of all others; and of those that a peer spoke of.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t bytes_spoken_of(std::uint32_t by) const;
  [[nodiscard]] tl::unexpected<Error> no_room(std::uint32_t wanted_by, const std::string& what);
  [[nodiscard]] static tl::unexpected<Error> too_many(const std::string& what);
  /// Sets who spoke of a process; nobody: it has its name.
  void set_brought_by(std::uint32_t peer, std::uint32_t by);

  std::vector<std::string> names_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> brought_by_;  // who spoke of it; nobody: it has a name
  std::vector<std::uint32_t> brought_;     // of how many each spoke, as far as any did
  std::uint32_t members_, named_ = 0;      // others with a name
  std::size_t name_bytes_ = 0;             // of these
  PeerRoom room_;
  tsl::robin_map<std::uint64_t, std::uint32_t> by_hash_;
  tsl::robin_map<std::uint64_t, Latest> latest_;  // by the hash of the name alone
  std::vector<std::uint32_t> free_;               // unused numbers
  std::vector<std::uint32_t> added_on_trial_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      named_on_trial_;  // process, and the peer that mentioned it
  // The receiver asked for last, which holds until something changes above.
  std::string last_receiver_;
  std::uint32_t last_receiver_peer_ = nobody;
  bool lacks_room_ = false;
  std::uint32_t room_for_ = nobody;  // who spoke of what could not be added
};

/// What each peer is known to hold of a vector whose entries only grow: an entry that a peer holds
/// already need not be sent to it (Anceaume, Hélary and Raynal's rule, which needs no FIFO order).
/// Their matrix of bits says "holds as much as I"; here the value itself is kept, so that nothing
/// has to be cleared when an entry grows. What members hold of members is a matrix. All else is in
/// sparse rows, with a bound in bytes for each and for all: a row that is too long is forgotten,
/// and the long ones where all together are. Then entries are sent that need not be.
class Knowledge {
 public:
  /// What all sparse rows may take, if nothing is said; one may take a quarter.
  static constexpr std::size_t usual_bytes = std::size_t{1} << 22;
  /// About what a value in a row takes, and a row beside its values.
  static constexpr std::size_t value_bytes = 48, row_bytes = 320;

  explicit Knowledge(std::uint32_t members = 0, std::size_t most_bytes = usual_bytes)
      : members_(members), most_bytes_(most_bytes) {}

  /// The peer has shown that it holds this much of an entry.
  void learn(std::uint32_t peer, std::uint32_t entry, std::uint32_t value);
  [[nodiscard]] std::uint32_t of(std::uint32_t peer, std::uint32_t entry) const;
  /// The entry is another process's from now on.
  void forget(const std::vector<bool>& entries);
  /// About what the sparse rows take.
  [[nodiscard]] std::size_t bytes() const {
    return sparse_.size() * row_bytes + values_ * value_bytes;
  }

 private:
  using Row = tsl::robin_map<std::uint32_t, std::uint32_t>;  // by entry
  [[nodiscard]] bool is_dense(std::uint32_t peer, std::uint32_t entry) const {
    return peer < members_ && entry < members_;
  }
  void learn_sparse(std::uint32_t peer, std::uint32_t entry, std::uint32_t value);
  void forget_long_rows();

  std::uint32_t members_;
  std::size_t most_bytes_;
  std::vector<std::vector<std::uint32_t>> rows_;
  tsl::robin_map<std::uint32_t, Row> sparse_;  // by peer
  std::size_t values_ = 0;                     // in these
};

}  // namespace lightcone
