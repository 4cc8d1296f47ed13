// The walk behind the enumeration of consistent cuts, in the memory of two cuts per chain.
#pragma once

#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace lightcone {

/// Consistent cuts that differ in one chain: `cut` with `from`, …, `to` in the place of `chain`.
/// That entry is the visitor's to change.
struct CutRange {
  std::span<Rank> cut;
  std::uint32_t chain;
  Rank from, to;

  /// Makes `cut` one of them. Without chains there is one cut, and an entry behind it to write to.
  void set(Rank v) const { cut.data()[chain] = v; }
};

/// Chains are fixed one after the other. The cuts that agree with the choices so far are the whole
/// interval [lo, hi]: lo joins the pasts of what was chosen, hi is met with the greatest cuts
/// without the first events that were not. Both are consistent and are what was chosen where it
/// was, so that any value v of the next chain between them, if the chain can be cut there at all,
/// leaves at least lo ∨ past(v): there are no dead ends, and the last chain is an interval.
template <class Visit>
class CutRangeWalk {
 public:
  CutRangeWalk(const Futures& futures, const Interval& interval, Visit& visit)
      : futures_(futures),
        level_(futures.level()),
        visit_(visit),
        order_(moving_chains(interval)),
        stride_(level_.stride()),
        cut_(std::max<std::size_t>(level_.chains(), 1), 0),
        frames_(2 * stride_ * (order_.size() + 1), 0) {
    std::copy(interval.lower.begin(), interval.lower.end(), cut_.begin());
    std::copy(interval.lower.begin(), interval.lower.end(), lo(0));
    std::copy(interval.upper.begin(), interval.upper.end(), hi(0));
    if (order_.size() > 1) fill_last_pair();
  }

  /// Returns whether the visitor never said stop.
  bool run() {
    if (order_.empty()) return visit_(CutRange{cut(), 0, cut_[0], cut_[0]});
    if (order_.size() == 1) return visit_last(order_[0], range_of(order_[0]));
    if (order_.size() == 2) return choose_pair(range_of(order_[0]), range_of(order_[1]));
    return choose(0);
  }

 private:
  [[nodiscard]] std::span<Rank> cut() { return {cut_.data(), level_.chains()}; }
  [[nodiscard]] Rank* lo(std::size_t depth) { return frames_.data() + 2 * depth * stride_; }
  [[nodiscard]] Rank* hi(std::size_t depth) { return lo(depth) + stride_; }
  [[nodiscard]] bool is_closed(std::uint32_t chain, Rank v) const {
    return futures_.is_order() || v <= level_.bottom()[chain] || level_.past(chain, v)[chain] == v;
  }

  struct Range {
    Rank from, to;
  };
  [[nodiscard]] Range range_of(std::uint32_t chain) { return {lo(0)[chain], hi(0)[chain]}; }

  bool choose(std::size_t depth) {
    const std::uint32_t chain = order_[depth];
    const Rank first = lo(depth)[chain];
    const Rank last = hi(depth)[chain];
    for (Rank v = first; v <= last; ++v) {
      if (!is_closed(chain, v)) continue;
      cut_[chain] = v;
      const Rank* past = v > first ? level_.past(chain, v).data() : lo(depth);
      const Rank* without = v < last ? futures_.without(chain, v + 1).data() : hi(depth);
      if (depth + 3 == order_.size()) {
        if (!choose_pair(narrowed(depth, past, without, order_[depth + 1]),
                         narrowed(depth, past, without, order_[depth + 2]))) {
          return false;
        }
      } else {
        narrow(depth, past, without);
        if (!choose(depth + 1)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] Range narrowed(std::size_t depth, const Rank* past, const Rank* without,
                               std::uint32_t chain) {
    return {std::max(lo(depth)[chain], past[chain]), std::min(hi(depth)[chain], without[chain])};
  }
  void narrow(std::size_t depth, const Rank* past, const Rank* without) {
    Rank* from = lo(depth);
    for (std::size_t i = 0; i < stride_; ++i) from[2 * stride_ + i] = std::max(from[i], past[i]);
    from += stride_;
    for (std::size_t i = 0; i < stride_; ++i) from[2 * stride_ + i] = std::min(from[i], without[i]);
  }

  /// The last two chains take most of the time: what they need of each other stands in a row.
  void fill_last_pair() {
    const std::uint32_t a = order_[order_.size() - 2];
    const std::uint32_t b = order_.back();
    others_begin_ = lo(0)[a];
    for (Rank v = others_begin_; v <= hi(0)[a]; ++v) {
      others_.push_back({v > others_begin_ ? level_.past(a, v)[b] : 0,
                         v < hi(0)[a] ? futures_.without(a, v + 1)[b] : hi(0)[b]});
    }
  }

  bool choose_pair(Range of_a, Range of_b) {
    const std::uint32_t a = order_[order_.size() - 2];
    const std::uint32_t b = order_.back();
    for (Rank v = of_a.from; v <= of_a.to; ++v) {
      if (!is_closed(a, v)) continue;
      cut_[a] = v;
      const Range other = others_[v - others_begin_];
      if (!visit_last(b, {std::max(of_b.from, other.from), std::min(of_b.to, other.to)})) {
        return false;
      }
    }
    return true;
  }

  bool visit_last(std::uint32_t chain, Range range) {
    if (futures_.is_order()) return visit_(CutRange{cut(), chain, range.from, range.to});
    for (Rank v = range.from; v <= range.to; ++v) {
      if (is_closed(chain, v) && !visit_(CutRange{cut(), chain, v, v})) return false;
    }
    return true;
  }

  const Futures& futures_;
  const Level& level_;
  Visit& visit_;
  std::vector<std::uint32_t> order_;  // of chains, as they are chosen
  std::size_t stride_;
  std::vector<Rank> cut_;
  std::vector<Rank> frames_;   // lo and hi at each depth
  std::vector<Range> others_;  // of the last chain, for values of the one before
  Rank others_begin_ = 0;
};

}  // namespace lightcone
