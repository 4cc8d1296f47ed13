// Random property files, as text: every construct of flows, logic and local predicates.
#pragma once

#include <lightcone/computation.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace lightcone::arbitrary {

/// What a random property file speaks of. Only labels may be others: a variable or process that
/// occurs nowhere in the trace is an error.
struct PropertyOptions {
  std::vector<std::string> processes;  ///< at least one
  std::vector<std::string> labels;
  std::vector<std::string> variables;  ///< names that need no quotes
  std::size_t flows = 4;               ///< how many properties of each kind
  std::size_t blocks = 2;
};

/// The names that occur in this computation.
[[nodiscard]] PropertyOptions property_options(const Computation& computation);

/// Groups, declared labels, then flows and blocks of logic, small enough that they are often found
/// somewhere but not everywhere. It has no errors.
[[nodiscard]] std::string random_properties(std::mt19937_64& random,
                                            const PropertyOptions& options);

}  // namespace lightcone::arbitrary
