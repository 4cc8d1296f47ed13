// Inevitable global states: those that every observation of a computation passes through.
#pragma once

#include <lightcone/lattice/order/level.h>

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace lightcone {

/// Returns how many events have happened at each inevitable global state (RR-2194), in ascending
/// order, from the size of each event's past, in any order. An event belongs to its own past.
[[nodiscard]] std::vector<std::uint32_t> inevitable_sizes(
    std::span<const std::uint32_t> past_sizes);

/// Inevitable cuts of a level, in ascending order; four bytes each, however many chains there are.
class InevitableStates {
 public:
  InevitableStates(const Level& level, std::vector<std::uint32_t> sizes)
      : level_(&level), sizes_(std::move(sizes)) {}

  [[nodiscard]] const Level& level() const { return *level_; }
  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// The number of events below each; no two cuts of one size are inevitable.
  [[nodiscard]] std::span<const std::uint32_t> sizes() const { return sizes_; }

  /// Shows each cut to `visit`, until it answers false; one walk over the computation.
  void for_each(const std::function<bool(std::span<const Rank>)>& visit) const;

 private:
  const Level* level_;
  std::vector<std::uint32_t> sizes_;
};

/// All of them. The least and the greatest cut always are. For the partial states of a group
/// (RR-2194, 3.4), the level has the relevant events of that group only. The level must outlive
/// what is returned.
[[nodiscard]] InevitableStates inevitable_states(const Level& level);

}  // namespace lightcone
