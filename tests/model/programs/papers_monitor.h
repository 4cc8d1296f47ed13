// The monitor of RR-2194, section 4.2, but for one correction: what inevitable states are tested
// against and compared with.
#pragma once

#include <lightcone/computation.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone::definition {

/// The queues of n processes: the heads' indices. State `last[i] + 1` is s∞ of process i.
/// `began_before(i, x, j, y)` is s(i, x) →w s(j, y), and holds for no x that is s∞.
template <class BeganBefore, class Found>
class PapersMonitor {
 public:
  PapersMonitor(std::span<const Rank> last, const BeganBefore& began_before, const Found& found)
      : last_(last), began_before_(began_before), found_(found), head_(last.size(), 0) {}

  void run() {
    const auto n = static_cast<std::uint32_t>(head_.size());
    std::vector<bool> changed(n, true);
    while (!all_are_at_their_end()) {
      std::vector<bool> new_changed(n, false);
      bool none_changed = true;
      for (std::uint32_t i = 0; i < n; ++i) {
        if (!changed[i]) continue;
        for (std::uint32_t j = 0; j < n; ++j) {
          if (!began_before_(i, head_[i], j, next(j))) new_changed[j] = true, none_changed = false;
          if (!began_before_(j, head_[j], i, next(i))) new_changed[i] = true, none_changed = false;
        }
      }
      if (none_changed) {
        found_(std::span<const Rank>(head_));
        new_changed[successor()] = true;
      }
      changed = new_changed;
      for (std::uint32_t i = 0; i < n; ++i) {
        if (changed[i]) head_[i] = next(i);
      }
    }
  }

 private:
  [[nodiscard]] Rank next(std::uint32_t i) const { return std::min(head_[i], last_[i]) + 1; }

  [[nodiscard]] bool all_are_at_their_end() const {
    for (std::uint32_t i = 0; i < head_.size(); ++i) {
      if (head_[i] <= last_[i]) return false;
    }
    return true;
  }

  /// Line 4: a k so that the state with next(s(k)) in place of s(k) is consistent. Where s∞ counts
  /// as consistent with everything, entering it while others still move misses later states; so it
  /// is entered only when every process is at its last state. (Where s∞ begins at an event that
  /// Hˡᵃˢᵗ holds for, consistency says the same; without Hˡᵃˢᵗ, there are no later states to miss.)
  [[nodiscard]] std::uint32_t successor() const {
    for (std::uint32_t k = 0; k < head_.size(); ++k) {
      if (head_[k] < last_[k] && can_enter(k)) return k;
    }
    return 0;
  }

  /// No other state was over before next(s(k)) began: s →s t iff next(s) →w t.
  [[nodiscard]] bool can_enter(std::uint32_t k) const {
    for (std::uint32_t i = 0; i < head_.size(); ++i) {
      if (i != k && began_before_(i, next(i), k, next(k))) return false;
    }
    return true;
  }

  std::span<const Rank> last_;
  const BeganBefore& began_before_;
  const Found& found_;
  std::vector<Rank> head_;
};

/// Calls `found` with each inevitable state that the monitor finds, in its order.
template <class BeganBefore, class Found>
void papers_monitor(std::span<const Rank> last, const BeganBefore& began_before,
                    const Found& found) {
  PapersMonitor<BeganBefore, Found>(last, began_before, found).run();
}

}  // namespace lightcone::definition
