// Makes JSON of differences and of the events that differ.
#include <lightcone/compare/diff_json.h>

#include <fmt/format.h>

namespace lightcone {
namespace {

[[nodiscard]] Json value_json(const Computation& computation, const Value& value) {
  return std::visit(
      [&](auto known) {
        if constexpr (std::is_same_v<decltype(known), NameIndex>) {
          return Json(computation.names()[known]);
        } else {
          return Json(known);
        }
      },
      value);
}

[[nodiscard]] Json message_json(const Computation& computation, MessageIndex m) {
  const CommonMessage identity = common_message(computation, m);
  Json json = {{"from", identity.from}, {"number", identity.number}};
  if (!identity.to.empty()) json["to"] = identity.to;
  json["event"] = computation.rank_of(computation.sent_by(m));
  json["name"] = computation.message_name(m);
  return json;
}

[[nodiscard]] std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::internal: return "internal";
    case Kind::send: return "send";
    case Kind::receive: return "receive";
    case Kind::initial: return "init";
  }
  return {};
}

void add_messages(const Computation& computation, EventIndex e, Json& json) {
  Json taken = Json::array();
  for (const MessageIndex m : computation.takes(e)) taken.push_back(message_json(computation, m));
  if (!taken.items().empty()) json["messages"] = std::move(taken);
  if (const MessageIndex m = computation.sends(e); m != none) {
    json["sends"] = message_json(computation, m);
  }
}

/// One of the two runs.
struct Side {
  const Computation& computation;
  const SourceNames& sources;

  [[nodiscard]] Json event(bool is_there, const std::optional<ProcessIndex>& p, Rank rank) const {
    return is_there ? event_json(computation, *p, rank, sources) : Json();
  }
};

[[nodiscard]] Json differences_json(const Comparison& comparison, const Side& a, const Side& b) {
  Json first = Json::array();
  for (const Difference& difference : comparison.first) {
    const AlignedProcess& process = comparison.processes[difference.process];
    Json one = {
        {"process", process.name}, {"event", difference.rank}, {"kind", name_of(difference.kind)}};
    one["a"] = a.event(difference.is_in_a, process.in_a, difference.rank);
    one["b"] = b.event(difference.is_in_b, process.in_b, difference.rank);
    if (difference.unlike.any()) one["differs"] = difference.unlike.names();
    if (!difference.is_past_known) one["past_known"] = false;
    first.push_back(std::move(one));
  }
  return first;
}

}  // namespace

Json event_json(const Computation& computation, ProcessIndex p, Rank rank,
                const SourceNames& sources) {
  const bool is_initial = rank == 0;
  const Row row = is_initial ? computation.initial_row(p) : computation.event(p, rank);
  Json json = {{"kind", kind_name(is_initial ? Kind::initial : computation.kind(row))}};
  if (!is_initial) add_messages(computation, row, json);
  Json labels = Json::array();
  for (const NameIndex label : computation.labels(row)) {
    labels.push_back(computation.names()[label]);
  }
  if (!labels.items().empty()) json["labels"] = std::move(labels);
  for (const Assignment& assignment : computation.assignments(row)) {
    json["vars"][computation.names()[assignment.variable]] =
        value_json(computation, assignment.value);
  }
  if (const auto text = computation.text(row)) json["text"] = *text;
  if (const auto digest = computation.digest(row)) json["digest"] = fmt::format("{:016x}", *digest);
  if (const auto source = computation.source(row)) {
    json["source"] = sources ? sources(*source) : std::string(*source);
  }
  return json;
}

void add_comparison(const Comparison& comparison, const Computation& a, const Computation& b,
                    Json& document, const SourceNames& sources_a, const SourceNames& sources_b) {
  document["same"] = nullptr;
  if (comparison.answer() != Comparison::Sameness::unknown) {
    document["same"] = comparison.answer() == Comparison::Sameness::same;
  }
  document["first"] = differences_json(comparison, {a, sources_a}, {b, sources_b});
  document["alike"] = comparison.alike;
  document["compared_contents"] = comparison.compared_contents;
  Json processes = Json::array();
  for (const AlignedProcess& process : comparison.processes) {
    Json one = {{"process", process.name}, {"a", nullptr}, {"b", nullptr}};
    if (process.in_a) one["a"] = process.events_a;
    if (process.in_b) one["b"] = process.events_b;
    one["alike"] = process.alike;
    if (process.differs_at) one["differs_at"] = *process.differs_at;
    processes.push_back(std::move(one));
  }
  document["processes"] = std::move(processes);
}

}  // namespace lightcone
