// Consistent cuts visited on all cores, within limits.
#pragma once

#include <lightcone/lattice/visit/enumeration.h>
#include <lightcone/lattice/visit/limits.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace lightcone {

/// How many states were visited, and why not more.
struct Explored {
  std::uint64_t states = 0;
  Ending ending = Ending::complete;
};

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

  bool operator()(const Run& run) {
    if (const std::uint64_t length = std::uint64_t{run.to - run.from} + 1; length <= share_.left) {
      share_.left -= length;
      return visit(run);
    }
    return visit_in_pieces(run);
  }

 private:
  bool visit(const Run& run) {
    if constexpr (std::is_invocable_r_v<bool, Visitor&, const Run&>) {
      if (visitor_(run)) return true;
    } else {
      Rank v = run.from;
      for (; v <= run.to; ++v) {
        run.set(v);
        if (!visitor_(std::span<const Rank>(run.cut))) break;
      }
      if (v > run.to) return true;
      share_.left += run.to - v;
    }
    budget_.stop();
    return false;
  }

  bool visit_in_pieces(Run run) {
    for (const Rank end = run.to;; run.from = run.to + 1) {
      if (share_.left == 0 && !budget_.refill(share_)) return leave(run);
      run.to = static_cast<Rank>(std::min<std::uint64_t>(end, run.from + share_.left - 1));
      share_.left -= std::uint64_t{run.to - run.from} + 1;
      if (!visit(run)) return false;
      if (run.to == end) return true;
    }
  }

  bool leave(const Run& run) {
    run.set(run.from);
    first_left_.emplace(run.cut.begin(), run.cut.end());
    return false;
  }

  Visitor& visitor_;
  StateBudget& budget_;
  StateBudget::Share share_;
  std::optional<Cut> first_left_;
};

/// Visits the consistent cuts of an interval, one thread a visitor, until one of them says false
/// or a limit is hit. Visitors take a `std::span<const Rank>`, or a `const Run&`, and return
/// whether to go on. A single visitor sees them in lexical order, on the thread that calls.
template <class Visitor>
Explored explore(const Futures& futures, const Interval& interval, std::span<Visitor> visitors,
                 const Limits& limits = {}, const Progress& progress = {}) {
  // Sizes of parts are guessed, so that a thread needs many of them to end with the others.
  constexpr std::size_t parts_a_thread = 256;
  const auto parts = visitors.size() == 1
                         ? std::vector<Interval>{interval}
                         : split(futures, {interval}, visitors.size() * parts_a_thread);
  StateBudget budget(limits, progress, parts.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](Visitor& visitor) {
    RationedVisitor<Visitor> rationed(visitor, budget);
    for (std::size_t i = next++; i < parts.size(); i = next++) {
      if (!for_each_run(futures, parts[i], rationed)) return;
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
