// Makes JSON of reports, summaries and races.
#include <lightcone/check/json_documents.h>

#include <lightcone/causal/races/listed_pairs.h>
#include <lightcone/causal/races/races.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/check/warnings.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] Json places_json(const Report& report, const std::vector<EventPlace>& places) {
  auto all = Json::array();
  for (const EventPlace place : places) {
    all.push_back({{"process", report.processes[place.process]}, {"event", place.rank}});
  }
  return all;
}

/// A property with `for each`: what became of it for each value.
void add_values(const Report& report, const PropertyReport& property, Json& json) {
  if (property.verdict != Verdict::unknown) json["found"] = property.found;
  json["each"] = property.each;
  json["value_count"] = property.value_count;
  auto& values = json["values"] = Json::array();
  for (const PropertyReport& one : property.values) {
    Json value = Json::object();
    std::visit([&](const auto& v) { value["value"] = v; }, one.value);
    Json rest = property_json(report, one);
    for (const char* member : {"verdict", "found", "asked_nowhere", "undecided", "cut", "at"}) {
      if (rest.contains(member)) value[member] = std::move(rest[member]);
    }
    if (one.ended_early) value["ended_early"] = true;
    values.push_back(std::move(value));
  }
}

[[nodiscard]] Json cut_json(const Report& report, const std::vector<Rank>& ranks) {
  Json cut = Json::object();
  for (ProcessIndex p = 0; p < ranks.size(); ++p) cut[report.processes[p]] = ranks[p];
  return cut;
}

template <class Messages>
void add_names(const Computation& computation, const Messages& messages,
               std::vector<std::string>& names) {
  for (const auto& one : messages) names.push_back(computation.message_name(one.message));
}

[[nodiscard]] std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

[[nodiscard]] Json event_json(const Computation& computation, EventIndex e) {
  return {{"process", computation.process_name(computation.process_of(e))},
          {"event", computation.rank_of(e)}};
}

/// Where each racing message was sent, and where it was received, if it was.
[[nodiscard]] Json json_places(const Computation& computation, const std::vector<Reception>& traced,
                               const std::vector<Unreceived>& unreceived) {
  auto places = Json::array();
  const auto add = [&](MessageIndex message) -> Json& {
    places.push_back({{"message", computation.message_name(message)},
                      {"sent", event_json(computation, computation.sent_by(message))}});
    return places.back();
  };
  for (const Reception& r : traced) add(r.message)["received"] = event_json(computation, r.event);
  for (const Unreceived& u : unreceived) (void)add(u.message);
  return places;
}

[[nodiscard]] Json json_pairs(const Computation& computation, const Progress& progress) {
  auto pairs = Json::array();
  ListedPairs listed(computation);
  const auto visit = [&](Reception first, const auto& second) {
    if (!listed.add(first.message, second.message)) return true;
    pairs.push_back(std::array{computation.message_name(first.message),
                               computation.message_name(second.message)});
    return true;
  };
  for_each_racing_pair(computation, visit, progress);
  for_each_unreceived_pair(computation, visit, progress);
  return pairs;
}

}  // namespace

Json json_document(const Wholeness& wholeness) {
  Json document{{"lightcone", 1}};
  if (wholeness.left_out) document["left_out"] = *wholeness.left_out;
  if (wholeness.incomplete) document["incomplete"] = true;
  return document;
}

Json property_json(const Report& report, const PropertyReport& property) {
  Json json{{"name", property.name},
            {"verb", name_of(property.verb)},
            {"verdict", name_of(property.verdict)}};
  if (property.verdict == Verdict::unknown) json["why"] = report.finding(property);
  if (!property.each.empty()) {
    add_values(report, property, json);
    return json;
  }
  if (property.undecided_count > 0) json["undecided"] = places_json(report, property.undecided);
  if (property.verdict == Verdict::unknown) {
    // Where the clocks cannot tell everywhere, they can tell at some places.
    if (property.undecided_count > 0) json["at"] = places_json(report, property.at);
    return json;
  }
  json["found"] = property.found;
  if (property.is_global) {
    if (!property.cut.empty()) json["cut"] = cut_json(report, property.cut);
    return json;
  }
  if (is_asked_nowhere(property)) json["asked_nowhere"] = true;
  json["at"] = places_json(report, property.at);
  return json;
}

Json executions_json(const ExecutionsReport& report, const std::string& trace) {
  Json document = json_document();
  document["trace"] = trace;
  document["executions"] = report.executions;
  document["events"] = report.events;
  document["verdict"] = name_of(report.verdict());
  if (!report.warnings.empty()) document["warnings"] = report.warnings;
  if (!report.notes.empty()) document["notes"] = report.notes;
  auto& properties = document["properties"] = Json::array();
  for (const ExecutionsProperty& property : report.properties) {
    Json json{{"name", property.name},
              {"verb", name_of(property.verb)},
              {"verdict", name_of(property.verdict)},
              {"passed", property.passed},
              {"failed", property.failed},
              {"unknown", property.unknown},
              {"found", property.found},
              {"failing", property.failing}};
    if (!property.undecided.empty()) json["undecided"] = property.undecided;
    properties.push_back(std::move(json));
  }
  return document;
}

Json summary_json(const Reading& reading, const TraceSummary& summary) {
  const Computation& computation = reading.computation;
  Json document = json_document(wholeness_of(reading));
  document["processes"] = computation.process_count();
  document["events"] = computation.event_count();
  document["internal"] = summary.counts.internal;
  document["sends"] = summary.counts.sends;
  document["receives"] = summary.counts.receives;
  document["messages"] = computation.message_count();
  document["in_transit"] = summary.counts.in_transit;
  document["edges"] = computation.edge_count();
  document["depth"] = summary.shape.depth;
  document["width"] = summary.shape.width_at_least;
  document["width_at_most"] = summary.shape.width_at_most;
  document["concurrent_pairs"] = summary.concurrent_pairs;
  document["concurrency"] = summary.concurrency();
  document["races"] = summary.races;
  if (summary.races_in_transit > 0) document["races_in_transit"] = summary.races_in_transit;
  document["inevitable"] = summary.inevitable;
  document["labels"] = summary.labels;
  document["variables"] = summary.variables;
  if (!reading.notes.empty()) document["notes"] = reading.notes;
  return document;
}

Json races_json(const Reading& reading, bool pairs, const Progress& progress) {
  const Computation& computation = reading.computation;
  const auto traced = traced_receptions(computation, progress);
  const auto unreceived = racing_unreceived(computation, progress);
  std::vector<std::string> never, all;
  add_names(computation, unreceived, never);
  all = never;
  add_names(computation, traced, all);
  Json document = json_document(wholeness_of(reading));
  document["received"] = counts(computation).received;
  document["traced"] = sorted(std::move(all));
  if (!never.empty()) document["never_received"] = sorted(std::move(never));
  document["places"] = json_places(computation, traced, unreceived);
  if (pairs) document["pairs"] = json_pairs(computation, progress);
  return document;
}

}  // namespace lightcone
