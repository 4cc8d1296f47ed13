// `lightcone.Event`, and the causal past and future of events.
#include <lightcone/causality.h>
#include <lightcone/check/recorded_check.h>
#include <pybind11/stl.h>

#include "errors.h"
#include "interruptible.h"
#include "trace_object.h"

namespace lightcone::python {

Row EventObject::row() const { return row_of(computation(), place); }

namespace {

constexpr const char* what_events_are =
    "an event is an Event of this trace, its index, or a pair of a process and a rank";

[[nodiscard]] ProcessIndex process_in(const Computation& computation, const py::handle& process) {
  if (py::isinstance<py::str>(process)) {
    const auto found = computation.find_process(process.cast<std::string>());
    if (found) return *found;
    throw py::key_error("there is no process '" + process.cast<std::string>() + "'");
  }
  const auto index = process.cast<std::int64_t>();
  if (index < 0 || index >= computation.process_count()) throw py::index_error("no such process");
  return static_cast<ProcessIndex>(index);
}

[[nodiscard]] EventPlace place_of_rank(const Computation& computation, ProcessIndex process,
                                       std::int64_t rank) {
  if (rank < 0 || rank > computation.last_rank(process)) {
    throw py::index_error("process '" + std::string(computation.process_name(process)) + "' has " +
                          std::to_string(computation.last_rank(process)) + " events");
  }
  return {process, static_cast<Rank>(rank)};
}

[[nodiscard]] py::list names_of(const Computation& computation, std::span<const NameIndex> names) {
  py::list list;
  for (const NameIndex name : names) list.append(text_of(computation.names()[name]));
  return list;
}

[[nodiscard]] py::object python_value(const Computation& computation, const Value& value) {
  return std::visit(
      [&](auto known) -> py::object {
        if constexpr (std::is_same_v<decltype(known), NameIndex>) {
          return text_of(computation.names()[known]);
        } else {
          return py::cast(known);
        }
      },
      value);
}

[[nodiscard]] py::dict variables_of(const EventObject& event) {
  py::dict variables;
  for (const Assignment& a : event.computation().assignments(event.row())) {
    variables[text_of(event.computation().names()[a.variable])] =
        python_value(event.computation(), a.value);
  }
  return variables;
}

[[nodiscard]] py::object text_or_none(std::optional<std::string_view> text) {
  return text ? py::object(text_of(*text)) : py::object(py::none());
}

[[nodiscard]] const char* kind_of(const EventObject& event) {
  if (event.place.rank == 0) return "init";
  switch (event.computation().kind(event.row())) {
    case Kind::send: return "send";
    case Kind::receive: return "receive";
    default: return "internal";
  }
}

[[nodiscard]] py::list received_by(const EventObject& event) {
  py::list messages;
  if (event.place.rank == 0) return messages;
  for (const MessageIndex m : event.computation().takes(event.row())) {
    messages.append(text_of(event.computation().message_name(m)));
  }
  return messages;
}

[[nodiscard]] py::object sent_by(const EventObject& event) {
  const Computation& c = event.computation();
  const MessageIndex m = event.place.rank == 0 ? none : c.sends(event.row());
  return m == none ? py::object(py::none()) : py::object(text_of(c.message_name(m)));
}

[[nodiscard]] py::str event_words(const EventObject& event) {
  const std::string name(event.computation().process_name(event.place.process));
  return text_of("<lightcone.Event " + name + ":" + std::to_string(event.place.rank) + " " +
                 kind_of(event) + ">");
}

[[nodiscard]] py::array_t<Rank> array_of(const std::vector<Rank>& ranks) {
  return py::array_t<Rank>(static_cast<py::ssize_t>(ranks.size()), ranks.data());
}

[[nodiscard]] EventObject event_object(const TraceObject& trace, const py::handle& process,
                                       std::int64_t rank) {
  const Computation& c = trace.computation();
  return {trace.reading, place_of_rank(c, process_in(c, process), rank)};
}

[[nodiscard]] bool happened_before(const TraceObject& trace, const py::handle& first,
                                   const py::handle& second) {
  const Computation& c = trace.computation();
  const EventIndex e = event_in(trace, first), f = event_in(trace, second);
  return e != f && causal_past(c, f)[c.process_of(e)] >= c.rank_of(e);
}

/// All timestamps as they lie in memory, which ends with the array.
[[nodiscard]] py::array timestamps_of(const TraceObject& trace) {
  auto made = interruptible([reading = trace.reading](const Progress&) {
    return std::make_unique<const Timestamps>(timestamps(reading->computation));
  });
  const Computation& c = trace.computation();
  const std::size_t rows = c.event_count(), columns = c.process_count();
  const std::size_t stride =
      rows > 1 ? std::size_t(made->of(1).data() - made->of(0).data()) : columns;
  const std::uint32_t* data = rows > 0 ? made->of(0).data() : nullptr;
  const py::capsule owner(made.release(),
                          [](void* table) { delete static_cast<const Timestamps*>(table); });
  py::array array(py::dtype::of<std::uint32_t>(), {rows, columns},
                  {stride * sizeof(std::uint32_t), sizeof(std::uint32_t)}, data, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

void define_event_class(py::module_& module) {
  py::class_<EventObject>(module, "Event", "An event, or the initial state of a process (rank 0).")
      .def_property_readonly(
          "index",
          [](const EventObject& e) {
            return e.place.rank == 0 ? py::object(py::none()) : py::object(py::int_(e.row()));
          },
          "Its index in the columns; None for an initial state.")
      .def_property_readonly(
          "process",
          [](const EventObject& e) {
            return text_of(e.computation().process_name(e.place.process));
          },
          "The name of its process.")
      .def_property_readonly(
          "rank", [](const EventObject& e) { return e.place.rank; },
          "Its number among the events of its process, from 1.")
      .def_property_readonly("kind", &kind_of, "'internal', 'send', 'receive' or 'init'.")
      .def_property_readonly(
          "labels",
          [](const EventObject& e) {
            return names_of(e.computation(), e.computation().labels(e.row()));
          },
          "Its labels.")
      .def_property_readonly("vars", &variables_of, "The variables that it assigns.")
      .def_property_readonly("sends", &sent_by, "The message that it sends, or None.")
      .def_property_readonly("receives", &received_by, "The messages that it receives.")
      .def_property_readonly(
          "time", [](const EventObject& e) { return e.computation().time(e.row()); },
          "Seconds, or None.")
      .def_property_readonly(
          "text", [](const EventObject& e) { return text_or_none(e.computation().text(e.row())); },
          "Its text, or None.")
      .def_property_readonly(
          "source",
          [](const EventObject& e) { return text_or_none(e.computation().source(e.row())); },
          "Where it comes from, as 'file:line', or None.")
      .def("__eq__",
           [](const EventObject& a, const py::object& other) {
             if (!py::isinstance<EventObject>(other)) return false;
             const auto& b = other.cast<const EventObject&>();
             return a.reading == b.reading && a.place == b.place;
           })
      .def("__hash__",
           [](const EventObject& e) {
             return py::hash(py::make_tuple(e.place.process, e.place.rank));
           })
      .def("__repr__", &event_words);
}

}  // namespace

EventPlace place_in(const TraceObject& trace, const py::handle& event) {
  const Computation& c = trace.computation();
  if (py::isinstance<EventObject>(event)) {
    const auto& object = event.cast<const EventObject&>();
    if (object.reading != trace.reading) throw py::value_error("the event is of another trace");
    return object.place;
  }
  if (py::isinstance<py::tuple>(event) && py::len(event) == 2) {
    const auto pair = py::reinterpret_borrow<py::tuple>(event);
    return place_of_rank(c, process_in(c, pair[0]), pair[1].cast<std::int64_t>());
  }
  if (!PyIndex_Check(event.ptr())) throw py::type_error(what_events_are);
  const auto index = event.cast<std::int64_t>();
  if (index < 0 || index >= c.event_count()) {
    throw py::index_error("there are " + std::to_string(c.event_count()) + " events");
  }
  return place_of(c, static_cast<Row>(index));
}

EventIndex event_in(const TraceObject& trace, const py::handle& event) {
  const EventPlace place = place_in(trace, event);
  if (place.rank == 0) throw py::value_error("an initial state is no event");
  return trace.computation().event(place.process, place.rank);
}

void define_events(py::module_& module, TraceClass& trace) {
  define_event_class(module);
  trace
      .def("event", &event_object, py::arg("process"), py::arg("rank"),
           "Returns the event of this rank of a process; rank 0 is its initial state.")
      .def(
          "__getitem__",
          [](const TraceObject& t, const py::object& event) {
            return EventObject{t.reading, place_in(t, event)};
          },
          py::arg("event"))
      .def(
          "past",
          [](const TraceObject& t, const py::object& event) {
            return array_of(causal_past(t.computation(), event_in(t, event)));
          },
          py::arg("event"),
          "Returns, for each process, the rank of its last event that happened before the event\n"
          "or is the event; 0 for none. This is the timestamp of the event.")
      .def(
          "future",
          [](const TraceObject& t, const py::object& event) {
            return array_of(causal_future(t.computation(), event_in(t, event)));
          },
          py::arg("event"),
          "Returns, for each process, the rank of its first event that is the event or that the\n"
          "event happened before; one more than its last rank for none.")
      .def("happened_before", &happened_before, py::arg("first"), py::arg("second"),
           "Returns whether the first event could have affected the second.")
      .def("timestamps", &timestamps_of,
           "Returns the timestamps of all events: a row per event, a column per process. An entry\n"
           "takes 4 bytes.");
}

}  // namespace lightcone::python
