// Pictures of traces as SVG, for notebooks: those that the program draws.
#include <lightcone/causality.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>

#include "draw/overview_svg.h"
#include "draw/space_time_svg.h"
#include "errors.h"
#include "interruptible.h"
#include "trace_object.h"

namespace lightcone::python {
namespace {

constexpr std::uint32_t most_drawn_one_by_one = 120;  // more events become an overview

[[nodiscard]] py::object picture_object(const std::string& svg) {
  return py::module_::import("lightcone.answers").attr("Picture")(text_of(svg));
}

[[nodiscard]] std::vector<cli::Moment> moments(const TraceObject& trace,
                                               const std::vector<py::object>& events) {
  std::vector<cli::Moment> all;
  for (const py::object& event : events) {
    const EventPlace place = place_in(trace, event);
    all.push_back({place.process, place.rank});
  }
  return all;
}

/// Each moment of a path is a cause of the next.
void demand_path(const Computation& computation, const std::vector<cli::Moment>& path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    const cli::Moment &before = path[i - 1], &after = path[i];
    const bool leads =
        after.rank > 0 && before != after &&
        causal_past(computation, computation.event(after.process, after.rank))[before.process] >=
            before.rank;
    if (!leads) throw py::value_error("the events of a path must follow from each other");
  }
}

/// The rank of each process's last event inside, which must be consistent.
[[nodiscard]] std::vector<Rank> cut_of(const TraceObject& trace,
                                       const std::map<std::string, std::int64_t>& ranks) {
  const Computation& c = trace.computation();
  std::vector<Rank> cut(c.process_count(), 0);
  std::vector<EventIndex> last;
  for (const auto& [name, rank] : ranks) {
    const auto p = c.find_process(name);
    if (!p) throw py::key_error("there is no process '" + name + "'");
    if (rank < 0 || rank > c.last_rank(*p)) throw py::index_error("there is no such event");
    cut[*p] = static_cast<Rank>(rank);
    if (rank > 0) last.push_back(c.event(*p, cut[*p]));
  }
  if (!last.empty() && causal_past(c, last) != cut) {
    throw py::value_error("the cut is not consistent: an event inside has a cause outside");
  }
  return cut;
}

[[nodiscard]] std::string drawn(const TraceObject& trace, cli::Picture picture) {
  return interruptible([reading = trace.reading, picture = std::move(picture)](const Progress&) {
    return cli::space_time_svg(reading->computation, picture);
  });
}

[[nodiscard]] std::string overview(const TraceObject& trace, const std::string& title) {
  return interruptible([reading = trace.reading, title](const Progress&) {
    return cli::overview_svg(reading->computation, title);
  });
}

[[nodiscard]] std::string drawn_whole(const TraceObject& trace) {
  if (trace.computation().event_count() > most_drawn_one_by_one) {
    return overview(trace, trace.path);
  }
  cli::Picture picture;
  picture.title = trace.path;
  return drawn(trace, std::move(picture));
}

[[nodiscard]] py::object drawn_picture(
    const TraceObject& trace, const std::vector<py::object>& path,
    const std::vector<py::object>& marked,
    const std::optional<std::map<std::string, std::int64_t>>& cut, const std::string& title) {
  cli::Picture picture;
  picture.path = moments(trace, path);
  picture.marked = moments(trace, marked);
  picture.title = title;
  if (cut && !path.empty()) throw py::value_error("a picture of a cut has no path");
  demand_path(trace.computation(), picture.path);
  if (cut) picture.cut = cut_of(trace, *cut);
  return picture_object(drawn(trace, std::move(picture)));
}

}  // namespace

void define_pictures(TraceClass& trace) {
  trace
      .def("picture", &drawn_picture, py::kw_only(), py::arg("path") = std::vector<py::object>(),
           py::arg("marked") = std::vector<py::object>(), py::arg("cut") = py::none(),
           py::arg("title") = "",
           "Draws the events around a causal path, around marked events, or around a consistent\n"
           "global state; without any, the beginning of the trace.")
      .def(
          "overview",
          [](const TraceObject& t, const std::string& title) {
            return picture_object(overview(t, title));
          },
          py::kw_only(), py::arg("title") = "",
          "Draws when each process was busy, and who sent how much to whom.")
      .def(
          "_repr_svg_", [](const TraceObject& t) { return text_of(drawn_whole(t)); },
          "What notebooks show: all events if they are few, otherwise the overview.");
}

}  // namespace lightcone::python
