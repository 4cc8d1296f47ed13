// From the text of properties to verdicts, places and witnesses as JSON.
#include "view/property_answers.h"

#include <lightcone/check/explanation.h>
#include <lightcone/property/states/vocabulary.h>

#include "check/witness_json.h"
#include "view/trace_answers.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_places = 2000;

[[nodiscard]] Json list_of(const std::vector<EventPlace>& places) {
  Json processes = Json::array(), ranks = Json::array();
  for (const EventPlace place : places) {
    processes.push_back(place.process);
    ranks.push_back(place.rank);
  }
  return {{"process", std::move(processes)}, {"rank", std::move(ranks)}};
}

[[nodiscard]] Json property_json(const Report& report, const PropertyReport& property,
                                 const PropertyFile& file, std::size_t index) {
  Json json{{"name", property.name},
            {"verb", name_of(property.verb)},
            {"verdict", name_of(property.verdict)},
            {"line", file.line(index)},
            {"question", file.question(index)},
            {"finding", report.finding(property)},
            {"found", property.found},
            {"is_global", property.is_global},
            {"method", property.method},
            {"asked_count", property.asked_count},
            {"found_count", property.found_count},
            {"at", list_of(property.at)},
            {"missing", list_of(property.missing)}};
  if (!property.cut.empty()) json["cut"] = property.cut;
  return json;
}

/// The groups that the properties name, with their processes.
[[nodiscard]] Json groups_json(const PropertyFile& file, const Computation& computation) {
  Json groups = Json::array();
  for (const Group& group : file.syntax().groups) {
    Json members = Json::array();
    for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
      if (contains(group, computation.process_name(p))) members.push_back(p);
    }
    groups.push_back({{"name", group.name}, {"processes", std::move(members)}});
  }
  return groups;
}

}  // namespace

Json PropertyAnswers::check(std::shared_ptr<const TraceSnapshot> trace, const std::string& text) {
  const std::uint64_t number = ++begun_;
  const auto parsed = parse_properties(text, "properties");
  if (!parsed) return error_json(parsed.error());
  RecordedOptions options;
  options.check.limits.seconds = seconds_;
  options.check.limits.bytes = std::size_t{1} << 30;
  options.check.most_places = most_places;
  options.witnesses = true;
  auto checked = RecordedCheck::run(parsed->syntax(), trace->reading(), options);
  if (!checked) return error_json(checked.error());
  const auto kept = std::make_shared<const Checked>(Checked{trace, std::move(*checked)});
  const Report& report = kept->check.report();
  Json properties = Json::array();
  for (std::size_t i = 0; i < report.properties.size(); ++i) {
    properties.push_back(property_json(report, report.properties[i], *parsed, i));
  }
  {
    const std::lock_guard lock(mutex_);
    if (number > last_number_) {  // a check that took longer may be of an older text
      last_ = kept;
      last_number_ = number;
    }
  }
  return {{"version", trace->version()},
          {"verdict", name_of(report.verdict())},
          {"summary", report.summary()},
          {"warnings", report.warnings},
          {"groups", groups_json(*parsed, trace->computation())},
          {"properties", std::move(properties)}};
}

Json PropertyAnswers::witness(std::uint32_t property, const std::string& place) const {
  std::shared_ptr<const Checked> last;
  {
    const std::lock_guard lock(mutex_);
    last = last_;
  }
  if (!last) return error_json({"no properties were checked", {}, 0, {}});
  const auto all = explanations(last->check, place);
  if (!all) return error_json(all.error());
  const Explanation* explanation = find_explanation(*all, property);
  if (explanation == nullptr) return error_json({"there is nothing to explain", {}, 0, {}});
  if (!explanation->has_witness()) return error_json({explanation->problem, {}, 0, {}});
  return witness_json(last->check.inspection(), *explanation);
}

}  // namespace lightcone::cli
