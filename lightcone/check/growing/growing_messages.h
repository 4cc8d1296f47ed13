// The messages of a growing computation, as long as someone may still receive them.
#pragma once

#include <lightcone/check/growing/growing_tag.h>
#include <lightcone/computation.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// Whole numbers, as ranges: few where they come almost in order.
class NumberRanges {
 public:
  void add(std::uint64_t number);
  [[nodiscard]] bool contains(std::uint64_t number) const;
  [[nodiscard]] std::size_t ranges() const { return last_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> last_;  // of each range, by its first
};

/// A message that has been sent, or that an event waits for.
struct GrowingMessage {
  std::string name;
  bool is_named_as_sent = false;  ///< an event that sends it has been read
  bool is_sent = false;           ///< and has happened
  GrowingTag tag = {};
  std::uint32_t tag_bytes = 0;               ///< of memory, about
  std::vector<ProcessIndex> waiting = {};    ///< their next events take it
  std::vector<ProcessIndex> receivers = {};  ///< who has an event that takes it
  std::vector<std::string> awaited =
      {};                        ///< the receivers that the send names and that have not taken it
  bool names_receivers = false;  ///< the send names them
  std::uint32_t uses = 0;        ///< events that have not happened yet refer to it
  std::uint32_t ended = 0;       ///< how often it stands among the complete ones
};

/// Finds messages by name. A message is complete when each receiver that its send names has
/// received it. Complete messages are forgotten, the oldest first; some are kept, because networks
/// redeliver: as many as fit into a limit of number and of memory, and a few in any case. Of a
/// forgotten one only its name is known, as a number in a range where names end in numbers. A
/// message whose send does not name receivers is kept for good: anyone may still receive it.
class GrowingMessages {
 public:
  static constexpr std::size_t usual_complete = 1 << 14, usual_bytes = 16 << 20;
  static constexpr std::size_t least_complete = 64;

  using Index = std::uint32_t;
  static constexpr Index forgotten = UINT32_MAX;

  /// So many complete ones are kept, as long as all messages take no more bytes.
  explicit GrowingMessages(std::size_t most_complete = usual_complete,
                           std::size_t most_bytes = usual_bytes)
      : most_complete_(most_complete), most_bytes_(most_bytes) {}

  /// The message of this name, which is added if it is new; `forgotten` if it was forgotten.
  [[nodiscard]] Index find_or_add(std::string_view name);
  [[nodiscard]] GrowingMessage& operator[](Index index) { return messages_[index]; }
  [[nodiscard]] const GrowingMessage& operator[](Index index) const { return messages_[index]; }

  /// Someone refers to the message until `release`.
  void use(Index index) { ++messages_[index].uses; }
  void release(Index index);
  /// The message has been sent with this tag.
  void set_tag(Index index, GrowingTag tag);

  /// Returns how many messages are kept.
  [[nodiscard]] std::size_t kept() const { return messages_.size() - free_.size(); }
  /// Returns about how much memory they take, and what is known of those that were forgotten. It
  /// depends on what was told alone, not on where this runs.
  [[nodiscard]] std::size_t bytes() const;

 private:
  using Key = std::pair<std::uint32_t, std::uint64_t>;  // the prefix, and the number
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (key.second ^ (std::uint64_t{key.first} << 40)) * 0x9E3779B97F4A7C15U >> 7;
    }
  };
  /// What was forgotten of the names with one prefix.
  struct Forgotten {
    NumberRanges numbers;
    bool itself = false;  ///< the name without a number
  };

  [[nodiscard]] Key key_of(std::string_view name);
  void forget_oldest();

  std::size_t most_complete_, most_bytes_;
  std::size_t tag_bytes_ = 0, ranges_ = 0;  // of all of them
  std::size_t name_bytes_ = 0;              // of long names, and of prefixes
  Names prefixes_;
  tsl::robin_map<Key, Index, Hash> index_;
  std::deque<GrowingMessage> messages_;
  std::vector<Index> free_;
  std::deque<Index> complete_;
  std::vector<Forgotten> forgotten_;  // by prefix
};

}  // namespace lightcone
