// Snapshots of a whole program: its parts, how they are put together while the program runs, and
// what stays true once a snapshot shows it.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lightcone {

/// The snapshots from `first` to `last`, counted from 1; none if `last` is smaller.
struct SnapshotRange {
  /// As `last`: this snapshot and all that will ever follow.
  static constexpr std::uint64_t for_ever = UINT64_MAX;
  /// The greatest number that a snapshot may have.
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  std::uint64_t first = 1, last = 0;

  [[nodiscard]] bool empty() const { return last < first; }
  /// Returns whether these are snapshots, at least one, and not forever.
  [[nodiscard]] bool is_proper() const { return 0 < first && first <= last && last <= most; }
  [[nodiscard]] bool contains(std::uint64_t snapshot) const {
    return first <= snapshot && snapshot <= last;
  }
  friend bool operator==(const SnapshotRange&, const SnapshotRange&) = default;
};

/// How many messages, by the name of a peer. Peers without messages are left out.
using MessageCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// The state of a process, in one snapshot or several.
struct LocalPart {
  std::string process;
  SnapshotRange snapshots;  ///< forever: the process has ended
  std::string state;        ///< whatever the program makes of it
  MessageCounts sent, received;

  /// About how much memory it takes.
  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const LocalPart&, const LocalPart&) = default;
};

/// A message that is in transit in one snapshot or several.
struct InTransitPart {
  std::string receiver;
  SnapshotRange snapshots;
  std::string sender;
  std::uint64_t number = 0;  ///< among its sender's
  std::string contents;

  /// About how much memory it takes.
  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const InTransitPart&, const InTransitPart&) = default;
};

using SnapshotPart = std::variant<LocalPart, InTransitPart>;

/// The states of all processes and the messages in transit between them, at one consistent cut.
/// It is complete when every process that it has heard of has given its state, and each channel
/// holds as many messages as its sender has sent and its receiver has not taken (SnapshotRider has
/// the theorem). Parts may arrive in any order. A part that arrives twice has no effect.
class GlobalSnapshot {
 public:
  using Messages = std::map<std::uint64_t, std::shared_ptr<const InTransitPart>>;  ///< by number
  /// What is known about the messages from one process to another.
  struct Channel {
    std::uint64_t sent = 0, received = 0;  ///< 0 as long as it is not known
    Messages in_transit = {};              ///< those whose contents are known
    /// Returns whether messages are in transit. The states of both processes must be known.
    [[nodiscard]] bool is_empty() const { return sent == received; }
  };
  /// By the names of sender and receiver.
  using Channels = std::map<std::pair<std::string, std::string>, Channel>;
  using States = std::map<std::string, std::shared_ptr<const LocalPart>, std::less<>>;

  /// The processes that belong to it even if nothing is sent to them.
  GlobalSnapshot(std::uint64_t number, std::span<const std::string> processes);

  /// Adds a part. It is refused, without effect, if it contradicts other parts.
  [[nodiscard]] Expected<void> add(const std::shared_ptr<const LocalPart>& part);
  [[nodiscard]] Expected<void> add(const std::shared_ptr<const InTransitPart>& part);

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] bool complete() const { return missing_states_ == 0 && open_channels_ == 0; }
  /// Returns whether the states of all processes are known. From there on it is also known how many
  /// messages are in transit, even if they are never taken.
  [[nodiscard]] bool has_all_states() const { return missing_states_ == 0; }
  /// By the name of the process; null if the state is missing.
  [[nodiscard]] const States& states() const { return states_; }
  /// Those that were ever used, and perhaps others.
  [[nodiscard]] const Channels& channels() const { return channels_; }
  /// The messages in transit from one process to another, in the order in which they were sent.
  [[nodiscard]] const Messages& in_transit(std::string_view sender,
                                           std::string_view receiver) const;
  /// Returns whether no message is in transit from one process to another, if all states are known.
  [[nodiscard]] bool is_empty(std::string_view sender, std::string_view receiver) const;
  /// About how much memory it takes.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] Expected<void> check(const LocalPart& part) const;
  [[nodiscard]] tl::unexpected<Error> contradiction(std::string_view process,
                                                    std::string_view why) const;
  std::shared_ptr<const LocalPart>& mention(const std::string& process);
  template <class Change>
  void change(const std::string& sender, const std::string& receiver, const Change& how);

  std::uint64_t number_;
  States states_;
  Channels channels_;
  std::uint64_t missing_states_ = 0, open_channels_ = 0, bytes_ = 0;
};

struct CollectorOptions {
  /// The processes that belong to every snapshot. Others belong to it if a part mentions them.
  std::vector<std::string> processes = {};
  /// Called with each snapshot as soon as it is complete; must not add parts itself.
  std::function<void(GlobalSnapshot)> on_complete = {};
  /// How many snapshots may be open at the same time. Older ones are given up.
  std::uint64_t window = 64;
  /// About how much memory they may take. If it is more, the oldest is given up.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

/// Takes the parts of all processes in any order, of several snapshots at a time. It forgets
/// snapshots that are complete or given up, and ignores further parts of them.
class SnapshotCollector {
 public:
  explicit SnapshotCollector(CollectorOptions options);

  /// Adds a part to the snapshots it belongs to. It is refused if it contradicts other parts.
  [[nodiscard]] Expected<void> add(SnapshotPart part);
  /// The same for bytes that anyone may have sent.
  [[nodiscard]] Expected<void> add_bytes(std::string_view bytes);

  /// The snapshots that parts have come of and that are not complete.
  [[nodiscard]] std::vector<const GlobalSnapshot*> open() const;
  [[nodiscard]] std::uint64_t completed() const { return completed_; }
  [[nodiscard]] std::uint64_t given_up() const { return given_up_; }

 private:
  using Open = std::map<std::uint64_t, std::optional<GlobalSnapshot>>;

  template <class Part>
  [[nodiscard]] Expected<void> add_to_all(const std::shared_ptr<const Part>& part);
  [[nodiscard]] Expected<void> remember_end(const std::shared_ptr<const LocalPart>& part);
  void advance(std::uint64_t newest);
  [[nodiscard]] std::optional<GlobalSnapshot>& find_or_open(std::uint64_t number);
  void give_up(std::optional<GlobalSnapshot>& snapshot);
  void free_memory();

  CollectorOptions options_;
  Open open_;  // nothing: complete or given up
  std::map<std::string, std::shared_ptr<const LocalPart>> ended_;
  std::uint64_t newest_ = 0, bytes_ = 0, ended_bytes_ = 0, completed_ = 0, given_up_ = 0;
};

/// Whether a process, in this state, does nothing until it takes a message.
using IsPassive = std::function<bool(std::string_view process, std::string_view state)>;

/// Returns whether all processes are passive and no message is in transit, in a snapshot that has
/// all states. If so, nothing happens after the snapshot: the first to become active would take a
/// message that was in transit, or sent by someone who became active before. And if nothing happens
/// any more, every snapshot begun from then on says so.
[[nodiscard]] bool is_terminated(const GlobalSnapshot& snapshot, const IsPassive& passive);

/// What a process waits for. It may take other messages meanwhile, as long as it goes on waiting
/// and sends nothing.
struct Awaited {
  enum class For : std::uint8_t {
    nothing,  ///< it does not wait
    any,      ///< a message from any one of the senders (OR); without senders it waits forever
    all,      ///< a message from each of the senders (AND) that have not sent one yet
    no_one,   ///< it has ended, and will not send; processes that wait for it are in a deadlock
    idle,     ///< a message from any process; it needs none, so it is never said to be deadlocked
  };
  For what = For::nothing;
  std::vector<std::string> senders = {};
};
using WaitsFor = std::function<Awaited(std::string_view process, std::string_view state)>;

/// Returns the processes that wait forever in a snapshot that has all states, sorted by name. A
/// sender is silent if it is in this set or has ended, and no message from it is in transit. The
/// set is the greatest one in which every sender that a member waits for is silent (any), or at
/// least one of them is (all). Cycles of `all` and knots of `any` are such sets, with those that
/// wait for them. Who is idle waits for all processes of the snapshot as `any` does, and is left
/// out of the result.
///
/// No member continues after the snapshot: the first one to do so would take a message that was not
/// in transit, from a member that had continued before. All other processes may continue, if those
/// that do not wait may send anything to any process.
[[nodiscard]] std::vector<std::string> deadlocked(const GlobalSnapshot& snapshot,
                                                  const WaitsFor& waits_for);

}  // namespace lightcone
