// Where two runs part, by brute force: the definition that docs/diff.md gives.
#pragma once

#include <lightcone/diff.h>

#include <map>
#include <string>

namespace lightcone::definition {

/// What is known of the first difference of a process.
struct ProcessDifference {
  Rank rank = 0;
  DifferenceKind kind = DifferenceKind::event;
  bool is_first = false;
  friend bool operator==(const ProcessDifference&, const ProcessDifference&) = default;
};

/// The difference of each process that has one, by its name.
[[nodiscard]] std::map<std::string, ProcessDifference> differences(const ComparedRun& a,
                                                                   const ComparedRun& b);

}  // namespace lightcone::definition
