// What a condition is made of, in a few words, for tests to compare and to show.
#pragma once

#include <lightcone/lattice/predicate/condition.h>

#include <string>

namespace lightcone {

/// The condition as `all(local sum>=)`, without its numbers.
[[nodiscard]] std::string shape_of(const Condition& condition);

}  // namespace lightcone
