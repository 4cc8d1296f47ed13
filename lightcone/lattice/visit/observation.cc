// Observations are linear extensions: one at random, or how many there are (products in series,
// shuffles in parallel, else cut by cut).
#include <lightcone/lattice/visit/observation.h>

#include <lightcone/causal/order/linear_extension.h>
#include <lightcone/error.h>
#include <lightcone/lattice/eliminate/natural_number.h>
#include <lightcone/lattice/order/decomposition.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace lightcone {
namespace {

using Clock = std::chrono::steady_clock;

/// The ways to the cuts with the same number of events. A cut is written as its moving entries.
using Ways = tsl::robin_map<std::u32string, NaturalNumber>;

class ObservationCounter {
 public:
  ObservationCounter(const Futures& futures, const Limits& limits)
      : futures_(futures), limits_(limits) {}

  [[nodiscard]] NaturalNumber count(const Interval& interval) {
    NaturalNumber ways(1);
    std::uint64_t events = 0;
    for (const Interval& part : parallel_parts(futures_.level(), interval)) {
      const std::uint64_t size = size_of(part.upper) - size_of(part.lower);
      events += size;
      ways *= NaturalNumber::binomial(events, size);
      ways *= count_connected(part);
    }
    return ways;
  }
  [[nodiscard]] bool exact() const { return exact_; }

 private:
  [[nodiscard]] NaturalNumber count_connected(const Interval& interval) {
    NaturalNumber ways(1);
    if (moving_chains(interval).size() == 1) return ways;
    for_each_series_part(futures_, interval, [&](const Interval& part) {
      const bool is_all = part.lower == interval.lower && part.upper == interval.upper;
      ways *= is_all ? count_cut_by_cut(part) : count(part);
    });
    return ways;
  }

  /// The ways to a cut are those to the cuts below it, one event earlier. When a limit ends this,
  /// each way so far goes on somehow.
  [[nodiscard]] NaturalNumber count_cut_by_cut(const Interval& interval) {
    const auto moving = moving_chains(interval);
    Ways ways;
    ways[entries(interval.lower, moving)] = NaturalNumber(1);
    for (std::uint64_t m = size_of(interval.lower); m < size_of(interval.upper); ++m) {
      Ways next;
      for (const auto& [cut, to_cut] : ways) {
        if (++visited_ % 1024 == 0) out_of_time_ |= seconds() > limits_.seconds;
        if (visited_ > limits_.states || out_of_time_) return at_least(ways);
        advance(interval, moving, cut, to_cut, next);
      }
      ways = std::move(next);
    }
    return ways.begin()->second;
  }

  [[nodiscard]] static std::u32string entries(const Cut& cut,
                                              const std::vector<std::uint32_t>& moving) {
    std::u32string text;
    for (const std::uint32_t c : moving) text.push_back(cut[c]);
    return text;
  }

  void advance(const Interval& interval, const std::vector<std::uint32_t>& moving,
               const std::u32string& cut, const NaturalNumber& to_cut, Ways& next) const {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      if (cut[i] == interval.upper[moving[i]]) continue;
      std::u32string after = cut;
      ++after[i];
      const auto past = futures_.level().past(moving[i], after[i]);
      bool possible = true;
      for (std::size_t j = 0; j < moving.size(); ++j) possible &= past[moving[j]] <= after[j];
      if (possible) next[std::move(after)] += to_cut;
    }
  }

  [[nodiscard]] NaturalNumber at_least(const Ways& ways) {
    exact_ = false;
    NaturalNumber sum;
    for (const auto& [cut, to_cut] : ways) sum += to_cut;
    return sum;
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  const Futures& futures_;
  const Limits limits_;
  const Clock::time_point begin_ = Clock::now();
  std::uint64_t visited_ = 0;
  bool out_of_time_ = false;
  bool exact_ = true;
};

}  // namespace

std::vector<EventIndex> random_observation(const Level& level, std::uint64_t seed) {
  std::vector<EventIndex> observation;
  Cut reached(level.chains(), 0);
  for (const EventIndex e : random_linear_extension(level.computation(), seed)) {
    const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
    if (chain == none || reached[chain] == level.top()[chain]) continue;
    if (level.event(chain, reached[chain] + 1) != e) continue;
    if (++reached[chain] > level.bottom()[chain]) observation.push_back(e);
  }
  return observation;
}

std::uint64_t states_in_memory(const Level& level, const Limits& limits) {
  constexpr std::uint64_t beside_entries = 128;
  return limits.bytes / (4 * std::uint64_t{level.chains()} + beside_entries);
}

Count count_observations(const Futures& futures, const Interval& interval, const Limits& limits) {
  LIGHTCONE_ASSERT(futures.is_order());
  Limits allowed = limits;  // each state that is visited may be held
  allowed.states = std::min(limits.states, states_in_memory(futures.level(), limits));
  ObservationCounter counter(futures, allowed);
  const NaturalNumber ways = counter.count(interval);
  return count_of(ways, counter.exact());
}

}  // namespace lightcone
