// Changing arrivals before they are laid out.
#include <lightcone/causal/arrivals.h>

namespace lightcone {

std::size_t make_unsent_internal(std::span<Arrivals> chunks, std::uint32_t messages) {
  std::vector<bool> sent(messages, false);
  for (const Arrivals& chunk : chunks) {
    for (const MessageIndex m : chunk.sent) sent[m] = true;
  }
  std::size_t made_internal = 0;
  for (Arrivals& a : chunks) {
    std::vector<std::uint8_t> flags = a.flags;
    std::vector<std::uint32_t> counts;
    std::vector<MessageIndex> taken;
    for (ArrivalCursor at; at.row < a.size(); at.advance(a)) {
      if (Arrivals::kind(a.flags[at.row]) != Kind::receive) continue;
      std::uint32_t left = 0;
      for (std::uint32_t k = 0; k < at.take_count(a); ++k) {
        const MessageIndex m = a.taken[at.taken + k];
        if (!sent[m]) continue;
        taken.push_back(m);
        ++left;
      }
      std::uint8_t& flag = flags[at.row];
      flag &= static_cast<std::uint8_t>(~Arrivals::batch);
      if (left == 0) {
        const bool also_sends = (flag & Arrivals::sends_too) != 0;
        const Kind kind = also_sends ? Kind::send : Kind::internal;
        constexpr auto of_receives = 3 | Arrivals::sends_too | Arrivals::duplicate;
        flag = static_cast<std::uint8_t>((flag & ~of_receives) | static_cast<int>(kind));
        ++made_internal;
      } else if (left > 1) {
        flag |= Arrivals::batch;
        counts.push_back(left);
      }
    }
    a.flags = std::move(flags);
    a.take_counts = std::move(counts);
    a.taken = std::move(taken);
  }
  return made_internal;
}

}  // namespace lightcone
