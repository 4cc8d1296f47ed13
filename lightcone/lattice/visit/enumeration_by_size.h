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
  }

  /// Returns whether the visitor never said stop.
  bool run() {
    if (size_ < size_of({lo(0), stride_}) || size_ > size_of({hi(0), stride_})) return true;
    std::uint64_t rest = size_;
    for (const Rank fixed : cut_) rest -= fixed;
    for (const std::uint32_t chain : order_) rest += cut_[chain];
    return order_.empty() ? visit_(std::span<const Rank>(cut_)) : choose(0, rest);
  }

 private:
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

  /// Returns how many events this chain and those after it have at least, or at most, after a
  /// choice.
  [[nodiscard]] std::uint64_t fewest(std::size_t depth, Rank v) {
    std::uint64_t sum = v;
    const Rank* low = lo(depth);
    const Rank* row = past(depth, v);
    for (std::size_t i = depth + 1; i < order_.size(); ++i) {
      sum += std::max(low[order_[i]], row[order_[i]]);
    }
    return sum;
  }
  [[nodiscard]] std::uint64_t most(std::size_t depth, Rank v) {
    std::uint64_t sum = v;
    const Rank* high = hi(depth);
    const Rank* row = without(depth, v);
    for (std::size_t i = depth + 1; i < order_.size(); ++i) {
      sum += std::min(high[order_[i]], row[order_[i]]);
    }
    return sum;
  }

  /// The least value of a chain that leaves `rest` events for it and those after it; the greatest
  /// value does.
  [[nodiscard]] Rank first_large_enough(std::size_t depth, std::uint64_t rest) {
    Rank from = lo(depth)[order_[depth]];
    Rank to = hi(depth)[order_[depth]];
    while (from < to) {
      const Rank middle = from + (to - from) / 2;
      const bool enough = most(depth, middle) >= rest;
      (enough ? to : from) = enough ? middle : middle + 1;
    }
    return from;
  }

  bool choose(std::size_t depth, std::uint64_t rest) {
    const std::uint32_t chain = order_[depth];
    if (depth + 1 == order_.size()) return visit_last(chain, static_cast<Rank>(rest));
    const Rank last = hi(depth)[chain];
    for (Rank v = first_large_enough(depth, rest); v <= last && fewest(depth, v) <= rest; ++v) {
      if (!is_closed(chain, v)) continue;
      cut_[chain] = v;
      if (depth + 2 == order_.size()) {
        if (!visit_last(order_[depth + 1], static_cast<Rank>(rest - v))) return false;
      } else {
        narrow(depth, past(depth, v), without(depth, v));
        if (!choose(depth + 1, rest - v)) return false;
      }
    }
    return true;
  }

  /// All events that are left are the last chain's.
  bool visit_last(std::uint32_t chain, Rank rest) {
    cut_[chain] = rest;
    return !is_closed(chain, rest) || visit_(std::span<const Rank>(cut_));
  }

  void narrow(std::size_t depth, const Rank* low, const Rank* high) {
    const Rank* from = lo(depth);
    Rank* to = lo(depth + 1);
    for (std::size_t i = depth + 1; i < order_.size(); ++i) {
      const std::uint32_t c = order_[i];
      to[c] = std::max(from[c], low[c]);
      to[stride_ + c] = std::min(from[stride_ + c], high[c]);
    }
  }

  const Futures& futures_;
  const Level& level_;
  Visit& visit_;
  std::uint64_t size_;
  std::vector<std::uint32_t> order_;  // of chains, as they are chosen
  std::size_t stride_;
  Cut cut_;
  std::vector<Rank> frames_;  // lo and hi at each depth
};

/// Visits the consistent cuts of an interval that contain `size` events, in lexical order, until
/// `visit(cut)`, with a `std::span<const Rank>`, says false. Whether it never did.
template <class Visit>
bool for_each_cut_of_size(const Futures& futures, const Interval& interval, std::uint64_t size,
                          Visit&& visit) {
  return SizeWalk<std::remove_reference_t<Visit>>(futures, interval, size, visit).run();
}

}  // namespace lightcone
