// The lines of the source that recorded calls come from.
#pragma once

#include <lightcone/error.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::cli {

/// Places in the code of a program, as in `/path/program+0x1a2b`, and what they are called in its
/// source, as in `halo.c:58`.
class SourceLines {
 public:
  /// Asks the debugging information of the programs. Places without any are left out.
  [[nodiscard]] static SourceLines find(const std::vector<std::string>& places);
  /// Those that a recording keeps; none if it keeps none.
  [[nodiscard]] static SourceLines read(const std::string& directory);
  [[nodiscard]] Expected<void> write(const std::string& directory) const;

  /// The line of a place; the place itself without its folders if that is not known.
  [[nodiscard]] std::string operator()(std::string_view place) const;

 private:
  std::map<std::string, std::string, std::less<>> lines_;
};

/// After a program was recorded: finds the lines of all calls that its processes have noted, and
/// keeps them in the recording. A program may be built anew before someone asks for them.
[[nodiscard]] Expected<void> keep_source_lines(const std::string& directory);

}  // namespace lightcone::cli
