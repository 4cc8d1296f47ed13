// Measures of a computation: counts, depth, width and concurrency.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/progress.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Counts that one look at each event gives.
struct Counts {
  std::uint64_t internal = 0;
  std::uint64_t sends = 0;       ///< events of kind send
  std::uint64_t receives = 0;    ///< events of kind receive
  std::uint64_t received = 0;    ///< messages received; a batch counts each
  std::uint64_t in_transit = 0;  ///< messages that were never received
};
[[nodiscard]] Counts counts(const Computation& computation);

/// The length of the longest causal chain, and how many events can be pairwise concurrent.
struct Shape {
  std::uint32_t depth = 0;           ///< events on the longest causal chain
  std::uint32_t width_at_least = 0;  ///< the most events of equal depth: they are concurrent
  std::uint32_t width_at_most = 0;   ///< processes that have events: chains that cover them all
};
[[nodiscard]] Shape shape(const Computation& computation);

/// The number of events in the past of each event, itself included.
[[nodiscard]] std::vector<std::uint32_t> past_sizes(const Computation& computation,
                                                    const Progress& progress = {});

/// Returns the number of pairs of concurrent events, from the sizes of all
/// pasts.
[[nodiscard]] std::uint64_t concurrent_pairs(std::span<const std::uint32_t> past_sizes);

}  // namespace lightcone
