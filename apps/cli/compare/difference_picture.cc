// Two space-time diagrams, one below the other.
#include "compare/difference_picture.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>

#include <algorithm>
#include <vector>

#include "draw/space_time_svg.h"
#include "draw/stacked_svg.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

/// The event that differs, or where the run ends before it, and the event before.
[[nodiscard]] Picture picture_around(const Computation& computation, ProcessIndex p, Rank rank,
                                     bool is_there) {
  Picture picture;
  const Rank last = is_there ? rank : std::min(rank, computation.last_rank(p) + 1) - 1;
  if (last > 1) picture.path.push_back({p, last - 1});
  picture.path.push_back({p, last});
  picture.marked.push_back({p, last});
  picture.subtitle = is_there ? event_line(computation, p, rank) : "the run ends here";
  return picture;
}

}  // namespace

Expected<void> draw_difference(const Comparison& comparison, const NamedRuns& runs,
                               const std::string& path) {
  if (path.empty()) return {};
  if (path == "-") {
    return failure("--svg -: standard output is already used", {}, 0,
                   "name a file for the picture");
  }
  if (comparison.first.empty()) {
    report_note(fmt::format("there is nothing to draw: {} is not written", printable(path)));
    return {};
  }
  const Difference& first = comparison.first.front();
  const AlignedProcess& process = comparison.processes[first.process];
  std::vector<std::string> pictures;
  const auto add = [&](const char* name, const Computation& computation,
                       const std::optional<ProcessIndex>& p, bool is_there) {
    if (!p) return;
    Picture picture = picture_around(computation, *p, first.rank, is_there);
    picture.title = fmt::format("{}: {}, event {}", name, process.name, first.rank);
    pictures.push_back(space_time_svg(computation, picture));
  };
  add("A", *runs.run_a->computation, process.in_a, first.is_in_a);
  add("B", *runs.run_b->computation, process.in_b, first.is_in_b);
  auto file = OutputFile::create(path);
  if (!file) return failure(file.error());
  file->write(stacked_svg(pictures));
  return file->commit();
}

}  // namespace lightcone::cli
