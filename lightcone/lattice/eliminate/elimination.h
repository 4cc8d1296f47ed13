// Counts and draws the consistent cuts of an interval without visiting them.
#pragma once

#include <lightcone/lattice/eliminate/number_kinds.h>
#include <lightcone/lattice/eliminate/position_graph.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace lightcone {

/// What an elimination shall do, and what it may spend.
struct EliminationRequest {
  /// 0 to count cuts. Else cuts are counted apart by a sum of one number per chain: a cut with the
  /// sum m counts as 2^(64 m `limbs_per_digit`), so that digits of that many limbs are counts.
  std::uint32_t limbs_per_digit = 0;
  /// The numbers of each chain's positions, from position 0 on. Without them, how far each chain is
  /// from the lower cut, so that the sum is a size.
  const std::vector<std::vector<std::uint32_t>>* summands = nullptr;
  bool draws = false;  ///< keep what `draw` needs
  double bytes = 0;    ///< of memory
  double work = 0;     ///< entries of tables, over all
  std::chrono::steady_clock::time_point deadline = {};
};

/// The result of an elimination.
class Elimination {
 public:
  Elimination() = default;
  Elimination(const Elimination&) = delete;
  Elimination& operator=(const Elimination&) = delete;
  virtual ~Elimination() = default;

  [[nodiscard]] virtual NaturalNumber count() const = 0;
  /// The most chains that one table was about.
  [[nodiscard]] virtual std::uint32_t width() const = 0;
  /// Moves the chains of a cut to those of a random one of the interval; all are equally likely.
  virtual void draw(Cut& cut, RandomBits& bits) const = 0;
};

/// Eliminates chains with one neighbour first. What is left is eliminated by chains or by events,
/// whichever takes less. Returns nothing if both take more than they may. The graph must outlive
/// the result.
[[nodiscard]] std::unique_ptr<const Elimination> eliminate(const PositionGraph& graph,
                                                           const EliminationRequest& request);

}  // namespace lightcone
