// Which receives a block of a journal of races leaves out, so that a replay knows them again.
//
// The r-th receive is left out if its message was sent after receive r-1. A replay that waits for
// it knows messages that were sent then, but others may have been, too, and got lost or were still
// on their way when the process ended. So a block says what it leaves out, by channel numbers: the
// k-th message from this sender to this process alone has the number k.
//
// What is left out from one sender comes in the order of channel numbers. For let receive r take m,
// be left out, and let a message m' of the same channel, with a greater number, have been received
// before. Receive r-1 happened before send(m), which happened before send(m'), which happened
// before the receive of m': that was not among the first r-1. So what is left out from a sender is
// a range of channel numbers without gaps, which are the numbers that were overtaken or lost, and
// without messages that the block enters.
//
// At receive r, if it is not an entry, a replay takes the message for which `implies` is true, that
// was not yet received and whose sender knew of r-1 receives of this process. It is the only one: a
// number of the range outside of gaps was received in this block, and, if it is not entered, is
// that of a receive r' that is left out. It was not received yet: r' >= r. And its sender knew of
// receive r'-1 but not of receive r', so that r' = r.
#pragma once

#include <lightcone/run/journal/journal_entry.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

class WireReader;
class WireWriter;

namespace journal {

/// Channel numbers from `first` to `last`.
struct ChannelRange {
  std::uint64_t first = 0, last = 0;
};

/// What a block leaves out of the messages from one sender.
struct Extent {
  std::uint32_t sender = 0;
  ChannelRange range;                   ///< the first that is left out, and the last
  std::uint64_t number = 0;             ///< the greatest of the sender's numbers that is left out
  std::vector<ChannelRange> gaps = {};  ///< inside of the range, in their order
};

/// What writer and reader both know of a channel after the same blocks: where its last range ended.
struct ChannelMemory {
  std::uint64_t last = 0, number = 0;
};

/// Gathers what one block leaves out.
class LeftOutEncoder {
 public:
  void add_sender() { channels_.emplace_back(); }
  /// Leaves this message out, unless it must be entered.
  [[nodiscard]] bool leave_out(const ReceivedMessage& message, std::uint64_t channel);
  /// This message is entered in the block, after `position` others.
  void enter(const ReceivedMessage& message, std::uint64_t channel, std::size_t position);
  /// Writes what is left out of a block with `messages` entered; `receives` were made in it.
  void put(WireWriter& wire, std::size_t messages, std::uint64_t receives) const;
  /// Begins the next block. What was put is known to the reader if it was written.
  void next_block(bool written);

 private:
  struct Channel {
    std::uint64_t greatest = 0;  // received
    ChannelMemory memory;
    Extent extent;  // of this block, if its range is not 0
  };
  void advance(Channel& channel, std::uint64_t to);
  [[nodiscard]] std::vector<Extent> extents() const;
  void put_repeated(WireWriter& wire) const;

  std::vector<Channel> channels_;        // by sender
  std::vector<std::uint32_t> senders_;   // with an extent
  std::vector<std::uint64_t> repeated_;  // positions of messages that were left out before
};

/// What one block leaves out, as read.
class LeftOut {
 public:
  void add_sender() { channels_.emplace_back(); }
  /// Reads what the block with these entries leaves out; the wire fails where that cannot be.
  void read(WireReader& wire, const std::vector<JournalEntry>& entries);
  [[nodiscard]] bool empty() const { return extents_.empty(); }
  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }
  /// Made in this block; if it leaves none out, that is for the entries to say.
  [[nodiscard]] std::uint64_t receives() const { return receives_; }
  [[nodiscard]] bool implies(std::uint32_t sender, std::uint64_t channel,
                             std::uint64_t number) const;

 private:
  void read_extents(WireReader& wire, std::size_t count, std::uint64_t flags);
  void read_entered(WireReader& wire, const std::vector<JournalEntry>& entries);

  std::vector<ChannelMemory> channels_;                           // by sender
  std::vector<Extent> extents_;                                   // in the order of senders
  std::vector<std::pair<std::uint32_t, std::uint64_t>> entered_;  // sorted; not left out before
  std::uint64_t receives_ = 0;
};

}  // namespace journal
}  // namespace lightcone
