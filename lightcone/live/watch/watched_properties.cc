// Reads and compiles the properties that live processes watch.
#include <lightcone/live/watch/watched_properties.h>

#include <lightcone/live/watch/property_watch.h>

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/tags/peers.h>

#include <utility>
#include <variant>

namespace lightcone {
namespace {

[[nodiscard]] std::uint64_t agreement_of(const ProcessOptions& options,
                                         const std::string& properties) {
  std::string all = fmt::format("{}\n{}\n", options.clocks, properties);
  for (const std::string& member : options.members) all += member + '\n';
  for (const std::string& label : options.labels) all += '\n' + label;
  return Peers::hash_of(all);
}

[[nodiscard]] Expected<std::string> text_of_file(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return failure(file.error());
  return file->read_all();
}

/// What a live process does not know of its own events when it watches them.
[[nodiscard]] const Expression* unknown_attribute(const Expression& expression) {
  if (expression.kind == Expression::Kind::attribute && expression.name != "text" &&
      expression.name != "kind") {
    return &expression;
  }
  for (const Expression& part : expression.parts) {
    if (const Expression* found = unknown_attribute(part)) return found;
  }
  return nullptr;
}

}  // namespace

Expected<WatchedProperties> WatchedProperties::of(const ProcessOptions& options) {
  std::string text = options.properties;
  std::string file = "properties";
  if (!options.properties_file.empty()) {
    auto read = text_of_file(options.properties_file);
    if (!read) return failure(read.error());
    text = std::move(*read);
    file = options.properties_file;
  }
  auto parsed = parse_property_syntax(text, file);
  if (!parsed) return failure(parsed.error());
  for (const DeclaredLabel& label : parsed->labels) {
    const Expression* unknown = unknown_attribute(label.predicate);
    if (unknown == nullptr) continue;
    return failure(fmt::format("a live process cannot ask for the {} of an event", unknown->name),
                   file, label.place.line,
                   "it can ask for its text and kind, labels and variables");
  }
  CompiledProperties compiled = CompiledProperties::compile(std::move(*parsed), options.labels);
  for (const Undecided& property : compiled.undecided()) {
    const Property& source = compiled.source().properties[property.property];
    return failure(fmt::format("{}: {}", source.name, property.why), file, source.place.line);
  }
  for (std::uint32_t i = 0; i < compiled.source().properties.size(); ++i) {
    const Property& source = compiled.source().properties[i];
    if (source.each.empty() || !is_watched_alone(source)) continue;
    const auto alone = CompiledProperties::compile_alone(compiled.source(), options.labels, i);
    if (alone.undecided().empty()) continue;
    return failure(fmt::format("{}: {}", source.name, alone.undecided().front().why), file,
                   source.place.line);
  }
  return WatchedProperties{std::move(compiled), agreement_of(options, text)};
}

std::vector<std::string> unwatched(const CompiledProperties& properties) {
  std::vector<std::string> names;
  for (const Property& property : properties.source().properties) {
    if (std::holds_alternative<Global>(property.question)) names.push_back(property.name);
  }
  return names;
}

}  // namespace lightcone
