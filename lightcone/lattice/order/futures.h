// For each event, the greatest cut without it.
#pragma once

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/lattice/order/level.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lightcone {

/// The counterpart of `Level::past`: for each event the greatest cut without it, which ends each
/// chain before the first event that has it in its past. It takes as much memory as the level.
///
/// An event e that is in one cut and not in another splits the lattice between them in two: the
/// cuts without e lie below `without(e)`, those with e above `past(e)`, and no cut is both.
class Futures {
 public:
  /// The level must outlive it.
  explicit Futures(const Level& level);

  /// The greatest cut without the k-th event (k >= 1) of a chain.
  [[nodiscard]] std::span<const Rank> without(std::uint32_t chain, Rank k) const {
    return {table_.row(level_->index(chain, k)), level_->chains()};
  }
  /// Returns whether a chain can be cut after each of its events; in a slice some happen at once.
  [[nodiscard]] bool is_order() const { return is_order_; }

  [[nodiscard]] const Level& level() const { return *level_; }
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

 private:
  void fill_column(std::uint32_t chain);

  const Level* level_;
  TimestampTable table_;  // rows are the level's indices
  bool is_order_ = true;
};

}  // namespace lightcone
