// How many faults a test makes, by which seed, and what is said of them at the end.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace lightcone {

/// As many as the variable says, or a few.
[[nodiscard]] std::uint64_t fault_count(const char* variable, std::uint64_t few);

/// What decides where faults are: as LIGHTCONE_SEED says, or 1.
[[nodiscard]] std::mt19937_64 fault_random();

/// How many expectations of this test did not hold so far.
[[nodiscard]] int failures_so_far();

/// A line of the table that is printed at the end.
void add_to_table(const std::string& what, std::uint64_t faults, std::uint64_t failed);

}  // namespace lightcone
