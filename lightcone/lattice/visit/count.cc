// Cuts of parts that follow each other add up, those of independent parts multiply.
#include <lightcone/lattice/visit/count.h>

#include <lightcone/lattice/order/decomposition.h>
#include <lightcone/lattice/visit/natural_number.h>
#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/lattice/workers/visit_on_workers.h>

#include <chrono>
#include <numeric>

namespace lightcone {
namespace {

/// Counts whole runs.
struct RangeCounter {
  std::uint64_t states = 0;

  bool operator()(const CutRange& range) {
    states += std::uint64_t{range.to - range.from} + 1;
    return true;
  }
};

/// Takes an interval apart in parallel and in series, in turns: each time with fewer chains, so
/// that it ends.
class CutCounter {
 public:
  CutCounter(const Futures& futures, const Limits& limits, const Progress& progress,
             Workers* workers)
      : futures_(futures), left_(limits), progress_(progress), workers_(workers) {}

  [[nodiscard]] NaturalNumber count(const Interval& interval) {
    const auto parts = parallel_parts(futures_.level(), interval);
    NaturalNumber product(1);
    for (const Interval& part : parts) product *= count_connected(part);
    return product;
  }
  [[nodiscard]] bool exact() const { return exact_; }

 private:
  [[nodiscard]] NaturalNumber count_connected(const Interval& interval) {
    if (const auto moving = moving_chains(interval); moving.size() == 1 && futures_.is_order()) {
      return NaturalNumber(std::uint64_t{1} + interval.upper[moving[0]] -
                           interval.lower[moving[0]]);
    }
    NaturalNumber sum(1);
    for_each_series_part(futures_, interval, [&](const Interval& part) {
      const bool is_all = part.lower == interval.lower && part.upper == interval.upper;
      sum += is_all ? count_one_by_one(part) : count(part);
      sum -= NaturalNumber(1);  // the cut that is shared with the part before
    });
    return sum;
  }

  [[nodiscard]] NaturalNumber count_one_by_one(const Interval& interval) {
    constexpr std::uint64_t few = 1U << 16;  // threads are not worth starting
    RangeCounter one;
    const Limits at_once{.states = std::min(left_.states, few), .seconds = left_.seconds};
    VisitedStates visited = run(interval, std::span(&one, 1), at_once);
    if (visited.ending != Ending::complete && left_.states > few && left_.seconds > 0) {
      visited = workers_ == nullptr ? run_on_cores(interval) : run_on_workers(interval);
    }
    left_.states -= visited.states;
    if (visited.ending == Ending::complete) return NaturalNumber(visited.states);
    exact_ = false;
    left_.states = 0;
    return NaturalNumber(std::max<std::uint64_t>(visited.states, 2));  // its lower and upper cut
  }

  [[nodiscard]] VisitedStates run(const Interval& interval, std::span<RangeCounter> counters,
                                  const Limits& limits) {
    return timed([&] { return visit_states(futures_, interval, counters, limits, progress_); });
  }
  [[nodiscard]] VisitedStates run_on_cores(const Interval& interval) {
    std::vector<RangeCounter> counters(cores());
    return run(interval, std::span(counters), left_);
  }
  [[nodiscard]] VisitedStates run_on_ranks(const Interval& interval) {
    return timed([&] {
      const WorkersVisit visit =
          visit_on_workers(*workers_, futures_, interval, nullptr, left_, progress_);
      return VisitedStates{visit.states, visit.ending};
    });
  }
  template <class Work>
  [[nodiscard]] VisitedStates timed(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    const VisitedStates visited = work();
    left_.seconds -=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return visited;
  }

  const Futures& futures_;
  Limits left_;
  const Progress& progress_;
  Workers* workers_;
  bool exact_ = true;
};

}  // namespace

Count count_of(const NaturalNumber& number, bool exact) {
  return {.decimal = number.decimal(), .number = number.small(), .exact = exact};
}

Count count_cuts(const Futures& futures, const Interval& interval, const Limits& limits,
                 const Progress& progress, Workers* workers) {
  CutCounter counter(futures, limits, progress, workers);
  const NaturalNumber value = counter.count(interval);
  return count_of(value, counter.exact());
}

}  // namespace lightcone
