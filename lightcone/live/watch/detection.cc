// What a detection says, for people.
#include <lightcone/process.h>

#include <fmt/format.h>

namespace lightcone {

std::string Detection::line() const {
  std::string out =
      fmt::format("{}: {} at event {} of {}", name_of(verb), property, event, process);
  if (!each.empty()) {
    const auto* text = std::get_if<std::string>(&value);
    out += fmt::format(" for {} = ", each);
    if (text != nullptr) out += fmt::format("\"{}\"", *text);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) out += std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) out += fmt::format("{}", *real);
  }
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
