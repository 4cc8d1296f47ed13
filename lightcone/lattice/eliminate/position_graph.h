// Counting as a sum over one variable per chain: its positions, and which chains restrict which.
#pragma once

#include <lightcone/lattice/eliminate/direct_causes.h>
#include <lightcone/lattice/order/futures.h>
#include <lightcone/lattice/order/interval.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// The consistent cuts of an interval, as choices of one position per chain that moves. Positions
/// of a chain that no direct cause or effect separates fall together into one stop. Chains are
/// numbered from 0 on among those that move ("variables").
class PositionGraph {
 public:
  /// A direct cause: whoever is at stop `stop` of `variable` or later needs the other.
  struct Need {
    std::uint32_t variable, stop;
    std::uint32_t needed_variable, needed_stop;
  };
  /// For each stop of one variable, the first and the last stop of another that some cut has with
  /// it. Both grow with the stop.
  struct Bounds {
    std::vector<std::uint32_t> first, last;
  };

  PositionGraph(const Futures& futures, const DirectCauses& causes, const Interval& interval);

  [[nodiscard]] std::uint32_t variables() const {
    return static_cast<std::uint32_t>(chains_.size());
  }
  [[nodiscard]] std::uint32_t chain(std::uint32_t variable) const { return chains_[variable]; }
  [[nodiscard]] std::uint32_t stops(std::uint32_t variable) const {
    return static_cast<std::uint32_t>(begins_[variable].size());
  }
  /// The first and the last position of a stop.
  [[nodiscard]] Rank first_position(std::uint32_t variable, std::uint32_t stop) const {
    return begins_[variable][stop];
  }
  [[nodiscard]] Rank last_position(std::uint32_t variable, std::uint32_t stop) const {
    return stop + 1 < stops(variable) ? begins_[variable][stop + 1] - 1
                                      : interval_.upper[chains_[variable]];
  }
  /// Returns how many positions a stop has.
  [[nodiscard]] std::uint64_t positions(std::uint32_t variable, std::uint32_t stop) const {
    return std::uint64_t{last_position(variable, stop)} - first_position(variable, stop) + 1;
  }

  [[nodiscard]] const std::vector<Need>& needs() const { return needs_; }
  /// The variables that share a need with one, sorted.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& neighbours() const {
    return neighbours_;
  }
  /// The stop that a position of a variable belongs to.
  [[nodiscard]] std::uint32_t stop_of(std::uint32_t variable, Rank position) const;
  /// What the stops of one variable leave of another, by all causes, direct or not.
  [[nodiscard]] Bounds bounds(std::uint32_t of, std::uint32_t other) const;
  /// Returns whether the beginning of one stop happened before the beginning of another.
  [[nodiscard]] bool precedes(std::uint32_t variable, std::uint32_t stop, std::uint32_t later,
                              std::uint32_t later_stop) const {
    return futures_.level().past(chains_[later], begins_[later][later_stop])[chains_[variable]] >=
           begins_[variable][stop];
  }

  /// The variable that others share most needs with.
  [[nodiscard]] std::uint32_t busiest() const;
  /// The cuts that have a variable at a stop.
  [[nodiscard]] Interval at_stop(std::uint32_t variable, std::uint32_t stop) const;

  [[nodiscard]] const Interval& interval() const { return interval_; }
  [[nodiscard]] const Level& level() const { return futures_.level(); }

 private:
  void find_needs(const DirectCauses& causes);
  void find_stops();
  void find_neighbours();

  const Futures& futures_;
  const Interval& interval_;
  std::vector<std::uint32_t> chains_;      // of variables
  std::vector<std::vector<Rank>> begins_;  // first positions of stops, of each variable
  std::vector<Need> needs_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
};

}  // namespace lightcone
