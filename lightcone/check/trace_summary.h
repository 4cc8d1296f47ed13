// What `info` says about a trace: counts, depth, width, concurrency, races, inevitable states,
// names.
#pragma once

#include <lightcone/causal/order/measures.h>
#include <lightcone/computation.h>
#include <lightcone/progress.h>

#include <cstdint>
#include <map>
#include <string>

namespace lightcone {

/// How often names occur.
using NameCounts = std::map<std::string, std::uint64_t>;

/// All that is known about a trace before anything is asked.
struct TraceSummary {
  Counts counts;
  Shape shape;
  std::uint64_t concurrent_pairs = 0;
  std::uint64_t all_pairs = 0;
  std::uint64_t races = 0;             ///< receptions that could have gone another way
  std::uint64_t races_in_transit = 0;  ///< messages that were never received and could have been
  std::uint64_t inevitable = 0;
  NameCounts labels;
  NameCounts variables;

  /// Returns the share of concurrent pairs of events, from 0 to 1.
  [[nodiscard]] double concurrency() const;
};

[[nodiscard]] TraceSummary summary_of(const Computation& computation,
                                      const Progress& progress = {});

}  // namespace lightcone
