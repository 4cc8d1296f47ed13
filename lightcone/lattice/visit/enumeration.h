// Every consistent cut between two of them, each once: range by range, or one by one.
#pragma once

#include <lightcone/lattice/visit/cut_range_walk.h>

#include <span>
#include <type_traits>

namespace lightcone {

/// Visits the consistent cuts of an interval range by range, in lexical order, until
/// `visit(CutRange)` returns false. Returns whether it never did.
template <class Visit>
bool for_each_cut_range(const Futures& futures, const Interval& interval, Visit&& visit) {
  return CutRangeWalk<std::remove_reference_t<Visit>>(futures, interval, visit).run();
}

/// Visits the consistent cuts of an interval in lexical order until `visit(cut)`, with a
/// `std::span<const Rank>`, says false. Whether it never did.
template <class Visit>
bool for_each_cut(const Futures& futures, const Interval& interval, Visit&& visit) {
  return for_each_cut_range(futures, interval, [&](const CutRange& range) {
    for (Rank v = range.from; v <= range.to; ++v) {
      range.set(v);
      if (!visit(std::span<const Rank>(range.cut))) return false;
    }
    return true;
  });
}

}  // namespace lightcone
