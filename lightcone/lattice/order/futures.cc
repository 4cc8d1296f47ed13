// The timestamps read from the other side: which event of each chain is the first to know.
#include <lightcone/lattice/order/futures.h>

#include <lightcone/base/parallel.h>

#include <algorithm>
#include <vector>

namespace lightcone {

Futures::Futures(const Level& level) : level_(&level), table_(level.events(), level.chains()) {
  for (std::uint32_t i = 0; i < level.events(); ++i) {
    std::fill(table_.row(i) + level.chains(), table_.row(i) + table_.stride(), 0);
  }
  // Columns that share a cache line are one thread's.
  constexpr std::uint32_t together = 64 / sizeof(Rank);
  for_each_part((level.chains() + together - 1) / together, [&](std::size_t part) {
    const auto begin = static_cast<std::uint32_t>(part * together);
    const std::uint32_t end = std::min(begin + together, level.chains());
    for (std::uint32_t d = begin; d < end; ++d) fill_column(d);
  });
  for (std::uint32_t c = 0; c < level.chains() && is_order_; ++c) {
    for (Rank k = level.bottom()[c] + 1; k <= level.top()[c] && is_order_; ++k) {
      is_order_ = level.past(c, k)[c] == k;
    }
  }
}

/// Along a chain pasts grow: the events that its x-th event adds are those it is the first to know.
void Futures::fill_column(std::uint32_t chain) {
  const Level& level = *level_;
  std::vector<Rank> known(level.chains(), 0);
  const Rank last = level.top()[chain];
  for (Rank x = 1; x <= last; ++x) {
    const auto past = level.past(chain, x);
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      for (; known[c] < past[c]; ++known[c]) {
        table_.row(level.index(c, known[c] + 1))[chain] = x - 1;
      }
    }
  }
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = known[c] + 1; k <= level.length(c); ++k) {
      table_.row(level.index(c, k))[chain] = last;
    }
  }
}

}  // namespace lightcone
