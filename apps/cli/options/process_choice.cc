// Finds processes by name or pattern, and guesses what a misspelt name could stand for.
#include "options/process_choice.h"

#include <fmt/format.h>
#include <lightcone/base/spelling.h>
#include <lightcone/property/states/vocabulary.h>

#include "print/terminal.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] Error unknown_process(const Computation& computation, const std::string& name,
                                    const std::string& option) {
  std::vector<std::string> known;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    known.emplace_back(computation.process_name(p));
  }
  const auto nearest = nearest_word(name, known);
  return {fmt::format("{}: the trace has no process `{}`", option, printable(name)),
          {},
          0,
          nearest ? fmt::format("did you mean `{}`?", printable(*nearest)) : ""};
}

}  // namespace

Expected<std::vector<ProcessIndex>> chosen_processes(const Computation& computation,
                                                     const std::vector<std::string>& names,
                                                     const std::string& option) {
  const std::uint32_t count = computation.process_count();
  std::vector<bool> is_chosen(count, names.empty());
  for (const std::string& name : names) {
    const Group group{.name = {}, .patterns = {name}};
    bool found = false;
    for (ProcessIndex p = 0; p < count; ++p) {
      if (!contains(group, computation.process_name(p))) continue;
      found = is_chosen[p] = true;
    }
    if (!found) return failure(unknown_process(computation, name, option));
  }
  std::vector<ProcessIndex> chosen;
  for (ProcessIndex p = 0; p < count; ++p) {
    if (is_chosen[p]) chosen.push_back(p);
  }
  return chosen;
}

}  // namespace lightcone::cli
