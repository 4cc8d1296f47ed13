// Every consistent cut with a given number of events: the lattice level by level.
#pragma once

#include <lightcone/lattice/futures.h>
#include <lightcone/lattice/interval.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Chains are fixed one after the other as in RunWalk: the choices so far leave the cuts of an
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

  /// Whether the visitor never said stop.
  bool run() {
    const std::uint64_t least = total(lo(0), lo(0), most);
    if (size_ < least || size_ > total(hi(0), hi(0), fewest)) return true;
    return order_.empty() ? visit_(std::span<const Rank>(cut_)) : choose(0, least);
  }

 private:
  static constexpr auto most = [](Rank a, Rank b) { return std::max(a, b); };
  static constexpr auto fewest = [](Rank a, Rank b) { return std::min(a, b); };

  [[nodiscard]] Rank* lo(std::size_t depth) { return frames_.data() + 2 * depth * stride_; }
  [[nodiscard]] Rank* hi(std::size_t depth) { return lo(depth) + stride_; }
  [[nodiscard]] bool is_closed(std::uint32_t chain, Rank v) const {
    return futures_.is_order() || v <= level_.bottom()[chain] || level_.past(chain, v)[chain] == v;
  }
  template <class Choose>
  [[nodiscard]] std::uint64_t total(const Rank* a, const Rank* b, Choose of) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < stride_; ++i) sum += of(a[i], b[i]);
    return sum;
  }

  [[nodiscard]] const Rank* without(std::size_t depth, Rank v) {
    const std::uint32_t chain = order_[depth];
    return v < hi(depth)[chain] ? futures_.without(chain, v + 1).data() : hi(depth);
  }
  /// The least value of a chain that leaves cuts as large as needed; the greatest one does.
  [[nodiscard]] Rank first_large_enough(std::size_t depth) {
    Rank from = lo(depth)[order_[depth]];
    Rank to = hi(depth)[order_[depth]];
    while (from < to) {
      const Rank middle = from + (to - from) / 2;
      const bool enough = total(hi(depth), without(depth, middle), fewest) >= size_;
      (enough ? to : from) = enough ? middle : middle + 1;
    }
    return from;
  }

  bool choose(std::size_t depth, std::uint64_t least) {
    const std::uint32_t chain = order_[depth];
    const Rank first = lo(depth)[chain];
    if (depth + 1 == order_.size()) {
      cut_[chain] = static_cast<Rank>(first + (size_ - least));
      return !is_closed(chain, cut_[chain]) || visit_(std::span<const Rank>(cut_));
    }
    for (Rank v = first_large_enough(depth); v <= hi(depth)[chain]; ++v) {
      const Rank* past = v > first ? level_.past(chain, v).data() : lo(depth);
      const std::uint64_t least_now = total(lo(depth), past, most);
      if (least_now > size_) break;
      if (!is_closed(chain, v)) continue;
      cut_[chain] = v;
      narrow(depth, past, without(depth, v));
      if (!choose(depth + 1, least_now)) return false;
    }
    return true;
  }

  void narrow(std::size_t depth, const Rank* past, const Rank* without) {
    Rank* from = lo(depth);
    for (std::size_t i = 0; i < stride_; ++i) from[2 * stride_ + i] = std::max(from[i], past[i]);
    from += stride_;
    for (std::size_t i = 0; i < stride_; ++i) from[2 * stride_ + i] = std::min(from[i], without[i]);
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
