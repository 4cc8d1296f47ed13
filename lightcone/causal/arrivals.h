// Events in the order in which they were read, before they are laid out by process.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Rows of arrived events and initial states; one array per field. A row has an entry in a sparse
/// array only when its flags say so. The flags are also those of a block of an lct file.
struct Arrivals {
  /// The kind stands in the two lowest bits.
  enum Flag : std::uint8_t {
    sends_too = 4,  ///< a message leaves, although the kind is not send
    duplicate = 8,
    batch = 16,  ///< a receive of any number of messages but one
    labelled = 32,
    assigns = 64,
    says_more = 128,
  };
  enum More : std::uint8_t { to = 1, time = 2, text = 4, source = 8, extra = 16, digest = 32 };
  static constexpr std::size_t usual_rows = 1 << 16;

  std::vector<ProcessIndex> process;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint32_t> lines;  ///< one per row, or empty if there are no lines
  std::vector<MessageIndex> sent;
  std::vector<std::uint32_t> take_counts;  ///< of batches
  std::vector<MessageIndex> taken;
  std::vector<NameSetIndex> label_sets;
  std::vector<std::uint32_t> assignment_counts;
  std::vector<Assignment> assignments;
  std::vector<std::uint8_t> more;
  std::vector<NameSetIndex> receivers;
  std::vector<double> times;
  std::vector<NameIndex> texts, sources, extras;
  std::vector<std::uint64_t> digests;  ///< none is 0

  [[nodiscard]] std::size_t size() const { return flags.size(); }
  [[nodiscard]] static Kind kind(std::uint8_t flags) { return static_cast<Kind>(flags & 3); }
  [[nodiscard]] static bool sends(std::uint8_t flags) {
    return kind(flags) == Kind::send || (flags & Flag::sends_too) != 0;
  }
};

/// Walks the rows of Arrivals, and how far each of the sparse arrays has been read.
struct ArrivalCursor {
  std::size_t row = 0, sent = 0, batch = 0, taken = 0;

  /// Returns how many messages the row takes.
  [[nodiscard]] std::uint32_t take_count(const Arrivals& a) const {
    const std::uint8_t flags = a.flags[row];
    if (Arrivals::kind(flags) != Kind::receive) return 0;
    return (flags & Arrivals::batch) != 0 ? a.take_counts[batch] : 1;
  }
  void advance(const Arrivals& a) {
    const std::uint8_t flags = a.flags[row];
    taken += take_count(a);
    batch += (flags & Arrivals::batch) != 0;
    sent += Arrivals::sends(flags);
    ++row;
  }
};

/// The receives that lost a message because no event sends it.
struct ReceivesWithoutSend {
  std::size_t made_internal = 0;   ///< those that lost all that they took
  std::vector<EventPlace> places;  ///< of these and of those that lost only some
};

/// Takes away from each receive the messages that are never sent. A receive of nothing else becomes
/// an internal event, or a send if a message leaves at it.
[[nodiscard]] ReceivesWithoutSend forget_unsent_messages(std::span<Arrivals> chunks,
                                                         std::uint32_t processes,
                                                         std::uint32_t messages);

}  // namespace lightcone
