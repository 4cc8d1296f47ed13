// Names of processes as people read them.
#pragma once

#include <lightcone/base/wording.h>
#include <lightcone/computation.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// The name of a process, safe to show. A long one loses its middle, but only as far as no other
/// process of the computation looks the same.
[[nodiscard]] inline std::string process_words(const Computation& computation, ProcessIndex process,
                                               std::size_t most = 24) {
  const std::string_view name = computation.process_name(process);
  if (name.size() <= most) return printable(name, most);
  std::vector<std::string_view> all;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    all.push_back(computation.process_name(p));
  }
  return distinct_name(name, most, all);
}

}  // namespace lightcone
