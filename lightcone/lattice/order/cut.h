// Cuts: how far each chain of a level has come, and their order.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

class Level;

/// A global state: how many events of each chain have happened. Cuts are ordered entry by entry.
using Cut = std::vector<Rank>;

/// Returns whether nothing in the cut has a cause outside of it (and it lies between the level's
/// bottom and top).
[[nodiscard]] bool is_consistent(const Level& level, std::span<const Rank> cut);

[[nodiscard]] bool is_within(std::span<const Rank> lower, std::span<const Rank> upper);

/// The number of events below the cut.
[[nodiscard]] std::uint64_t size_of(std::span<const Rank> cut);

// Consistent cuts are a distributive lattice: whatever has its causes in both cuts, or in one of
// them, has them in the meet, or in the join.

[[nodiscard]] Cut join(std::span<const Rank> a, std::span<const Rank> b);
[[nodiscard]] Cut meet(std::span<const Rank> a, std::span<const Rank> b);

/// The least consistent cut that contains this one.
[[nodiscard]] Cut closure(const Level& level, Cut cut);

/// Returns whether the next event of this chain can happen at a consistent cut.
[[nodiscard]] bool can_advance(const Level& level, std::span<const Rank> cut, std::uint32_t chain);

/// For each process of the computation, the rank of its last event in the least global state in
/// which the events below the cut have happened.
[[nodiscard]] std::vector<Rank> process_ranks(const Level& level, std::span<const Rank> cut);

}  // namespace lightcone
