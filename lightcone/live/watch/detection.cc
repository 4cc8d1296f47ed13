// What a detection says, for people.
#include <lightcone/process.h>

#include <fmt/format.h>

namespace lightcone {

std::string Detection::line() const {
  std::string out =
      fmt::format("{}: {} at event {} of {}", name_of(verb), property, event, process);
  if (!labels.empty()) out += fmt::format(" ({})", fmt::join(labels, ", "));
  if (verb == Verb::require) out += " is missing";
  if (!predecessors.empty()) {
    out += ", after";
    for (const Predecessor& before : predecessors) {
      out += fmt::format(" {}#{}", before.process, before.observed);
    }
  }
  if (!variables.empty()) out += fmt::format(", with {}", fmt::join(variables, ", "));
  if (!source.empty()) out += fmt::format(" [{}]", source);
  return out;
}

}  // namespace lightcone
