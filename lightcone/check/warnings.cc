// Looks at a report for what it does not say.
#include <lightcone/check/warnings.h>

#include <fmt/format.h>
#include <lightcone/base/wording.h>
#include <lightcone/trace/jsonl/near_members.h>

namespace lightcone {

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

void add_warnings(const Properties& properties, const std::set<std::string>& members,
                  Report& report) {
  std::vector<std::string>& all = report.warnings;
  if (properties.properties.empty()) {
    all.push_back(fmt::format("{}: the file has no properties", properties.file));
  }
  if (report.events == 0) all.emplace_back("the trace has no events");
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    const PropertyReport& property = report.properties[i];
    const bool has_no_value = !property.each.empty() && property.value_count == 0;
    const bool is_nowhere = (has_no_value || (!property.is_global && property.asked_count == 0)) &&
                            property.verdict != Verdict::unknown && report.events > 0;
    if (!is_nowhere) continue;
    const TextPlace place = properties.properties[i].place;
    all.push_back(fmt::format("{}:{}:{}: `{}` is asked nowhere", properties.file, place.line,
                              place.column, printable(property.name)));
  }
  all.insert(all.end(), members.begin(), members.end());
}

}  // namespace lightcone
