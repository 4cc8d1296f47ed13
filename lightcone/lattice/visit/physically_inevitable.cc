// Finds from when on all processes have started, and until when none has ended.
#include <lightcone/lattice/visit/physically_inevitable.h>

#include <lightcone/causality.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace lightcone {
namespace {

/// The size of a cut, and what is before or behind all of them.
using Size = std::int64_t;
constexpr Size before_all = -1;
constexpr Size never = INT64_MAX;

// The state s(i) must have begun before the next state of j begins, for all i and j of the group.
// At an inevitable cut that holds if i has moved and j has not come to its end (RR-2194, IGS).
// What is left depends on the cut's size m alone, since e is below an inevitable cut of m events
// iff p(e) < m, where p(e) is the number of relevant events before e:
//
// - i has not moved iff m <= p(its first relevant event). Then the next event of each j, or its
//   end, must know of i's first event of all. The last relevant event of j that does not must be
//   below the cut: m > p of it.
// - j is at its end iff m > p(its last relevant event). Then j's last event of all must know of
//   the last event of each i below the cut. The first relevant event of i that it does not know of
//   must not be below the cut: m <= p of it.
//
// So each process that starts late gives a lower bound, each that ends early an upper one, and the
// physical states are all inevitable ones between. A bound costs one light cone, and only those are
// looked at that can still tighten it: usually one of each.
class Coexistence {
 public:
  Coexistence(const Level& level, std::span<const ProcessIndex> group)
      : level_(level), computation_(level.computation()), group_(group) {}

  /// Sizes must be greater than this.
  [[nodiscard]] Size lower_bound() const {
    std::vector<std::pair<Size, ProcessIndex>> moves;
    for (const ProcessIndex p : group_) moves.emplace_back(first_move(p), p);
    std::sort(moves.rbegin(), moves.rend());
    Size bound = before_all;
    for (const auto& [moved, process] : moves) {
      if (moved <= bound) break;
      bound = std::max(bound, std::min(moved, start_unknown(process)));
    }
    return bound;
  }

  /// Sizes must not be greater than this.
  [[nodiscard]] Size upper_bound() const {
    std::vector<std::pair<Size, ProcessIndex>> moves;
    for (const ProcessIndex p : group_) moves.emplace_back(last_move(p), p);
    std::sort(moves.begin(), moves.end());
    Size bound = never;
    for (const auto& [moved, process] : moves) {
      if (moved >= bound) break;
      bound = std::min(bound, std::max(moved, end_known(process)));
    }
    return bound;
  }

 private:
  [[nodiscard]] Size events_before(std::uint32_t chain, Rank k) const {
    return static_cast<Size>(size_of(level_.past(chain, k))) - 1;
  }
  [[nodiscard]] Size first_move(ProcessIndex p) const {
    const std::uint32_t chain = level_.chain_of(p);
    return chain == none ? never : events_before(chain, 1);
  }
  [[nodiscard]] Size last_move(ProcessIndex p) const {
    const std::uint32_t chain = level_.chain_of(p);
    return chain == none ? before_all : events_before(chain, level_.length(chain));
  }

  /// Returns how many relevant events of the chain are among the first `rank` events of its
  /// process.
  [[nodiscard]] Rank relevant_among(std::uint32_t chain, Rank rank) const {
    Rank low = 0, high = level_.length(chain);
    while (low < high) {
      const Rank middle = low + (high - low + 1) / 2;
      if (computation_.rank_of(level_.event(chain, middle)) <= rank) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// The greatest cut at which some other process is about to go on without knowing of i.
  [[nodiscard]] Size start_unknown(ProcessIndex i) const {
    if (group_.size() < 2) return before_all;
    if (computation_.last_rank(i) == 0) return never;
    const std::vector<Rank> knows = causal_future(computation_, computation_.first_event(i));
    Size greatest = before_all;
    for (const ProcessIndex j : group_) {
      if (j == i) continue;
      if (knows[j] > computation_.last_rank(j)) return never;
      const std::uint32_t chain = level_.chain_of(j);
      const Rank unaware = chain == none ? 0 : relevant_among(chain, knows[j] - 1);
      if (unaware > 0) greatest = std::max(greatest, events_before(chain, unaware));
    }
    return greatest;
  }

  /// The greatest cut below which there is nothing that j's end does not know of.
  [[nodiscard]] Size end_known(ProcessIndex j) const {
    const Rank last = computation_.last_rank(j);
    const std::vector<Rank> known = last == 0
                                        ? std::vector<Rank>(computation_.process_count(), 0)
                                        : causal_past(computation_, computation_.event(j, last));
    Size greatest = never;
    for (std::uint32_t c = 0; c < level_.chains(); ++c) {
      const Rank first_unknown = relevant_among(c, known[level_.process(c)]) + 1;
      if (level_.process(c) == j || first_unknown > level_.length(c)) continue;
      greatest = std::min(greatest, events_before(c, first_unknown));
    }
    return greatest;
  }

  const Level& level_;
  const Computation& computation_;
  std::span<const ProcessIndex> group_;
};

}  // namespace

InevitableStates physically_inevitable(const InevitableStates& inevitable,
                                       std::span<const ProcessIndex> group) {
  const Coexistence coexistence(inevitable.level(), group);
  const Size above = coexistence.lower_bound();
  const Size up_to = above == never ? before_all : coexistence.upper_bound();
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t size : inevitable.sizes()) {
    if (size > above && size <= up_to) sizes.push_back(size);
  }
  return {inevitable.level(), std::move(sizes)};
}

InevitableStates physically_inevitable(const InevitableStates& inevitable) {
  std::vector<ProcessIndex> all(inevitable.level().computation().process_count());
  std::iota(all.begin(), all.end(), 0);
  return physically_inevitable(inevitable, all);
}

}  // namespace lightcone
