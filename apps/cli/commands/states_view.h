// Global states as `states` writes them: the ranks of the processes that the user asked for.
#pragma once

#include <lightcone/lattice/order/level.h>

#include <span>
#include <string>
#include <vector>

#include "print/extent.h"

namespace lightcone::cli {

/// Writes cuts of a level, for programs and for people. Processes without a relevant event take no
/// part in the level, but the user sees them, too: their rank is 0.
class StatesView {
 public:
  StatesView(const Level& level, std::vector<ProcessIndex> processes, Wholeness wholeness);

  [[nodiscard]] const Level& level() const { return level_; }
  /// Of the trace.
  [[nodiscard]] const Wholeness& wholeness() const { return wholeness_; }
  [[nodiscard]] const std::vector<ProcessIndex>& processes() const { return processes_; }

  /// `{"p1":0,"p2":1}`
  [[nodiscard]] const std::string& json(std::span<const Rank> cut);
  /// The names of the processes above the columns of `line`.
  [[nodiscard]] std::string heading() const;
  /// The ranks in columns.
  [[nodiscard]] const std::string& line(std::span<const Rank> cut);
  /// `2,1,2`
  [[nodiscard]] std::string ranks(std::span<const Rank> cut) const;

 private:
  [[nodiscard]] Rank rank(std::span<const Rank> cut, std::size_t i) const {
    return chains_[i] == none ? 0 : cut[chains_[i]];
  }

  const Level& level_;
  Wholeness wholeness_;
  std::vector<ProcessIndex> processes_;
  std::vector<std::uint32_t> chains_;  // of each process, or none
  std::vector<std::string> keys_;      // of each process in JSON, with the colon
  std::vector<std::size_t> widths_;    // of each column
  std::string text_;                   // of the last cut written
};

}  // namespace lightcone::cli
