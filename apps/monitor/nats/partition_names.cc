// Hashes names of executions.
#include "nats/partition_names.h"

#include <algorithm>
#include <cctype>

namespace lightcone::service {

std::uint32_t partition_of(std::string_view execution, std::size_t partitions) {
  constexpr std::uint32_t basis = 2'166'136'261U, prime = 16'777'619U;
  std::uint32_t hash = basis;
  for (const char c : execution) {
    hash ^= static_cast<unsigned char>(c);
    hash *= prime;
  }
  return static_cast<std::uint32_t>(hash % partitions);
}

bool is_group_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, is_plain);
}

}  // namespace lightcone::service
