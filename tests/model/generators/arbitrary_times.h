// Random computations with times, and random flows with `within`.
#pragma once

#include <lightcone/computation.h>

#include <random>
#include <string>

#include "model/generators/arbitrary.h"

namespace lightcone::arbitrary {

/// Labels of few letters, an `id` of few values, and times that go on a little, stand still, go
/// back, or are missing: small ones in halves, or dates of today in twentieths.
[[nodiscard]] Computation timed_computation(const Script& script);

/// Four flows with `within`, and a bound on clocks; `each` stands behind the names of properties.
[[nodiscard]] std::string timed_properties(std::mt19937_64& random, const std::string& each = "");

}  // namespace lightcone::arbitrary
