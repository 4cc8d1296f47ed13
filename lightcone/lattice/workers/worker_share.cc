// Visits the intervals of a share one after the other, and returns what is left of them.
#include <lightcone/lattice/workers/worker_share.h>

#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/lattice/visit/search.h>
#include <lightcone/lattice/workers/lattice_wire.h>

#include <bit>
#include <mutex>
#include <utility>

namespace lightcone {
namespace {

/// Passes over whole runs.
struct Passer {
  bool operator()(const CutRange& /*range*/) { return true; }
};

class Work {
 public:
  Work(WorkerShare share, const Futures& futures, std::size_t threads)
      : futures_(futures),
        intervals_(
            split(futures, std::move(share.intervals), parts_a_thread * threads, log_of_few_cuts)),
        limits_{.states = share.states, .seconds = share.seconds},
        budget_(limits_, no_progress_, intervals_.size()) {}

  /// One thread a visitor.
  template <class Visitor>
  [[nodiscard]] WorkerReport run(std::vector<Visitor>& visitors) {
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
      if (for_each_cut_range(futures_, intervals_[i], rationed)) continue;
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
  WorkerReport report_;
};

void write_all(WireWriter& writer, const std::vector<Interval>& intervals) {
  writer.number(intervals.size());
  for (const Interval& interval : intervals) write(writer, interval);
}
[[nodiscard]] std::vector<Interval> read_all(WireReader& reader) {
  std::vector<Interval> intervals;
  for (std::uint64_t left = reader.number(); left > 0 && !reader.failed(); --left) {
    intervals.push_back(read_interval(reader));
  }
  return intervals;
}

}  // namespace

WorkerReport work_on(WorkerShare share, const Futures& futures, const Condition* condition,
                     std::size_t threads) {
  Work work(std::move(share), futures, threads);
  if (condition == nullptr) {
    std::vector<Passer> passers(threads);
    return work.run(passers);
  }
  std::vector<CutFinder> finders(threads, CutFinder{condition});
  WorkerReport report = work.run(finders);
  for (CutFinder& finder : finders) {
    if (finder.found) report.found = std::move(finder.found);
  }
  return report;
}

std::size_t threads_of(const Workers& workers) {
  return std::max<std::size_t>(cores() / workers.neighbours(), 1);
}

void write(WireWriter& writer, const WorkerShare& share) {
  writer.number(share.states);
  writer.fixed(std::bit_cast<std::uint64_t>(share.seconds), 8);
  write_all(writer, share.intervals);
}

WorkerShare read_share(WireReader& reader) {
  WorkerShare share;
  share.states = reader.number();
  share.seconds = std::bit_cast<double>(reader.fixed(8));
  share.intervals = read_all(reader);
  return share;
}

void write(WireWriter& writer, const WorkerReport& report) {
  writer.number(report.states);
  write_all(writer, report.left);
  writer.number(report.found ? 1 : 0);
  if (report.found) write(writer, *report.found);
}

WorkerReport read_report(WireReader& reader) {
  WorkerReport report;
  report.states = reader.number();
  report.left = read_all(reader);
  if (reader.number() != 0) report.found = read_cut(reader);
  return report;
}

}  // namespace lightcone
