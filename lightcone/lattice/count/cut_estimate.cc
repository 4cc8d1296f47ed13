// The share of random cuts that have one chain at a stop, again and again, until the rest can be
// counted.
#include <lightcone/lattice/count/cut_estimate.h>

#include <lightcone/lattice/count/cut_coupling.h>
#include <lightcone/lattice/eliminate/direct_causes.h>
#include <lightcone/lattice/eliminate/elimination.h>
#include <lightcone/lattice/eliminate/position_graph.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace lightcone {
namespace {

// Let S be a set of cuts and T those of S that have some chain at some stop. Then |S| = |T| / p,
// where p is the share of T in S. Uniformly random cuts of S (`coupled_cut`) tell p. T has one
// chain less to choose. So this is done until T can be counted. The logarithm of the result has the
// sum of the variances of the logarithms of all shares: (1 - p) / (p N) each, for N cuts.
class StagedEstimate {
 public:
  using Clock = std::chrono::steady_clock;

  StagedEstimate(const Futures& futures, double bytes, Clock::time_point deadline,
                 std::uint64_t seed)
      : futures_(futures),
        causes_(futures.level()),
        bytes_(bytes),
        deadline_(deadline),
        bits_(seed) {}

  [[nodiscard]] std::optional<CutEstimate> run(Interval interval) {
    while (!count_rest(interval)) {
      if (!add_stage(interval)) return std::nullopt;
    }
    while (improve()) {
    }
    return result();
  }

 private:
  /// Chains and stops are chosen by other cuts than shares are measured by.
  static constexpr std::uint64_t trials = 24;
  static constexpr std::uint64_t drawn_together = 20;
  static constexpr std::uint64_t fewest_draws = 60;
  static constexpr double small_enough = 0.02;  // standard deviation of the logarithm

  struct Stage {
    Interval all;
    std::uint32_t chain;
    Rank first, last;  // positions of its stop
    std::uint64_t draws = 0, hits = 0;
  };

  [[nodiscard]] bool count_rest(const Interval& interval) {
    constexpr double work = 1U << 21;
    const PositionGraph graph(futures_, causes_, interval);
    const auto rest = eliminate(graph, {.bytes = bytes_, .work = work, .deadline = deadline_});
    if (rest == nullptr) return false;
    log10_of_rest_ = rest->count().log10();
    return true;
  }
  /// Fixes the busiest chain where most trials have it.
  [[nodiscard]] bool add_stage(Interval& interval) {
    const PositionGraph graph(futures_, causes_, interval);
    const std::uint32_t variable = graph.busiest();
    const std::uint32_t chain = graph.chain(variable);
    std::vector<std::uint64_t> times(graph.stops(variable), 0);
    for (std::uint64_t i = 0; i < trials; ++i) {
      const auto cut = coupled_cut(futures_, interval, bits_, deadline_);
      if (!cut) return false;
      ++samples_;
      ++times[graph.stop_of(variable, (*cut)[chain])];
    }
    const auto stop =
        static_cast<std::uint32_t>(std::max_element(times.begin(), times.end()) - times.begin());
    stages_.push_back({interval, chain, graph.first_position(variable, stop),
                       graph.last_position(variable, stop)});
    interval = graph.at_stop(variable, stop);
    return true;
  }

  /// Draws some more cuts for each share. Returns whether that helps and there is time.
  [[nodiscard]] bool improve() {
    for (Stage& stage : stages_) {
      for (std::uint64_t i = 0; i < drawn_together; ++i) {
        const auto cut = coupled_cut(futures_, stage.all, bits_, deadline_);
        if (!cut) return false;
        ++samples_;
        ++stage.draws;
        const Rank position = (*cut)[stage.chain];
        if (position >= stage.first && position <= stage.last) ++stage.hits;
      }
    }
    return std::sqrt(variance()) > small_enough;
  }
  [[nodiscard]] double variance() const {
    double sum = 0;
    for (const Stage& stage : stages_) {
      if (stage.hits == 0) return INFINITY;
      sum += 1 / double(stage.hits) - 1 / double(stage.draws);
    }
    return sum;
  }
  [[nodiscard]] std::optional<CutEstimate> result() const {
    double log10 = log10_of_rest_;
    for (const Stage& stage : stages_) {
      if (stage.draws < fewest_draws || stage.hits == 0) return std::nullopt;
      log10 += std::log10(double(stage.draws) / double(stage.hits));
    }
    constexpr double of_normal = 1.96;  // between it and its negative lie 95 of 100
    const double spread = of_normal * std::sqrt(variance()) / std::log(10);
    return CutEstimate{log10, log10 - spread, log10 + spread, samples_};
  }

  const Futures& futures_;
  DirectCauses causes_;
  double bytes_;
  Clock::time_point deadline_;
  RandomBits bits_;
  std::vector<Stage> stages_;
  double log10_of_rest_ = 0;
  std::uint64_t samples_ = 0;
};

}  // namespace

std::optional<CutEstimate> estimate_cuts(const Futures& futures, const Interval& interval,
                                         const Limits& limits, std::uint64_t seed) {
  if (!futures.is_order() || limits.seconds <= 0) return std::nullopt;
  constexpr double most_bytes = 1e9;
  constexpr double most_seconds = 3600;
  const auto time = std::chrono::duration_cast<StagedEstimate::Clock::duration>(
      std::chrono::duration<double>(std::min(limits.seconds, most_seconds)));
  return StagedEstimate(futures, std::min(double(limits.bytes), most_bytes) / 2,
                        StagedEstimate::Clock::now() + time, seed)
      .run(interval);
}

}  // namespace lightcone
