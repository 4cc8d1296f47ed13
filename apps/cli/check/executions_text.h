// Files with several executions: what became of their properties, and how large they are.
#pragma once

#include <lightcone/check.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone::cli {

void print_executions(const ExecutionsReport& report);
void print_executions_json(const ExecutionsReport& report, const std::string& trace);

/// An execution, and how large it is.
struct ExecutionSize {
  std::string id;
  std::uint64_t processes = 0;
  std::uint64_t events = 0;
  std::uint64_t messages = 0;
};
[[nodiscard]] Expected<std::vector<ExecutionSize>> sizes_of(const Executions& executions);

/// A table of executions: the first of them, or all.
void print_sizes(const std::vector<ExecutionSize>& sizes, const std::string& trace, bool all);
void print_sizes_json(const std::vector<ExecutionSize>& sizes, bool all);

}  // namespace lightcone::cli
