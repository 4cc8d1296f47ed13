// Consistent cuts visited on all cores, within limits.
#pragma once

#include <lightcone/lattice/visit/enumeration.h>
#include <lightcone/lattice/visit/state_budget.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace lightcone {

/// Returns how many visitors keep all cores busy.
[[nodiscard]] inline std::size_t cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

/// A thread's visitor, which is given what the thread's share of the budget allows.
template <class Visitor>
class RationedVisitor {
 public:
  RationedVisitor(Visitor& visitor, StateBudget& budget) : visitor_(visitor), budget_(budget) {}
  RationedVisitor(const RationedVisitor&) = delete;
  RationedVisitor& operator=(const RationedVisitor&) = delete;
  ~RationedVisitor() { budget_.give_back(share_); }

  /// The first cut that it was not given, where the budget ended it.
  [[nodiscard]] const std::optional<Cut>& first_left() const { return first_left_; }

  bool operator()(const CutRange& range) {
    if (const std::uint64_t length = std::uint64_t{range.to - range.from} + 1;
        length <= share_.left) {
      share_.left -= length;
      return visit(range);
    }
    return visit_in_pieces(range);
  }

 private:
  bool visit(const CutRange& range) {
    if constexpr (std::is_invocable_r_v<bool, Visitor&, const CutRange&>) {
      if (visitor_(range)) return true;
    } else {
      Rank v = range.from;
      for (; v <= range.to; ++v) {
        range.set(v);
        if (!visitor_(std::span<const Rank>(range.cut))) break;
      }
      if (v > range.to) return true;
      share_.left += range.to - v;
    }
    budget_.stop();
    return false;
  }

  bool visit_in_pieces(CutRange range) {
    for (const Rank end = range.to;; range.from = range.to + 1) {
      if (share_.left == 0 && !budget_.refill(share_)) return leave(range);
      range.to = static_cast<Rank>(std::min<std::uint64_t>(end, range.from + share_.left - 1));
      share_.left -= std::uint64_t{range.to - range.from} + 1;
      if (!visit(range)) return false;
      if (range.to == end) return true;
    }
  }

  bool leave(const CutRange& range) {
    range.set(range.from);
    first_left_.emplace(range.cut.begin(), range.cut.end());
    return false;
  }

  Visitor& visitor_;
  StateBudget& budget_;
  StateBudget::Share share_;
  std::optional<Cut> first_left_;
};

/// A visitor in the memory of the thread that uses it, until the thread ends. Visitors stand side
/// by side. Two that write to themselves with each state would take the same line of the cache from
/// each other, state by state.
template <class Visitor>
class BorrowedVisitor {
 public:
  explicit BorrowedVisitor(Visitor& lender) : lender_(lender), visitor_(std::move(lender)) {}
  BorrowedVisitor(const BorrowedVisitor&) = delete;
  BorrowedVisitor& operator=(const BorrowedVisitor&) = delete;
  /// Gives it back. Some visitors can be moved, but not assigned.
  ~BorrowedVisitor() {
    std::destroy_at(&lender_);
    std::construct_at(&lender_, std::move(visitor_));
  }

  [[nodiscard]] Visitor& visitor() { return visitor_; }

 private:
  Visitor& lender_;
  Visitor visitor_;
};

/// Visits the consistent cuts of an interval, one thread a visitor, until one of them says false
/// or a limit is hit. Visitors take a `std::span<const Rank>`, or a `const CutRange&`, and return
/// whether to go on. A single visitor sees them in lexical order, on the thread that calls.
template <class Visitor>
VisitedStates visit_states(const Futures& futures, const Interval& interval,
                           std::span<Visitor> visitors, const Limits& limits = {},
                           const Progress& progress = {}) {
  // Sizes of parts are guessed, so that a thread needs many of them to end with the others.
  constexpr std::size_t parts_a_thread = 256;
  const auto parts = visitors.size() == 1
                         ? std::vector<Interval>{interval}
                         : split(futures, {interval}, visitors.size() * parts_a_thread);
  StateBudget budget(limits, progress, parts.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](Visitor& visitor) {
    BorrowedVisitor<Visitor> borrowed(visitor);
    RationedVisitor<Visitor> rationed(borrowed.visitor(), budget);
    for (std::size_t i = next++; i < parts.size(); i = next++) {
      if (!for_each_cut_range(futures, parts[i], rationed)) return;
      budget.finish_part();
    }
  };
  {
    std::vector<std::jthread> others;
    for (Visitor& visitor : visitors.subspan(1)) {
      others.emplace_back([&work, &visitor] { work(visitor); });
    }
    work(visitors[0]);
  }
  return {budget.visited(), budget.ending()};
}

}  // namespace lightcone
