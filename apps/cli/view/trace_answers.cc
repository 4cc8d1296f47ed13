// Makes JSON of what the library answers about a trace.
#include "view/trace_answers.h"

#include <fmt/format.h>
#include <lightcone/base/json_text.h>
#include <lightcone/causal/order/measures.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/view/process_traffic.h>
#include <lightcone/view/race_alternatives.h>
#include <lightcone/view/state_at_cut.h>

#include <algorithm>
#include <numeric>

#include "view/tile_bytes.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t most_racing_pairs = 5000;

[[nodiscard]] Json place_json(const Computation& computation, EventIndex e) {
  return {{"process", computation.process_of(e)}, {"rank", computation.rank_of(e)}};
}

[[nodiscard]] Json labels_json(const Computation& computation, Row row) {
  Json labels = Json::array();
  for (const NameIndex label : computation.labels(row)) {
    labels.push_back(computation.names()[label]);
  }
  return labels;
}

[[nodiscard]] Json state_json(const Computation& computation, ProcessIndex p, Rank rank) {
  Json state = Json::array();
  for (const HeldValue& held : state_after(computation, p, rank)) {
    state.push_back({{"name", computation.names()[held.assignment.variable]},
                     {"value", value_text(computation, held.assignment.value)},
                     {"since", held.since}});
  }
  return state;
}

/// A rank beyond the last one stands at the end of the axis.
[[nodiscard]] double position_of(const TraceSnapshot& trace, EventPlace place, AxisKind kind) {
  const SpaceTimeAxis& axis = trace.space_time().axis(kind);
  if (place.rank == 0) return axis.begin();
  if (place.rank > trace.computation().last_rank(place.process)) return axis.end();
  return axis.position(trace.computation().event(place.process, place.rank));
}

void add_messages(const TraceSnapshot& trace, EventIndex e, Json& json) {
  const Computation& computation = trace.computation();
  Json takes = Json::array();
  for (const MessageIndex m : computation.takes(e)) {
    Json taken = place_json(computation, computation.sent_by(m));
    taken["message"] = computation.message_name(m);
    takes.push_back(std::move(taken));
  }
  json["takes"] = std::move(takes);
  Json receivers = Json::array();
  if (const MessageIndex m = computation.sends(e); m != none) {
    json["message"] = computation.message_name(m);
    for (const MessageEdge& edge : trace.space_time().edges_of(m)) {
      receivers.push_back(place_json(computation, edge.receive));
    }
    Json to = Json::array();
    for (const NameIndex name : computation.to(e)) to.push_back(computation.names()[name]);
    json["to"] = std::move(to);
  }
  json["receivers"] = std::move(receivers);
  if (computation.is_duplicate(e)) json["duplicate"] = true;
}

[[nodiscard]] std::vector<Rank> future_of(const Computation& computation, EventPlace place) {
  // The initial state leads to what its process's first event leads to.
  const Rank first = std::max<Rank>(1, place.rank);
  if (first <= computation.last_rank(place.process)) {
    return causal_future(computation, computation.event(place.process, first));
  }
  std::vector<Rank> nothing(computation.process_count());
  for (ProcessIndex p = 0; p < nothing.size(); ++p) nothing[p] = computation.last_rank(p) + 1;
  return nothing;
}

/// The light cones, as ranks and as positions. A cone without events of a process ends where the
/// axis does.
void add_cones(const TraceSnapshot& trace, EventPlace place, AxisKind kind, Json& json) {
  const Computation& computation = trace.computation();
  const std::vector<Rank> past =
      place.rank == 0 ? std::vector<Rank>(computation.process_count(), 0)
                      : causal_past(computation, computation.event(place.process, place.rank));
  const std::vector<Rank> future = future_of(computation, place);
  Json past_x = Json::array(), future_x = Json::array();
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    past_x.push_back(position_of(trace, {p, past[p]}, kind));
    future_x.push_back(position_of(trace, {p, future[p]}, kind));
  }
  json["past"] = past;
  json["future"] = future;
  json["past_x"] = std::move(past_x);
  json["future_x"] = std::move(future_x);
}

}  // namespace

std::string value_text(const Computation& computation, const Value& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return json_real(*real);
  return json_string(computation.names()[std::get<NameIndex>(value)]);
}

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::string_view axis_name(AxisKind kind) {
  switch (kind) {
    case AxisKind::time: return "time";
    case AxisKind::order: return "order";
    default: return "depth";
  }
}

AxisKind axis_named(std::string_view name) {
  if (name == "time") return AxisKind::time;
  return name == "order" ? AxisKind::order : AxisKind::depth;
}

Json trace_json(const TraceSnapshot& trace) {
  const Computation& computation = trace.computation();
  Json names = Json::array(), counted = Json::array(), first = Json::array();
  std::vector<std::uint64_t> place(computation.process_count(), computation.event_count());
  std::uint64_t at = 0;
  for (const EventIndex e : computation.order()) {
    std::uint64_t& earliest = place[computation.process_of(e)];
    earliest = std::min(earliest, at++);
  }
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    names.push_back(computation.process_name(p));
    counted.push_back(computation.last_rank(p));
    first.push_back(place[p]);
  }
  Json axes = Json::array();
  axes.push_back("depth");
  if (trace.space_time().has_times()) axes.push_back("time");
  axes.push_back("order");
  const Counts all = counts(computation);
  return {{"lightcone", 1},
          {"version", trace.version()},
          {"events", computation.event_count()},
          {"messages", computation.message_count()},
          {"in_transit", all.in_transit},
          {"edges", computation.edge_count()},
          {"processes", std::move(names)},
          {"counts", std::move(counted)},
          {"first", std::move(first)},
          {"axes", std::move(axes)},
          {"notes", trace.reading().notes},
          {"extent", extent_sentence(wholeness_of(trace.reading()))}};
}

Json axis_json(const TraceSnapshot& trace, AxisKind kind) {
  const SpaceTimeAxis& axis = trace.space_time().axis(kind);
  return {{"kind", axis_name(kind)},    {"begin", axis.begin()},
          {"end", axis.end()},          {"origin", axis.origin()},
          {"version", trace.version()}, {"without_time", axis.without_time()}};
}

Json event_json(const TraceSnapshot& trace, EventPlace place, AxisKind kind) {
  const Computation& computation = trace.computation();
  const Row row = row_of(computation, place);
  static constexpr std::string_view kinds[] = {"internal", "send", "receive", "initial"};
  const Kind own_kind = place.rank == 0 ? Kind::initial : computation.kind(row);
  Json json{{"version", trace.version()},
            {"process", place.process},
            {"rank", place.rank},
            {"x", position_of(trace, place, kind)},
            {"kind", kinds[static_cast<std::size_t>(own_kind)]},
            {"labels", labels_json(computation, row)}};
  if (const auto time = computation.time(row)) json["time"] = *time;
  if (const auto text = computation.text(row)) json["text"] = *text;
  if (const auto source = trace.source(row)) json["source"] = *source;
  if (const auto digest = computation.digest(row)) json["digest"] = digest_text(*digest);
  if (!computation.extra(row).empty()) json["extra"] = computation.extra(row);
  json["state"] = state_json(computation, place.process, place.rank);
  json["before"] =
      place.rank == 0 ? Json::array() : state_json(computation, place.process, place.rank - 1);
  if (place.rank > 0) {
    add_messages(trace, row, json);
  } else {
    json["takes"] = Json::array();
    json["receivers"] = Json::array();
  }
  add_cones(trace, place, kind, json);
  return json;
}

Json cut_json(const TraceSnapshot& trace, const std::vector<Rank>& cut, AxisKind kind,
              bool ask_inevitable) {
  const Computation& computation = trace.computation();
  Json state = Json::array(), labels = Json::array(), at = Json::array(), next = Json::array();
  for (ProcessIndex p = 0; p < cut.size(); ++p) {
    state.push_back(state_json(computation, p, cut[p]));
    labels.push_back(labels_json(computation, row_of(computation, {p, cut[p]})));
    at.push_back(position_of(trace, {p, cut[p]}, kind));
    next.push_back(position_of(trace, {p, cut[p] + 1}, kind));
  }
  Json json{{"version", trace.version()},
            {"ranks", cut},
            {"events", std::accumulate(cut.begin(), cut.end(), std::uint64_t{0})},
            {"at", std::move(at)},
            {"next", std::move(next)},
            {"state", std::move(state)},
            {"labels", std::move(labels)},
            {"inevitable", nullptr}};
  if (ask_inevitable) json["inevitable"] = trace.inevitable().contains(cut);
  return json;
}

Json races_json(const TraceSnapshot& trace) {
  const Computation& computation = trace.computation();
  const RacingReceptions racing = racing_receptions(computation, most_racing_pairs);
  Json receptions = Json::array();
  for (const RaceAlternatives& race : racing.receptions) {
    Json others = Json::array();
    for (const MessageIndex m : race.others) {
      Json other{{"message", computation.message_name(m)},
                 {"from", place_json(computation, computation.sent_by(m))}};
      for (const MessageEdge& edge : trace.space_time().edges_of(m)) {
        if (computation.process_of(edge.receive) != computation.process_of(race.reception.event)) {
          continue;
        }
        other["to"] = place_json(computation, edge.receive);
      }
      others.push_back(std::move(other));
    }
    Json json = place_json(computation, race.reception.event);
    json["message"] = computation.message_name(race.reception.message);
    json["from"] = place_json(computation, computation.sent_by(race.reception.message));
    json["others"] = std::move(others);
    receptions.push_back(std::move(json));
  }
  return {{"version", trace.version()},
          {"complete", racing.complete},
          {"receptions", std::move(receptions)}};
}

Json traffic_json(const TraceSnapshot& trace) {
  Json from = Json::array(), to = Json::array(), messages = Json::array();
  for (const ProcessTraffic& traffic : process_traffic(trace.computation())) {
    from.push_back(traffic.from);
    to.push_back(traffic.to);
    messages.push_back(traffic.messages);
  }
  return {{"from", std::move(from)}, {"to", std::move(to)}, {"messages", std::move(messages)}};
}

Json places_json(const TraceSnapshot& trace, const std::vector<EventPlace>& places, AxisKind kind) {
  Json processes = Json::array(), ranks = Json::array(), positions = Json::array();
  for (const EventPlace place : places) {
    processes.push_back(place.process);
    ranks.push_back(place.rank);
    positions.push_back(position_of(trace, place, kind));
  }
  return {
      {"process", std::move(processes)}, {"rank", std::move(ranks)}, {"x", std::move(positions)}};
}

Json error_json(const Error& error) {
  Json json{{"what", error.what}, {"hint", error.hint}};
  if (error.line > 0) json["line"] = error.line;
  if (error.column > 0) json["column"] = error.column;
  return {{"error", std::move(json)}};
}

}  // namespace lightcone::cli
