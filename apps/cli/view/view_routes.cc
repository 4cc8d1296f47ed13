// Reads the parameters of a request, asks the library, and answers.
#include "view/view_routes.h"

#include <lightcone/view/event_search.h>
#include <lightcone/view/nearest_cut.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "view/comparison_answers.h"
#include "view/tile_bytes.h"
#include "view/trace_answers.h"
#include "view/view_page.h"

namespace lightcone::cli {
namespace {

constexpr double seconds_per_property = 2;
constexpr std::size_t most_hits = 20'000;
constexpr std::uint64_t most_columns = 8192;
constexpr std::uint64_t most_listed = 100'000;

[[nodiscard]] HttpAnswer json_answer(const Json& json) {
  return {200, "application/json", json.dump()};
}

[[nodiscard]] HttpAnswer bad_request(const std::string& what) {
  return {400, "application/json", error_json({what, {}, 0, {}}).dump()};
}

template <class Number>
[[nodiscard]] std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, number);
  if (text.empty() || rest != end || code != std::errc()) return std::nullopt;
  return number;
}

[[nodiscard]] std::uint64_t natural_of(const std::string& text, std::uint64_t otherwise,
                                       std::uint64_t most) {
  return std::min(number_of<std::uint64_t>(text).value_or(otherwise), most);
}

[[nodiscard]] std::optional<EventPlace> place_of(const Computation& computation,
                                                 const HttpRequest& request) {
  const auto process = number_of<ProcessIndex>(request["process"]);
  const auto rank = number_of<Rank>(request["rank"]);
  if (!process || !rank || *process >= computation.process_count()) return std::nullopt;
  if (*rank > computation.last_rank(*process)) return std::nullopt;
  return EventPlace{*process, *rank};
}

[[nodiscard]] SearchKind search_kind(std::string_view name) {
  if (name == "label") return SearchKind::label;
  if (name == "process") return SearchKind::process;
  if (name == "text") return SearchKind::text;
  return name == "expression" ? SearchKind::expression : SearchKind::any;
}

/// Processes by number, separated by commas, each once. An empty text is an empty list.
[[nodiscard]] std::optional<std::vector<ProcessIndex>> processes_of(const Computation& computation,
                                                                    std::string_view text) {
  std::vector<ProcessIndex> processes;
  std::vector<bool> is_listed(computation.process_count(), false);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto process = number_of<ProcessIndex>(std::string(text.substr(0, comma)));
    if (!process || *process >= is_listed.size() || is_listed[*process]) return std::nullopt;
    is_listed[*process] = true;
    processes.push_back(*process);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return processes;
}

/// The ranks in a request, which must be one per process.
[[nodiscard]] std::optional<std::vector<Rank>> ranks_of(const Computation& computation,
                                                        const Json* list) {
  if (list == nullptr || list->items().size() != computation.process_count()) return std::nullopt;
  std::vector<Rank> ranks;
  for (const Json& item : list->items()) {
    const auto rank = item.natural();
    if (!rank || *rank > computation.last_rank(static_cast<ProcessIndex>(ranks.size()))) {
      return std::nullopt;
    }
    ranks.push_back(static_cast<Rank>(*rank));
  }
  return ranks;
}

/// The cut nearest to where a handle was dragged: what is missing is added when it went to the
/// right, what lacks a cause is removed when it went to the left.
[[nodiscard]] std::vector<Rank> dragged(const Computation& computation, std::vector<Rank> ranks,
                                        ProcessIndex process, Rank rank) {
  const bool right = rank > ranks[process];
  ranks[process] = rank;
  return right ? least_consistent_above(computation, ranks)
               : greatest_consistent_below(computation, ranks);
}

/// The cut that is asked for, or nothing if there is none or the request makes no sense.
[[nodiscard]] std::optional<std::vector<Rank>> wanted_cut(const TraceSnapshot& trace,
                                                          const Json& request, AxisKind kind) {
  const Computation& computation = trace.computation();
  const SpaceTimeAxis& axis = trace.space_time().axis(kind);
  std::string want, x_text;
  if (!request.read("want", want) || !request.read("x", x_text)) return std::nullopt;
  const double x = number_of<double>(x_text).value_or(0);
  if (want == "at") {
    std::vector<Rank> ranks(computation.process_count());
    for (ProcessIndex p = 0; p < ranks.size(); ++p) ranks[p] = axis.rank_at(p, x);
    return greatest_consistent_below(computation, ranks);
  }
  auto ranks = ranks_of(computation, request.find("ranks"));
  if (!ranks) return std::nullopt;
  std::uint64_t process = 0, rank = 0;
  if (!request.read("process", process) || !request.read("rank", rank)) return std::nullopt;
  if (want == "drag" || want == "step") {
    if (process >= computation.process_count()) return std::nullopt;
    const auto p = static_cast<ProcessIndex>(process);
    const auto to = want == "drag" ? axis.rank_at(p, x) : static_cast<Rank>(rank);
    if (to > computation.last_rank(p)) return std::nullopt;
    return dragged(computation, std::move(*ranks), p, to);
  }
  if (want == "below") return greatest_consistent_below(computation, *ranks);
  if (want == "above") return least_consistent_above(computation, *ranks);
  std::uint64_t events = 0;
  for (const Rank r : *ranks) events += r;
  if (want == "previous") return trace.inevitable().before(events);
  if (want == "next") return trace.inevitable().after(events);
  return std::nullopt;
}

}  // namespace

ViewRoutes::ViewRoutes(ViewedTrace& trace, ViewedTrace* second, std::string properties,
                       std::string file)
    : trace_(trace),
      second_(second),
      properties_(std::move(properties)),
      file_(std::move(file)),
      checks_(seconds_per_property) {}

const ViewedTrace& ViewRoutes::asked(const HttpRequest& request) const {
  return second_ != nullptr && request["run"] == "2" ? *second_ : trace_;
}

HttpAnswer ViewRoutes::trace_answer(const HttpRequest& request) const {
  const ViewedTrace& trace = asked(request);
  Json json = trace_json(*trace.now());
  json["name"] = trace.name();
  json["properties"] = properties_;
  json["properties_file"] = file_;
  json["problem"] = trace.problem();
  return json_answer(json);
}

HttpAnswer ViewRoutes::comparison_answer() const {
  if (second_ == nullptr) return json_answer(nullptr);
  const auto a = trace_.now(), b = second_->now();
  return json_answer(comparison_json({*a, trace_.path()}, {*b, second_->path()}));
}

HttpAnswer ViewRoutes::tile_answer(const HttpRequest& request) const {
  const auto trace = asked(request).now();
  const auto from = number_of<double>(request["from"]);
  const auto to = number_of<double>(request["to"]);
  if (!from || !to || !std::isfinite(*from) || !std::isfinite(*to) || !(*from < *to)) {
    return bad_request("a tile needs `from` and `to`");
  }
  TileQuery query;
  query.axis = axis_named(request["axis"]);
  query.from = *from;
  query.to = *to;
  query.columns = static_cast<std::uint32_t>(natural_of(request["columns"], 1024, most_columns));
  query.bundle_columns =
      static_cast<std::uint32_t>(natural_of(request["bundle_columns"], 8, most_columns));
  query.most_events = natural_of(request["most_events"], 0, most_listed);
  query.most_messages = natural_of(request["most_messages"], 0, most_listed);
  query.most_bundles = natural_of(request["most_bundles"], 0, most_listed);
  auto processes = processes_of(trace->computation(), request.body);
  if (!processes) return bad_request("the body is no list of processes");
  query.processes = std::move(*processes);
  return {200, "application/octet-stream",
          tile_bytes(trace->space_time(), query, trace->version())};
}

HttpAnswer ViewRoutes::positions_answer(const HttpRequest& request) const {
  const auto trace = asked(request).now();
  const Computation& computation = trace->computation();
  const auto json = Json::parse(request.body);
  std::string axis;
  if (!json || !json->is_object() || !json->read("axis", axis)) {
    return bad_request("the body is no JSON object with an axis");
  }
  const Json* processes = json->find("process");
  const Json* ranks = json->find("rank");
  if (processes == nullptr || ranks == nullptr ||
      processes->items().size() != ranks->items().size()) {
    return bad_request("`process` and `rank` are no lists of one length");
  }
  std::vector<EventPlace> places;
  for (std::size_t i = 0; i < ranks->items().size(); ++i) {
    const auto process = processes->items()[i].natural();
    const auto rank = ranks->items()[i].natural();
    if (!process || !rank || *process >= computation.process_count() ||
        *rank > computation.last_rank(static_cast<ProcessIndex>(*process))) {
      return bad_request("there is no such event");
    }
    places.push_back({static_cast<ProcessIndex>(*process), static_cast<Rank>(*rank)});
  }
  return json_answer(places_json(*trace, places, axis_named(axis)));
}

/// The event of some processes that stands nearest to a position.
HttpAnswer ViewRoutes::nearest_answer(const HttpRequest& request) const {
  const auto trace = asked(request).now();
  const Computation& computation = trace->computation();
  const auto json = Json::parse(request.body);
  std::string axis_text, x_text;
  if (!json || !json->is_object() || !json->read("axis", axis_text) || !json->read("x", x_text)) {
    return bad_request("the body is no JSON object with an axis and a position");
  }
  const auto x = number_of<double>(x_text);
  const Json* const processes = json->find("process");
  if (!x || !std::isfinite(*x) || processes == nullptr) {
    return bad_request("`process` or `x` is missing");
  }
  const AxisKind kind = axis_named(axis_text);
  const SpaceTimeAxis& axis = trace->space_time().axis(kind);
  std::optional<EventIndex> nearest;
  for (const Json& item : processes->items()) {
    const auto process = item.natural();
    if (!process || *process >= computation.process_count()) {
      return bad_request("there is no such process");
    }
    const auto own = axis.nearest(static_cast<ProcessIndex>(*process), *x);
    const auto away = [&](EventIndex e) { return std::abs(axis.position(e) - *x); };
    if (own && (!nearest || away(*own) < away(*nearest))) nearest = own;
  }
  std::vector<EventPlace> places;
  if (nearest) places.push_back({computation.process_of(*nearest), computation.rank_of(*nearest)});
  return json_answer(places_json(*trace, places, kind));
}

/// It changes when a trace grows.
HttpAnswer ViewRoutes::version_answer() const {
  Json json{{"version", trace_.now()->version()}, {"problem", trace_.problem()}};
  if (second_ != nullptr) {
    json["second"] = second_->now()->version();
    if (trace_.problem().empty()) json["problem"] = second_->problem();
  }
  return json_answer(json);
}

HttpAnswer ViewRoutes::event_answer(const HttpRequest& request) const {
  const auto trace = asked(request).now();
  const auto place = place_of(trace->computation(), request);
  if (!place) return bad_request("there is no such event");
  return json_answer(event_json(*trace, *place, axis_named(request["axis"])));
}

HttpAnswer ViewRoutes::search_answer(const HttpRequest& request) const {
  const auto trace = asked(request).now();
  const auto hits =
      search_events(trace->reading(), search_kind(request["kind"]), request["words"], most_hits);
  if (!hits) return json_answer(error_json(hits.error()));
  return json_answer({{"version", trace->version()},
                      {"count", hits->count},
                      {"places", places_json(*trace, hits->places, axis_named(request["axis"]))}});
}

HttpAnswer ViewRoutes::cut_answer(const HttpRequest& request) const {
  const auto trace = asked(request).now();
  const auto json = Json::parse(request.body);
  if (!json || !json->is_object()) return bad_request("the body is no JSON object");
  std::string axis;
  bool ask_inevitable = false;
  if (!json->read("axis", axis) || !json->read("ask_inevitable", ask_inevitable)) {
    return bad_request("`axis` or `ask_inevitable` has another type");
  }
  const AxisKind kind = axis_named(axis);
  const auto cut = wanted_cut(*trace, *json, kind);
  if (!cut) return bad_request("there is no such cut");
  return json_answer(cut_json(*trace, *cut, kind, ask_inevitable));
}

HttpAnswer ViewRoutes::check_answer(const HttpRequest& request) {
  return json_answer(checks_.check(trace_.now(), request.body));
}

HttpAnswer ViewRoutes::witness_answer(const HttpRequest& request) const {
  const auto property = number_of<std::uint32_t>(request["property"]);
  if (!property) return bad_request("there is no such property");
  return json_answer(checks_.witness(*property, request["place"]));
}

void ViewRoutes::add_to(HttpRoutes& server) {
  server.on_get("/", [](const HttpRequest&) {
    return HttpAnswer{200, "text/html; charset=utf-8", std::string(view_page())};
  });
  server.on_get("/api/trace", [this](const HttpRequest& r) { return trace_answer(r); });
  server.on_get("/api/version", [this](const HttpRequest&) { return version_answer(); });
  server.on_get("/api/axis", [this](const HttpRequest& r) {
    return json_answer(axis_json(*asked(r).now(), axis_named(r["axis"])));
  });
  server.on_get("/api/comparison", [this](const HttpRequest&) { return comparison_answer(); });
  server.on_get("/api/tile", [this](const HttpRequest& r) { return tile_answer(r); });
  server.on_post("/api/tile", [this](const HttpRequest& r) { return tile_answer(r); });
  server.on_get("/api/event", [this](const HttpRequest& r) { return event_answer(r); });
  server.on_get("/api/search", [this](const HttpRequest& r) { return search_answer(r); });
  server.on_get("/api/races",
                [this](const HttpRequest& r) { return json_answer(races_json(*asked(r).now())); });
  server.on_get("/api/traffic", [this](const HttpRequest& r) {
    return json_answer(traffic_json(*asked(r).now()));
  });
  server.on_get("/api/witness", [this](const HttpRequest& r) { return witness_answer(r); });
  server.on_post("/api/positions", [this](const HttpRequest& r) { return positions_answer(r); });
  server.on_post("/api/nearest", [this](const HttpRequest& r) { return nearest_answer(r); });
  server.on_post("/api/cut", [this](const HttpRequest& r) { return cut_answer(r); });
  server.on_post("/api/check", [this](const HttpRequest& r) { return check_answer(r); });
}

}  // namespace lightcone::cli
