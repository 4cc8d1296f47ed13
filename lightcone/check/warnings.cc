// Looks at a report for what it does not say.
#include <lightcone/check/warnings.h>

#include <fmt/format.h>
#include <lightcone/base/wording.h>
#include <lightcone/property/language/property_reads.h>
#include <lightcone/trace/jsonl/near_members.h>

namespace lightcone {
namespace {

[[nodiscard]] std::string placed(const Properties& properties, TextPlace place,
                                 const std::string& what) {
  return fmt::format("{}:{}:{}: {}", properties.file, place.line, place.column, what);
}

/// Declared labels that some property reads, and that no state has.
void add_false_labels(const Properties& properties, const Observer& observer,
                      std::vector<std::string>& all) {
  if (!observer.expressions().given_up().empty()) return;  // what was given up could be true
  const std::vector<bool> ever_true = observer.ever_true();
  for (std::size_t i = 0; i < ever_true.size(); ++i) {
    const DeclaredLabel& label = properties.labels[i];
    const Property* const reader = first_reader(properties, label);
    if (ever_true[i] || reader == nullptr) continue;
    all.push_back(placed(properties, label.place,
                         fmt::format("`{}`: the label `{}` is true nowhere",
                                     printable(reader->name), printable(label.name))));
  }
}

/// `is asked nowhere`, and of a property with `for each` for which values; empty: it is asked.
[[nodiscard]] std::string asked_nowhere(const PropertyReport& property) {
  const bool has_no_value = !property.each.empty() && property.value_count == 0;
  if (property.verdict == Verdict::unknown) return {};
  if (has_no_value || is_asked_nowhere(property)) return "is asked nowhere";
  const ListedValues values = listed_values(property, is_asked_nowhere);
  if (values.count == 0) return {};
  return fmt::format("is asked nowhere for {} of {} of {}: {}", grouped(values.count),
                     counted(property.value_count, "value"), printable(property.each, 24),
                     values.text);
}

}  // namespace

bool is_asked_nowhere(const PropertyReport& property) {
  return !property.is_global && property.asked_count == 0 && property.verdict != Verdict::unknown;
}

ListedValues listed_values(const PropertyReport& property,
                           const std::function<bool(const PropertyReport& one)>& belongs) {
  constexpr std::uint64_t most = 3;
  ListedValues listed;
  for (const PropertyReport& one : property.values) {
    if (!belongs(one) || listed.count++ >= most) continue;
    listed.text += (listed.text.empty() ? "" : ", ") + value_words(one.value);
  }
  if (listed.count > most) listed.text += ", ...";
  return listed;
}

std::set<std::string> near_members(const Computation& computation) {
  std::set<std::string> sentences;
  std::vector<bool> seen(computation.names().size(), false);
  for (const NameIndex extra : computation.attributes().extra) {
    if (extra == NameIndex::none || seen[static_cast<std::uint32_t>(extra)]) continue;
    seen[static_cast<std::uint32_t>(extra)] = true;
    find_near_members(computation.names()[extra], sentences);
  }
  return sentences;
}

void add_warnings(const Properties& properties, const Observer& observer,
                  const std::set<std::string>& members, Report& report) {
  std::vector<std::string>& all = report.warnings;
  if (properties.properties.empty()) {
    all.push_back(fmt::format("{}: the file has no properties", properties.file));
  }
  if (report.events == 0) all.emplace_back("the trace has no events");
  if (report.events > 0) add_false_labels(properties, observer, all);
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    const std::string what = asked_nowhere(report.properties[i]);
    if (what.empty() || report.events == 0) continue;
    all.push_back(placed(properties, properties.properties[i].place,
                         fmt::format("`{}` {}", printable(report.properties[i].name), what)));
  }
  all.insert(all.end(), members.begin(), members.end());
}

}  // namespace lightcone
