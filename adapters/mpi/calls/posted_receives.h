// Finds which message of its channel each receive takes, from the order of receives alone.
#pragma once

#include <array>
#include <climits>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <tsl/robin_map.h>

namespace lightcone::mpi {

/// A wildcard, whatever number the MPI has for it.
inline constexpr int any = INT_MIN;

/// Where messages to one process come from, on one communicator; or where its messages go.
struct Channel {
  int source = 0, tag = 0;
  friend bool operator==(const Channel&, const Channel&) = default;
  [[nodiscard]] std::uint64_t key() const {
    return std::uint64_t{static_cast<std::uint32_t>(source)} << 32 |
           static_cast<std::uint32_t>(tag);
  }
};

/// Spreads keys of channels and the like over a table: sources differ in their high bits only.
struct KeyHash {
  [[nodiscard]] std::size_t operator()(std::uint64_t key) const {
    const std::uint64_t product = key * 0x9e3779b97f4a7c15U;
    return product ^ product >> 32;
  }
};

/// A number for each channel, 0 at first. Programs that have a tag for each message mostly count
/// their tags up: so tags that stand side by side are looked up together.
class ChannelCounts {
 public:
  [[nodiscard]] std::uint64_t& operator[](const Channel& channel) {
    const auto tag = static_cast<std::uint32_t>(channel.tag);
    const std::uint64_t key =
        std::uint64_t{static_cast<std::uint32_t>(channel.source)} << 32 | tag / group_size;
    Found& last = last_[static_cast<std::uint32_t>(channel.source) % last_.size()];
    if (last.group == nullptr || last.key != key) last = {key, find(key)};
    return (*last.group)[tag % group_size];
  }

 private:
  static constexpr std::uint32_t group_size = 16;
  using Group = std::array<std::uint64_t, group_size>;
  struct Found {
    std::uint64_t key = 0;
    Group* group = nullptr;
  };
  [[nodiscard]] Group* find(std::uint64_t key) {
    const auto [place, is_new] = by_key_.try_emplace(key, nullptr);
    if (is_new) place.value() = &groups_.emplace_back(Group{});
    return place->second;
  }

  std::deque<Group> groups_;  // stay where they are
  tsl::robin_map<std::uint64_t, Group*, KeyHash> by_key_;
  std::array<Found, 8> last_;  // by the lowest bits of the source
};

/// A receive that was posted.
struct Receive {
  int source = any, tag = any;               ///< as asked for
  std::optional<Channel> channel = {};       ///< of the message that it takes, once that is known
  std::uint64_t number = 0;                  ///< which of the channel, from 1, once that is known
  std::optional<std::uint64_t> choice = {};  ///< which wildcard of its process it is, from 0
  std::uint64_t begun = 0;                   ///< how many events its process had made when it began
  std::uint64_t named = 0;    ///< which receive without wildcards it is, of those that are begun
  bool entered = false;       ///< what it takes is in the journal
  bool listed = false;        ///< it has been posted, and waits for its number
  bool over = false;          ///< and it has got its message
  std::uint64_t matched = 0;  ///< explored: which of its channel it was when a probe took it

  [[nodiscard]] bool is_wildcard() const { return source == any || tag == any; }
  [[nodiscard]] bool accepts(const Channel& from) const {
    return (source == any || source == from.source) && (tag == any || tag == from.tag);
  }
  /// As `accepts`, with what is known by now.
  [[nodiscard]] bool may_take(const Channel& from) const {
    return channel ? *channel == from : accepts(from);
  }
};

/// The receives of one process on one communicator. MPI does not let messages of a channel overtake
/// each other: of the receives that take from a channel, the k-th that was posted takes the k-th
/// message. So a receive has its number as soon as all that were posted before it and accept its
/// channel are known to have theirs, or to take from another one.
class PostedReceives {
 public:
  /// Puts a receive after all others. One that is blocking and alone need not be posted: `count`
  /// it.
  void post(const std::shared_ptr<Receive>& receive);
  /// No other receive is posted that has no number yet.
  [[nodiscard]] bool empty() const { return unnumbered_.empty(); }
  /// The number of one more message taken from a channel.
  [[nodiscard]] std::uint64_t count(const Channel& channel) { return ++counts_[channel]; }
  /// Gives this receive, whose channel is known, its number if that can be known; and those that
  /// have waited for it.
  bool settle(Receive& receive);
  /// A receive posted before this one that keeps it from having a number.
  [[nodiscard]] Receive* in_the_way_of(const Receive& receive) const;
  /// The last number of a channel was given to a receive that takes nothing.
  void uncount(const Channel& channel) { --counts_[channel]; }
  /// A receive that takes nothing: it was cancelled. Others may have waited for it.
  void forget(const Receive& receive);

 private:
  void number_up_to(const Receive* last);

  std::deque<std::shared_ptr<Receive>> unnumbered_;  // in the order of posting
  std::size_t over_ = 0;                             // of these, and could not be settled
  ChannelCounts counts_;
};

}  // namespace lightcone::mpi
