// Every consistent cut with a given number of events: the lattice level by level.
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

/// Chains are fixed one after the other as in CutRangeWalk: the choices so far leave the cuts of an
/// interval [lo, hi]. Adding event after event leads from lo to hi through every size between, so
/// that choices with |lo| <= size <= |hi| complete, and others do not. Both sizes grow with the
/// value chosen: the values that complete are a range. (In a slice events happen at once and sizes
/// are left out; there a choice may complete in no cut.)
template <class Visit>
class SizeWalk {
 public:
  SizeWalk(const Futures& futures, const Interval& interval, std::uint64_t size, Visit& visit)
      : futures_(futures),
        level_(futures.level()),
        visit_(visit),
        size_(size),
        order_(moving_chains(interval)),
        stride_(level_.stride()),
        cut_(interval.lower),
        frames_(2 * stride_ * (order_.size() + 1), 0) {
    std::copy(interval.lower.begin(), interval.lower.end(), lo(0));
    std::copy(interval.upper.begin(), interval.upper.end(), hi(0));
    if (order_.size() > 1) fill_last_pair();
  }

  /// Returns whether the visitor never said stop.
  bool run() {
    if (size_ < size_of({lo(0), stride_}) || size_ > size_of({hi(0), stride_})) return true;
    std::uint64_t rest = size_;
    for (const Rank fixed : cut_) rest -= fixed;
    for (const std::uint32_t chain : order_) rest += cut_[chain];
    if (order_.empty()) return visit_(std::span<const Rank>(cut_));
    if (order_.size() == 1) return visit_last(order_[0], static_cast<Rank>(rest));
    if (order_.size() == 2) return choose_pair(0, rest);
    return choose(0, rest);
  }

 private:
  /// What a choice leaves for the last chain.
  struct Range {
    Rank from, to;
  };

  [[nodiscard]] Rank* lo(std::size_t depth) { return frames_.data() + 2 * depth * stride_; }
  [[nodiscard]] Rank* hi(std::size_t depth) { return lo(depth) + stride_; }
  [[nodiscard]] bool is_closed(std::uint32_t chain, Rank v) const {
    return futures_.is_order() || v <= level_.bottom()[chain] || level_.past(chain, v)[chain] == v;
  }
  [[nodiscard]] const Rank* past(std::size_t depth, Rank v) {
    const std::uint32_t chain = order_[depth];
    return v > lo(depth)[chain] ? level_.past(chain, v).data() : lo(depth);
  }
  [[nodiscard]] const Rank* without(std::size_t depth, Rank v) {
    const std::uint32_t chain = order_[depth];
    return v < hi(depth)[chain] ? futures_.without(chain, v + 1).data() : hi(depth);
  }

  /// Narrows lo, or hi, to what a choice leaves. Returns the size. Entries of chains that are fixed
  /// do not change, and those behind the last chain are zero.
  std::uint64_t narrow_lo(std::size_t depth, Rank v) {
    const Rank* low = past(depth, v);
    const Rank* from = lo(depth);
    Rank* to = lo(depth + 1);
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < stride_; ++i) {
      to[i] = std::max(from[i], low[i]);
      size += to[i];
    }
    return size;
  }
  std::uint64_t narrow_hi(std::size_t depth, Rank v) {
    const Rank* high = without(depth, v);
    const Rank* from = hi(depth);
    Rank* to = hi(depth + 1);
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < stride_; ++i) {
      to[i] = std::min(from[i], high[i]);
      size += to[i];
    }
    return size;
  }

  /// The least value of a chain with which a cut can be large enough; the greatest value is one.
  [[nodiscard]] Rank first_large_enough(std::size_t depth) {
    Rank from = lo(depth)[order_[depth]];
    Rank to = hi(depth)[order_[depth]];
    while (from < to) {
      const Rank middle = from + (to - from) / 2;
      const bool enough = narrow_hi(depth, middle) >= size_;
      (enough ? to : from) = enough ? middle : middle + 1;
    }
    return from;
  }

  /// `rest` is how many events this chain and those after it have.
  bool choose(std::size_t depth, std::uint64_t rest) {
    const std::uint32_t chain = order_[depth];
    const Rank last = hi(depth)[chain];
    for (Rank v = first_large_enough(depth); v <= last && narrow_lo(depth, v) <= size_; ++v) {
      if (!is_closed(chain, v)) continue;
      cut_[chain] = v;
      narrow_hi(depth, v);
      const bool goes_on = depth + 3 == order_.size() ? choose_pair(depth + 1, rest - v)
                                                      : choose(depth + 1, rest - v);
      if (!goes_on) return false;
    }
    return true;
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

  /// Both ends of what a value of the first chain leaves for the last one grow with it, so that its
  /// values that leave `rest` for both are a range.
  bool choose_pair(std::size_t depth, std::uint64_t rest) {
    const std::uint32_t a = order_[order_.size() - 2];
    const std::uint32_t b = order_.back();
    const Range of_a{lo(depth)[a], hi(depth)[a]};
    const Range of_b{lo(depth)[b], hi(depth)[b]};
    if (rest < of_b.from) return true;
    const auto least = static_cast<Rank>(rest > of_b.to ? rest - of_b.to : 0);
    const Rank last = static_cast<Rank>(std::min<std::uint64_t>(of_a.to, rest - of_b.from));
    Rank v = std::max(of_a.from, least);
    for (Rank end = last + 1; v < end;) {
      const Rank middle = v + (end - v) / 2;
      const bool is_too_small = middle + std::uint64_t{others_[middle - others_begin_].to} < rest;
      (is_too_small ? v : end) = is_too_small ? middle + 1 : middle;
    }
    for (; v <= last && v + std::uint64_t{others_[v - others_begin_].from} <= rest; ++v) {
      if (!is_closed(a, v)) continue;
      cut_[a] = v;
      if (!visit_last(b, static_cast<Rank>(rest - v))) return false;
    }
    return true;
  }

  /// All events that are left are the last chain's.
  bool visit_last(std::uint32_t chain, Rank rest) {
    cut_[chain] = rest;
    return !is_closed(chain, rest) || visit_(std::span<const Rank>(cut_));
  }

  const Futures& futures_;
  const Level& level_;
  Visit& visit_;
  std::uint64_t size_;
  std::vector<std::uint32_t> order_;  // of chains, as they are chosen
  std::size_t stride_;
  Cut cut_;
  std::vector<Rank> frames_;   // lo and hi at each depth
  std::vector<Range> others_;  // of the last chain, for values of the one before
  Rank others_begin_ = 0;
};

/// Visits the consistent cuts of an interval that contain `size` events, in lexical order, until
/// `visit(cut)`, with a `std::span<const Rank>`, says false. Whether it never did.
template <class Visit>
bool for_each_cut_of_size(const Futures& futures, const Interval& interval, std::uint64_t size,
                          Visit&& visit) {
  return SizeWalk<std::remove_reference_t<Visit>>(futures, interval, size, visit).run();
}

}  // namespace lightcone
