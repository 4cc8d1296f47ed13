// Writes witnesses as JSON.
#include "check/witness_json.h"

#include <lightcone/base/time/decimal_seconds.h>
#include <lightcone/check/global_witness.h>
#include <lightcone/check/witness_steps.h>

#include <algorithm>

namespace lightcone::cli {
namespace {

/// What is beyond 64 bits is the nearest real.
[[nodiscard]] Json json_of_number(const Datum& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return *integer;
  if (const auto* real = std::get_if<double>(&number)) return *real;
  return static_cast<double>(integer_of(std::get<WideInteger>(number)));
}

/// The times that `within` compares along a path.
[[nodiscard]] Json json_of_gaps(const Inspection& inspection, const std::vector<TimeGap>& gaps) {
  const Computation& computation = inspection.computation();
  const auto bound = inspection.properties().source().clocks_within;
  Json all = Json::array();
  for (const TimeGap& gap : gaps) {
    const auto first = computation.time(gap.from), second = computation.time(gap.to);
    Json json{{"from", json_of_place(computation, gap.from)},
              {"to", json_of_place(computation, gap.to)}};
    if (first) json["from_time"] = *first;
    if (second) json["to_time"] = *second;
    if (first && second) json["seconds"] = decimal_difference(*first, *second);
    json["within"] = gap.within;
    if (bound && place_of(computation, gap.from).process != place_of(computation, gap.to).process) {
      json["clocks_within"] = *bound;
    }
    json["in_time"] = gap.in_time ? Json(*gap.in_time) : Json();
    all.push_back(std::move(json));
  }
  return all;
}

[[nodiscard]] Json json_of_path(const Inspection& inspection, const CompiledFlow& flow,
                                const FlowWitness& witness) {
  const Computation& computation = inspection.computation();
  Json path = Json::array();
  for (const WitnessStep& step : witness_steps(inspection, flow, witness)) {
    Json json = json_of_place(computation, step.row);
    json["labels"] = step.labels;
    if (const auto source = computation.source(step.row)) json["source"] = *source;
    if (const auto text = computation.text(step.row)) json["text"] = *text;
    if (!step.messages.empty()) json["message"] = computation.message_name(step.messages.back());
    path.push_back(std::move(json));
  }
  Json json{{"path", std::move(path)}, {"matches", witness.matches}};
  if (!witness.gaps.empty()) json["gaps"] = json_of_gaps(inspection, witness.gaps);
  return json;
}

[[nodiscard]] Json json_of_reasons(const Inspection& inspection, const CompiledLogic& logic,
                                   const std::vector<LogicReason>& reasons) {
  const Computation& computation = inspection.computation();
  Json all = Json::array();
  for (const LogicReason& reason : reasons) {
    Json json{{"variable", logic.logic->equations[reason.variable].name}};
    json.update(json_of_place(computation, reason.row));
    if (reason.since != reason.row) json["since"] = place_of(computation, reason.since).rank;
    json["value"] = reason.value;
    json["facts"] = reason.facts;
    json["because"] = reason.because;
    if (const auto source = computation.source(reason.row)) json["source"] = *source;
    all.push_back(std::move(json));
  }
  return {{"reasons", std::move(all)}};
}

/// The state by what is read of each process; the changes of the observation.
[[nodiscard]] Json json_of_global(const Computation& computation, const GlobalAnswer& answer) {
  Json json = Json::object();
  if (!answer.decision.cut.empty()) {
    auto& state = json["state"] = Json::array();
    for (const StatePart& part : state_parts(answer, computation)) {
      state.push_back({{"process", computation.process_name(part.process)},
                       {"event", part.rank},
                       {"reads", part.reads}});
    }
  }
  auto& observation = json["observation"] = Json::array();
  for (const Change& change : changes(answer, computation)) {
    Json step = json_of_place(computation, change.event);
    step["changes"] = change.reads;
    observation.push_back(std::move(step));
  }
  return json;
}

}  // namespace

Json json_of_place(const Computation& computation, Row row) {
  const EventPlace place = place_of(computation, row);
  return {{"process", computation.process_name(place.process)}, {"event", place.rank}};
}

Json json_of_cut(const Computation& computation, const std::vector<Rank>& cut) {
  Json json = Json::object();
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    json[std::string(computation.process_name(p))] = cut[p];
  }
  return json;
}

Json missing_json(const Inspection& inspection, const Explanation& explanation) {
  const Computation& computation = inspection.computation();
  Json all = Json::array();
  for (const MissingLabel& missing : explanation.missing) {
    Json json{{"label", missing.label}, {"count", missing.count}};
    auto& at = json["at"] = Json::array();
    for (const EventPlace place : missing.at) {
      at.push_back(json_of_place(computation, row_of(computation, place)));
    }
    auto& known = json["known"] = Json::object();
    for (const auto& [process, rank] : missing.known) {
      known[std::string(computation.process_name(process))] = rank;
    }
    all.push_back(std::move(json));
  }
  for (const MissingTruth& missing : explanation.truths) {
    Json json{{"reads", missing.read}};
    auto& never = json["never"] = Json::array();
    for (const ProcessIndex process : missing.never) {
      never.push_back(computation.process_name(process));
    }
    if (missing.apart) {
      json["ended"] = json_of_place(computation, row_of(computation, missing.apart->first));
      json["begun"] = json_of_place(computation, row_of(computation, missing.apart->second));
    }
    all.push_back(std::move(json));
  }
  for (const ValuesRead& read : explanation.values) {
    const auto& values = read.values;
    Json json{{"reads", read.read},
              {"process", computation.process_name(read.process)},
              {"value_count", values.size()}};
    if (std::ranges::all_of(values, is_number)) {
      json["least"] = json_of_number(values.front());
      json["most"] = json_of_number(values.back());
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json witness_json(const Inspection& inspection, const Explanation& explanation) {
  const std::uint32_t property = explanation.property;
  if (const auto* global = std::get_if<const GlobalAnswer*>(&explanation.witness)) {
    return json_of_global(inspection.computation(), **global);
  }
  if (const auto* flow = std::get_if<FlowWitness>(&explanation.witness)) {
    return json_of_path(inspection, flow_of(inspection, property), *flow);
  }
  return json_of_reasons(inspection, logic_of(inspection, property),
                         std::get<std::vector<LogicReason>>(explanation.witness));
}

}  // namespace lightcone::cli
