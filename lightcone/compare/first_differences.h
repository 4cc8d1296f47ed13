// Which of several differences between two runs come first.
#pragma once

#include <lightcone/diff.h>

#include <vector>

namespace lightcone {

/// A first difference, and whether all that led to it was compared.
struct FirstPlace {
  std::size_t process = 0;  ///< among the aligned processes
  bool is_past_known = true;
};

/// The differences of `processes` that no other precedes, or only such as they precede, too.
[[nodiscard]] std::vector<FirstPlace> first_differences(
    const ComparedRun& a, const ComparedRun& b, const std::vector<AlignedProcess>& processes);

}  // namespace lightcone
