// Visits the intervals of a share one after the other, and hands back what is left of them.
#include <lightcone/lattice/rank_share.h>

#include <lightcone/lattice/exploration.h>

#include <mutex>
#include <utility>

namespace lightcone {
namespace {

/// Passes over whole runs.
struct Passer {
  bool operator()(const Run& /*run*/) { return true; }
};

/// Looks for a cut.
struct Finder {
  const Condition* condition;
  std::optional<Cut> found = {};

  bool operator()(std::span<const Rank> cut) {
    if (!condition->holds(cut)) return true;
    found.emplace(cut.begin(), cut.end());
    return false;
  }
};

class Work {
 public:
  Work(RankShare share, const Futures& futures, std::size_t threads)
      : futures_(futures),
        intervals_(
            split(futures, std::move(share.intervals), parts_a_thread * threads, log_of_few_cuts)),
        limits_{.states = share.states, .seconds = share.seconds},
        budget_(limits_, no_progress_, intervals_.size()) {}

  /// One thread a visitor.
  template <class Visitor>
  [[nodiscard]] RankReport run(std::vector<Visitor>& visitors) {
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < visitors.size(); ++i) {
        others.emplace_back([this, &visitor = visitors[i]] { visit(visitor); });
      }
      visit(visitors[0]);
    }
    for (std::size_t i = next_; i < intervals_.size(); ++i) {
      report_.left.push_back(std::move(intervals_[i]));
    }
    report_.states = budget_.visited();
    return std::move(report_);
  }

 private:
  static constexpr std::size_t parts_a_thread = 8;

  template <class Visitor>
  void visit(Visitor& visitor) {
    RationedVisitor<Visitor> rationed(visitor, budget_);
    for (std::size_t i = next_++; i < intervals_.size(); i = next_++) {
      if (for_each_run(futures_, intervals_[i], rationed)) continue;
      if (const auto& first = rationed.first_left()) keep(rest_of(futures_, intervals_[i], *first));
      return;
    }
  }

  void keep(std::vector<Interval> rest) {
    const std::lock_guard lock(lock_);
    for (Interval& interval : rest) report_.left.push_back(std::move(interval));
  }

  const Futures& futures_;
  std::vector<Interval> intervals_;
  const Limits limits_;
  const Progress no_progress_;
  StateBudget budget_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex lock_;  // of what is left
  RankReport report_;
};

}  // namespace

RankReport work_on(RankShare share, const Futures& futures, const Condition* condition,
                   std::size_t threads) {
  Work work(std::move(share), futures, threads);
  if (condition == nullptr) {
    std::vector<Passer> passers(threads);
    return work.run(passers);
  }
  std::vector<Finder> finders(threads, Finder{condition});
  RankReport report = work.run(finders);
  for (Finder& finder : finders) {
    if (finder.found) report.found = std::move(finder.found);
  }
  return report;
}

}  // namespace lightcone
