// Changing arrivals before they are laid out.
#include <lightcone/causal/arrivals.h>

namespace lightcone {
namespace {

[[nodiscard]] std::vector<bool> sent_messages(std::span<const Arrivals> chunks,
                                              std::uint32_t messages) {
  std::vector<bool> sent(messages, false);
  for (const Arrivals& chunk : chunks) {
    for (const MessageIndex m : chunk.sent) sent[m] = true;
  }
  return sent;
}

/// Returns the flags of a receive that has this many messages left.
[[nodiscard]] std::uint8_t flags_with(std::uint8_t flags, std::uint32_t left) {
  flags &= static_cast<std::uint8_t>(~Arrivals::batch);
  if (left > 1) return flags | Arrivals::batch;
  if (left == 1) return flags;
  const Kind kind = (flags & Arrivals::sends_too) != 0 ? Kind::send : Kind::internal;
  constexpr auto of_receives = 3 | Arrivals::sends_too | Arrivals::duplicate;
  return static_cast<std::uint8_t>((flags & ~of_receives) | static_cast<int>(kind));
}

/// Goes through the rows of all chunks and counts the events of each process.
class UnsentMessages {
 public:
  UnsentMessages(std::vector<bool> sent, std::uint32_t processes)
      : sent_(std::move(sent)), ranks_(processes, 0) {}

  void forget(Arrivals& a) {
    std::vector<std::uint8_t> flags = a.flags;
    std::vector<std::uint32_t> counts;
    std::vector<MessageIndex> taken;
    for (ArrivalCursor at; at.row < a.size(); at.advance(a)) {
      const Kind kind = Arrivals::kind(a.flags[at.row]);
      ranks_[a.process[at.row]] += kind != Kind::initial;
      if (kind != Kind::receive) continue;
      const std::size_t before = taken.size();
      const std::uint32_t count = at.take_count(a);
      for (std::uint32_t k = 0; k < count; ++k) {
        const MessageIndex m = a.taken[at.taken + k];
        if (sent_[m]) taken.push_back(m);
      }
      const auto left = static_cast<std::uint32_t>(taken.size() - before);
      if (left != count) {
        note(a.process[at.row], left);
        flags[at.row] = flags_with(a.flags[at.row], left);
      }
      if ((flags[at.row] & Arrivals::batch) != 0) counts.push_back(left);
    }
    a.flags = std::move(flags);
    a.take_counts = std::move(counts);
    a.taken = std::move(taken);
  }

  [[nodiscard]] ReceivesWithoutSend found() { return std::move(found_); }

 private:
  void note(ProcessIndex process, std::uint32_t left) {
    found_.places.push_back({process, ranks_[process]});
    found_.made_internal += left == 0 ? 1 : 0;
  }

  std::vector<bool> sent_;
  std::vector<Rank> ranks_;  // events of each process so far
  ReceivesWithoutSend found_;
};

}  // namespace

ReceivesWithoutSend forget_unsent_messages(std::span<Arrivals> chunks, std::uint32_t processes,
                                           std::uint32_t messages) {
  UnsentMessages unsent(sent_messages(chunks, messages), processes);
  for (Arrivals& a : chunks) unsent.forget(a);
  return unsent.found();
}

}  // namespace lightcone
