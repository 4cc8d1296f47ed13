// Counts cuts per value of a sum, without visiting them.
#include <lightcone/lattice/predicate/sum_by_elimination.h>

#include <lightcone/lattice/eliminate/direct_causes.h>
#include <lightcone/lattice/eliminate/elimination.h>
#include <lightcone/lattice/eliminate/position_graph.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace lightcone {
namespace {

// An elimination counts the cuts of an interval apart by the value of the sum. If the count for the
// value asked for is not 0, such a cut exists. Then the interval is split at an event, and one of
// the halves has such a cut, too. This goes on until one cut is left.
class ExactSumSearch {
 public:
  ExactSumSearch(const Level& level, std::span<const Condition::Summand> sum, std::int64_t value,
                 Budget& budget)
      : futures_(level), budget_(budget), sum_(sum), value_(value) {}

  [[nodiscard]] FoundState run() {
    const Level& level = futures_.level();
    if (!futures_.is_order() || !find_summands()) return {};
    if (is_out_of_reach_) return {false, {}};
    causes_.emplace(level);
    Interval interval = all_of(level);
    std::optional<bool> found = has_cut(interval);
    if (!found.value_or(false)) return {found, {}};
    for (auto moving = moving_chains(interval); !moving.empty(); moving = moving_chains(interval)) {
      auto [without, with] = halves_at(interval, moving[0]);
      found = has_cut(without);
      if (!found) return {};
      interval = std::move(*found ? without : with);
    }
    return {true, std::move(interval.lower)};
  }

 private:
  /// Numbers from 0 on, with no common factor. Returns false if they are too large.
  [[nodiscard]] bool find_summands() {
    const Level& level = futures_.level();
    constexpr std::int64_t most = 1 << 20;
    std::int64_t target = value_;
    std::int64_t factor = 0;
    std::vector<std::vector<std::int64_t>> numbers(level.chains());
    for (std::uint32_t c = 0; c < level.chains(); ++c) numbers[c].resize(level.top()[c] + 1, 0);
    for (const auto& summand : sum_) {
      if (summand.chain == none) {
        target -= summand.values[0];
        continue;
      }
      auto& of_chain = numbers[summand.chain];
      for (std::size_t x = 0; x < of_chain.size(); ++x) of_chain[x] += summand.values[x];
    }
    for (auto& of_chain : numbers) {
      const std::int64_t least = *std::min_element(of_chain.begin(), of_chain.end());
      target -= least;
      for (std::int64_t& number : of_chain) factor = std::gcd(factor, number -= least);
    }
    factor = std::max<std::int64_t>(factor, 1);
    is_out_of_reach_ = target < 0 || target % factor != 0;
    target_ = target / factor;
    for (const auto& of_chain : numbers) {
      auto& summands = summands_.emplace_back();
      for (const std::int64_t number : of_chain) {
        if (number / factor > most) return is_out_of_reach_;
        summands.push_back(static_cast<std::uint32_t>(number / factor));
      }
    }
    return true;
  }

  /// Returns whether a cut of the interval has the value.
  [[nodiscard]] std::optional<bool> has_cut(const Interval& interval) {
    if (!budget_.has_time()) return std::nullopt;
    const PositionGraph graph(futures_, *causes_, interval);
    std::int64_t target = target_;
    double bits = 0;
    for (std::uint32_t c = 0; c < interval.lower.size(); ++c) {
      const Rank length = interval.upper[c] - interval.lower[c];
      if (length == 0) target -= summands_[c][interval.lower[c]];
      bits += std::log2(double(length) + 1);
    }
    if (target < 0) return false;
    constexpr double most_bytes = 1e9;
    constexpr double most_work = 1U << 24;
    EliminationRequest request{.limbs_per_digit = static_cast<std::uint32_t>(bits / 64) + 1,
                               .summands = &summands_};
    request.bytes = std::min(double(budget_.limits().bytes), most_bytes) / 4;
    request.work = most_work;
    request.deadline = budget_.half_time();
    const auto eliminated = eliminate(graph, request);
    if (eliminated == nullptr) return std::nullopt;
    const NaturalNumber counts = eliminated->count();
    const auto& limbs = counts.limbs();
    const auto begin = static_cast<std::size_t>(target) * request.limbs_per_digit;
    const auto end = std::min(limbs.size(), begin + request.limbs_per_digit);
    for (std::size_t i = begin; i < end; ++i) {
      if (limbs[i] != 0) return true;
    }
    return false;
  }

  /// The cuts without the event in the middle of a chain, and those with it.
  [[nodiscard]] std::pair<Interval, Interval> halves_at(const Interval& whole,
                                                        std::uint32_t chain) const {
    const Rank length = whole.upper[chain] - whole.lower[chain];
    const Rank middle = whole.lower[chain] + length / 2 + 1;
    return {{whole.lower, meet(whole.upper, futures_.without(chain, middle))},
            {join(whole.lower, futures_.level().past(chain, middle)), whole.upper}};
  }

  Futures futures_;
  Budget& budget_;
  std::span<const Condition::Summand> sum_;
  std::int64_t value_;
  std::int64_t target_ = 0;  // the value for the summands
  bool is_out_of_reach_ = false;
  std::vector<std::vector<std::uint32_t>> summands_;  // of each chain's positions
  std::optional<DirectCauses> causes_;
};

}  // namespace

FoundState sum_by_elimination(const Level& level, std::span<const Condition::Summand> sum,
                              std::int64_t value, Budget& budget) {
  return ExactSumSearch(level, sum, value, budget).run();
}

}  // namespace lightcone
