// Reads the environment, and prints the table when all tests have run.
#include "faults/fault_count.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace lightcone {
namespace {

std::vector<std::string>& table() {
  static std::vector<std::string> lines;
  return lines;
}

[[nodiscard]] std::uint64_t seed() {
  const char* const text = std::getenv("LIGHTCONE_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

class TableAtEnd : public testing::Environment {
 public:
  void TearDown() override {
    for (const std::string& line : table()) std::puts(line.c_str());
  }
};

[[maybe_unused]] const auto* const at_end =
    testing::AddGlobalTestEnvironment(new TableAtEnd);  // which owns it

}  // namespace

std::uint64_t fault_count(const char* variable, std::uint64_t few) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : few;
}

std::mt19937_64 fault_random() { return std::mt19937_64(seed()); }

int failures_so_far() {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  int count = 0;
  for (int i = 0; i < test->result()->total_part_count(); ++i) {
    count += test->result()->GetTestPartResult(i).failed() ? 1 : 0;
  }
  return count;
}

void add_to_table(const std::string& what, std::uint64_t faults, std::uint64_t failed) {
  char line[200];
  std::snprintf(line, sizeof line, "%-34s %8llu %8llu failed  seed %llu", what.c_str(),
                static_cast<unsigned long long>(faults), static_cast<unsigned long long>(failed),
                static_cast<unsigned long long>(seed()));
  table().emplace_back(line);
}

}  // namespace lightcone
