// Draws consistent cuts uniformly at random.
#pragma once

#include <lightcone/lattice/eliminate/direct_causes.h>
#include <lightcone/lattice/eliminate/elimination.h>
#include <lightcone/lattice/eliminate/position_graph.h>
#include <lightcone/states.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace lightcone {

/// Draws cuts of a whole level, each as likely as the others: from the tables of an elimination or,
/// where they do not fit, by coupling from the past. The same seed gives the same cuts.
class CutSampler {
 public:
  CutSampler(const Futures& futures, const Limits& limits, std::uint64_t seed);
  CutSampler(const CutSampler&) = delete;
  CutSampler& operator=(const CutSampler&) = delete;

  /// The next one; nothing if the time is over.
  [[nodiscard]] std::optional<Cut> draw();
  /// Returns whether tables are used.
  [[nodiscard]] bool has_tables() const { return elimination_ != nullptr; }

 private:
  const Futures& futures_;
  Interval interval_;
  std::chrono::steady_clock::time_point deadline_;
  RandomBits bits_;
  std::optional<PositionGraph> graph_;
  std::unique_ptr<const Elimination> elimination_;
};

}  // namespace lightcone
