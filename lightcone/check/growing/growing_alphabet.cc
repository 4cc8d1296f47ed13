// Whether the alphabets of flows are known before a trace is read.
#include <lightcone/monitor.h>

#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/global_predicate.h>

#include <algorithm>

namespace lightcone {
namespace {

void collect_labels(const Pattern& pattern, std::vector<std::string>& labels) {
  for (const LabelName& name : pattern.atom.names) labels.push_back(name.label);
  for (const Pattern& part : pattern.parts) collect_labels(part, labels);
}

}  // namespace

bool Monitor::can_check(const Properties& properties, const Property& property) {
  const auto* global = std::get_if<Global>(&property.question);
  return property.each.empty() || global == nullptr ||
         !asks_all_events(properties, global->expression);
}

bool Monitor::can_check(const PropertyFile& file) {
  const Properties& properties = file.syntax();
  return std::ranges::all_of(properties.properties, [&](const Property& property) {
    if (!can_check(properties, property)) return false;
    const auto* flow = std::get_if<Flow>(&property.question);
    if (flow == nullptr || flow->over) return true;
    std::vector<std::string> named;
    collect_labels(flow->pattern, named);
    return std::ranges::all_of(properties.labels, [&](const DeclaredLabel& label) {
      return std::ranges::find(named, label.name) != named.end();
    });
  });
}

}  // namespace lightcone
