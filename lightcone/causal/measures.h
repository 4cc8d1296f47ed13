// What a person asks first about a computation: how many, how deep, how wide, how concurrent.
#pragma once

#include <lightcone/causal/computation.h>
#include <lightcone/causal/progress.h>

#include <cstdint>

namespace lightcone {

/// Counts that one look at each event gives.
struct Counts {
  std::uint64_t internal = 0;
  std::uint64_t sends = 0;       ///< events of kind send
  std::uint64_t receives = 0;    ///< events of kind receive
  std::uint64_t received = 0;    ///< messages received; a batch counts each
  std::uint64_t in_transit = 0;  ///< messages that no one received
};
[[nodiscard]] Counts counts(const Computation& computation);

/// The longest causal chain, and how many events can stand side by side.
struct Shape {
  std::uint32_t depth = 0;           ///< events on the longest causal chain
  std::uint32_t width_at_least = 0;  ///< the most events of equal depth: they are concurrent
  std::uint32_t width_at_most = 0;   ///< processes that have events: chains that cover them all
};
[[nodiscard]] Shape shape(const Computation& computation);

/// The number of pairs of events of which neither happened before the other.
[[nodiscard]] std::uint64_t concurrent_pairs(const Computation& computation,
                                             const Progress& progress = {});
/// The same as a share of all pairs: 0 for a sequential execution, 1 for an unrelated crowd.
[[nodiscard]] double concurrency(const Computation& computation, const Progress& progress = {});

}  // namespace lightcone
