// Takes an interval of cuts apart until its parts can be counted.
#pragma once

#include <lightcone/lattice/eliminate/direct_causes.h>
#include <lightcone/lattice/eliminate/elimination.h>
#include <lightcone/lattice/eliminate/natural_number.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>
#include <lightcone/states.h>

#include <chrono>
#include <cstdint>
#include <memory>

namespace lightcone {

/// Counts cuts. Parts that follow each other and parts that are independent are counted apart. A
/// part that is neither is eliminated. If its tables are too large, the chain that most others need
/// is fixed at each of its positions, and what is left is counted for each. The rest is visited.
///
/// With `limbs_per_size`, the result has the counts per size as digits (`EliminationRequest`).
class CutCounter {
 public:
  CutCounter(const Futures& futures, const Limits& limits, const Progress& progress,
             Workers* workers, std::uint32_t limbs_per_size = 0);

  [[nodiscard]] NaturalNumber count(const Interval& interval);
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] CountMethod method() const { return method_; }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  /// What may still be spent.
  [[nodiscard]] Limits left() const;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] NaturalNumber count_connected(const Interval& interval);
  [[nodiscard]] NaturalNumber count_chain(std::uint64_t positions) const;
  [[nodiscard]] NaturalNumber count_whole(const Interval& interval);
  [[nodiscard]] EliminationRequest request() const;
  [[nodiscard]] NaturalNumber condition(const PositionGraph& graph);
  [[nodiscard]] NaturalNumber count_few(const Interval& interval);
  [[nodiscard]] NaturalNumber count_one_by_one(const Interval& interval);
  [[nodiscard]] VisitedStates visit_all(const Interval& interval, NaturalNumber& found);
  [[nodiscard]] VisitedStates visit_on_all_workers(const Interval& interval, NaturalNumber& found);

  const Futures& futures_;
  Limits limits_;
  const Progress& progress_;
  Workers* workers_;
  std::uint32_t limbs_per_size_;
  const Clock::time_point begin_ = Clock::now();
  std::shared_ptr<const DirectCauses> causes_;  // of an order
  std::uint64_t visited_ = 0;
  bool exact_ = true;
  CountMethod method_ = CountMethod::elimination;
  std::uint32_t width_ = 0;
  std::uint32_t depth_ = 0;  // of conditions
};

}  // namespace lightcone
