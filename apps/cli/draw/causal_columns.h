// Columns for the chosen states of a computation: causes are left of their effects.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <vector>

namespace lightcone::cli {

/// Whether a row is drawn, and on which side of the gap; without a gap all are at the beginning.
enum class Part : std::uint8_t { hidden, beginning, end };

struct CausalColumns {
  std::vector<std::uint32_t> of_row;  ///< from 0, without a column left empty; of drawn rows only
  std::uint32_t count = 0;
  std::uint32_t before_gap = 0;  ///< how many columns stand left of the gap
};

/// The column of a drawn row is greater than those of all drawn rows that happened before it, be
/// it through rows that are not drawn. States that `fixed` rows do not lead to stand as far right
/// as they can: beside what they lead to. A row of the end stands right of the gap; one of the
/// beginning left of it, unless its causes do not.
[[nodiscard]] CausalColumns causal_columns(const Computation& computation,
                                           const std::vector<Part>& parts,
                                           const std::vector<bool>& fixed);

/// The same beside a consistent cut: what is inside of it is of the beginning and stands as far
/// right as it can, what is outside is of the end and stands as far left. `before_gap` are the
/// columns inside.
[[nodiscard]] CausalColumns columns_beside_cut(const Computation& computation,
                                               const std::vector<Part>& parts);

}  // namespace lightcone::cli
