// Series, parallel, elimination, conditions, visit: in this order, each for what the one before
// left.
#include <lightcone/lattice/count/cut_counter.h>

#include <lightcone/base/parallel.h>
#include <lightcone/lattice/eliminate/position_graph.h>
#include <lightcone/lattice/order/decomposition.h>
#include <lightcone/lattice/visit/parallel_visit.h>
#include <lightcone/lattice/workers/visit_on_workers.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace lightcone {
namespace {

/// Counts whole runs; by size, if there are places for sizes.
struct CutTally {
  std::uint64_t states = 0;
  std::vector<std::uint64_t> by_size = {};
  std::uint64_t least_size = 0;

  bool operator()(const CutRange& range) {
    states += std::uint64_t{range.to - range.from} + 1;
    if (!by_size.empty()) add_sizes(range);
    return true;
  }
  void add_sizes(const CutRange& range) {
    range.set(range.from);
    const std::uint64_t first = size_of(range.cut) - least_size;
    for (Rank v = range.from; v <= range.to; ++v) ++by_size[first + (v - range.from)];
  }
};

[[nodiscard]] CutTally tally_for(const Interval& interval, std::uint32_t limbs_per_size) {
  CutTally tally{.least_size = size_of(interval.lower)};
  if (limbs_per_size != 0) tally.by_size.resize(size_of(interval.upper) - tally.least_size + 1);
  return tally;
}

[[nodiscard]] NaturalNumber value_of(const CutTally& tally, std::uint32_t limbs_per_size) {
  if (limbs_per_size == 0) return NaturalNumber(tally.states);
  std::vector<std::uint64_t> limbs(tally.by_size.size() * limbs_per_size, 0);
  for (std::size_t m = 0; m < tally.by_size.size(); ++m) {
    limbs[m * limbs_per_size] = tally.by_size[m];
  }
  return NaturalNumber(std::move(limbs));
}

}  // namespace

CutCounter::CutCounter(const Futures& futures, const Limits& limits, const Progress& progress,
                       Workers* workers, std::uint32_t limbs_per_size)
    : futures_(futures),
      limits_(limits),
      progress_(progress),
      workers_(workers),
      limbs_per_size_(limbs_per_size) {
  if (futures.is_order()) causes_ = std::make_shared<const DirectCauses>(futures.level());
}

NaturalNumber CutCounter::count(const Interval& interval) {
  NaturalNumber product(1);
  for (const Interval& part : parallel_parts(futures_.level(), interval)) {
    product *= count_connected(part);
  }
  return product;
}

NaturalNumber CutCounter::count_connected(const Interval& interval) {
  if (const auto moving = moving_chains(interval); moving.size() == 1 && futures_.is_order()) {
    return count_chain(std::uint64_t{1} + interval.upper[moving[0]] - interval.lower[moving[0]]);
  }
  NaturalNumber sum(1);
  const std::uint64_t least_size = size_of(interval.lower);
  for_each_series_part(futures_, interval, [&](const Interval& part) {
    const bool is_all = part.lower == interval.lower && part.upper == interval.upper;
    NaturalNumber value = is_all ? count_whole(part) : count(part);
    value -= NaturalNumber(1);  // the cut that is shared with the part before
    sum += value.shift_limbs((size_of(part.lower) - least_size) * limbs_per_size_);
  });
  return sum;
}

NaturalNumber CutCounter::count_chain(std::uint64_t positions) const {
  if (limbs_per_size_ == 0) return NaturalNumber(positions);
  CutTally tally{.states = positions};
  tally.by_size.assign(positions, 1);
  return value_of(tally, limbs_per_size_);
}

NaturalNumber CutCounter::count_whole(const Interval& interval) {
  if (!futures_.is_order()) return count_one_by_one(interval);
  const Limits now = left();
  if (depth_ > 0 && (now.seconds == 0 || now.states == 0)) {
    exact_ = false;
    return NaturalNumber(2);  // its lower and upper cut
  }
  if (depth_ > 0 && has_few_cuts(interval)) return count_few(interval);
  if (now.seconds > 0) {
    const PositionGraph graph(futures_, *causes_, interval);
    if (const auto eliminated = eliminate(graph, request())) {
      width_ = std::max(width_, eliminated->width());
      return eliminated->count();
    }
    if (depth_ > 0 || workers_ == nullptr) return condition(graph);
  }
  return count_one_by_one(interval);
}

Limits CutCounter::left() const {
  const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
  return {limits_.states - std::min(visited_, limits_.states),
          std::max(limits_.seconds - spent, 0.0), limits_.bytes};
}

/// Half of what is left, so that something else can be tried; little for one part of many.
EliminationRequest CutCounter::request() const {
  constexpr double most_bytes = 4e9;
  constexpr double most_seconds = 1e6;
  constexpr double entries_per_second = 5e7;
  constexpr double work_for_a_part = 1U << 20;
  const Limits now = left();
  const double seconds = std::min(now.seconds / 2, most_seconds);
  EliminationRequest request{.limbs_per_digit = limbs_per_size_};
  request.bytes = std::min(double(now.bytes), most_bytes) / 2;
  request.work = depth_ > 0 ? work_for_a_part : entries_per_second * seconds;
  request.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(seconds));
  return request;
}

/// Cuts that differ in the stop of one chain are different, so that numbers add up. With its stop,
/// the chain takes its causes and effects along: what is left is smaller, and often falls apart.
NaturalNumber CutCounter::condition(const PositionGraph& graph) {
  const std::uint32_t variable = graph.busiest();
  const std::uint32_t stops = graph.stops(variable);
  const std::uint64_t least_size = size_of(graph.interval().lower);
  NaturalNumber sum;
  std::mutex lock;
  std::uint32_t finished = 0;
  const auto part_counter = [&] {
    const std::lock_guard guard(lock);
    CutCounter counter(*this);
    ++counter.depth_;
    counter.limits_.states -= std::min(visited_, limits_.states);
    counter.visited_ = 0;
    return counter;
  };
  const auto count_stop = [&](std::size_t stop) {
    CutCounter counter = part_counter();
    const Interval part = graph.at_stop(variable, static_cast<std::uint32_t>(stop));
    NaturalNumber value = counter.count(part);
    value.shift_limbs((size_of(part.lower) - least_size) * limbs_per_size_);
    const std::lock_guard guard(lock);
    sum += value;
    visited_ += counter.visited_;
    exact_ = exact_ && counter.exact_;
    width_ = std::max(width_, counter.width_);
    if (depth_ == 0 && progress_) progress_("counting parts", ++finished, stops);
  };
  if (depth_ == 0) {
    for_each_part(stops, count_stop);
  } else {
    for (std::uint32_t stop = 0; stop < stops; ++stop) count_stop(stop);
  }
  return sum;
}

NaturalNumber CutCounter::count_few(const Interval& interval) {
  CutTally tally = tally_for(interval, limbs_per_size_);
  for_each_cut_range(futures_, interval, tally);
  visited_ += tally.states;
  return value_of(tally, limbs_per_size_);
}

NaturalNumber CutCounter::count_one_by_one(const Interval& interval) {
  constexpr std::uint64_t few = 1U << 16;  // threads are not worth starting
  const Limits now = left();
  std::vector<CutTally> tallies{tally_for(interval, limbs_per_size_)};
  VisitedStates visited = visit_states(futures_, interval, std::span(tallies),
                                       {std::min(now.states, few), now.seconds}, progress_);
  NaturalNumber value = value_of(tallies[0], limbs_per_size_);
  if (visited.ending != Ending::complete && now.states > few && left().seconds > 0) {
    visited =
        workers_ == nullptr ? visit_all(interval, value) : visit_on_all_workers(interval, value);
  }
  if (visited.states > few) method_ = CountMethod::enumeration;
  visited_ += visited.states;
  if (visited.ending == Ending::complete) return value;
  method_ = CountMethod::enumeration;
  exact_ = false;
  visited_ = limits_.states;
  // Its lower and upper cut are there.
  return visited.states >= 2 && limbs_per_size_ == 0 ? value : NaturalNumber(2);
}

VisitedStates CutCounter::visit_all(const Interval& interval, NaturalNumber& found) {
  std::vector<CutTally> tallies(cores(), tally_for(interval, limbs_per_size_));
  const VisitedStates visited =
      visit_states(futures_, interval, std::span(tallies), left(), progress_);
  found = NaturalNumber();
  for (const CutTally& tally : tallies) found += value_of(tally, limbs_per_size_);
  return visited;
}

VisitedStates CutCounter::visit_on_all_workers(const Interval& interval, NaturalNumber& found) {
  const WorkersVisit visit =
      visit_on_workers(*workers_, futures_, interval, nullptr, left(), progress_);
  found = NaturalNumber(visit.states);
  return {visit.states, visit.ending};
}

}  // namespace lightcone
