// `lightcone.Columns`: the arrays of a computation as numpy arrays that share its memory.
#include <pybind11/stl.h>

#include <limits>

#include "errors.h"
#include "interruptible.h"
#include "trace_object.h"

namespace lightcone::python {
namespace {

/// The columns of a trace. Arrays keep it alive, and it keeps the trace.
struct ColumnsObject {
  std::shared_ptr<const Reading> reading;

  [[nodiscard]] const Columns& all() const { return reading->computation.columns(); }
};

using ColumnsClass = py::class_<ColumnsObject>;

/// Enumerations are shown as the numbers that they are.
template <class T>
struct NumberOf {
  using type = T;
};
template <class T>
requires std::is_enum_v<T>
struct NumberOf<T> {
  using type = std::underlying_type_t<T>;
};

/// A property that shares the memory of a vector; None if the trace does not use this column.
template <class Find>
void share(ColumnsClass& columns, const char* name, Find find, const char* document) {
  columns.def_property_readonly(
      name,
      [find](const py::object& self) -> py::object {
        const auto& column = find(self.cast<const ColumnsObject&>().all());
        using Entry = typename NumberOf<typename std::decay_t<decltype(column)>::value_type>::type;
        if (column.empty()) return py::none();
        return shared_array(reinterpret_cast<const Entry*>(column.data()), column.size(), self);
      },
      document);
}

void define_order(ColumnsClass& columns) {
  share(
      columns, "first", [](const Columns& c) -> auto& { return c.first; },
      "The first event of each process, and the end of the last: uint32.");
  share(
      columns, "process_of", [](const Columns& c) -> auto& { return c.process_of; },
      "The process of each event: uint32.");
  share(
      columns, "kinds", [](const Columns& c) -> auto& { return c.kinds; },
      "The kind of each event: uint8; 0 internal, 1 send, 2 receive.");
  share(
      columns, "sends", [](const Columns& c) -> auto& { return c.sends; },
      "The message that leaves at each event: uint32; 4294967295 for none.");
  share(
      columns, "takes_begin", [](const Columns& c) -> auto& { return c.takes_begin; },
      "Event e receives takes[takes_begin[e]:takes_begin[e + 1]]: uint32.");
  share(
      columns, "takes", [](const Columns& c) -> auto& { return c.takes; },
      "The messages that events receive: uint32.");
  share(
      columns, "sent_by", [](const Columns& c) -> auto& { return c.sent_by; },
      "The event that sends each message: uint32.");
  share(
      columns, "order", [](const Columns& c) -> auto& { return c.order; },
      "All events, causes before their effects: uint32.");
  share(
      columns, "duplicates", [](const Columns& c) -> auto& { return c.duplicates; },
      "The receives that are redeliveries, sorted: uint32.");
}

void define_attributes(ColumnsClass& columns) {
  share(
      columns, "labels", [](const Columns& c) -> auto& { return c.attributes.labels; },
      "The set of labels of each event, then of each initial state: uint32, an index of\n"
      "`Trace.label_sets`.");
  share(
      columns, "time", [](const Columns& c) -> auto& { return c.attributes.time; },
      "Seconds: float64; not a number where there is none.");
  share(
      columns, "text", [](const Columns& c) -> auto& { return c.attributes.text; },
      "Texts: uint32, an index of `Trace.names`; 4294967295 for none.");
  share(
      columns, "source", [](const Columns& c) -> auto& { return c.attributes.source; },
      "Sources: uint32, an index of `Trace.names`; 4294967295 for none.");
  share(
      columns, "digest", [](const Columns& c) -> auto& { return c.attributes.digest; },
      "Digests of the contents sent or received: uint64; 0 for none.");
}

[[nodiscard]] py::list all_names(const TraceObject& trace) {
  const Names& names = trace.computation().names();
  py::list list(names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) list[i] = text_of(names[NameIndex{i}]);
  return list;
}

[[nodiscard]] py::list all_label_sets(const TraceObject& trace) {
  const NameSets& sets = trace.computation().name_sets();
  py::list list(sets.size());
  for (NameSetIndex i = 0; i < sets.size(); ++i) {
    py::list labels;
    for (const NameIndex name : sets[i]) labels.append(text_of(trace.computation().names()[name]));
    list[i] = py::tuple(labels);
  }
  return list;
}

/// What Python gets of a variable: numbers where all values are numbers, otherwise objects.
struct VariableValues {
  std::vector<double> numbers;
  std::vector<const Value*> values;  // null: not assigned yet
  bool are_numbers = true;
};

[[nodiscard]] double number_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

/// The value after each event.
[[nodiscard]] VariableValues values_after(const Computation& computation, NameIndex variable) {
  VariableValues all;
  all.values.resize(computation.event_count());
  all.numbers.resize(computation.event_count(), std::numeric_limits<double>::quiet_NaN());
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const Value* now = nullptr;
    const auto look = [&](Row row) {
      for (const Assignment& a : computation.assignments(row)) {
        if (a.variable == variable) now = &a.value;
      }
    };
    look(computation.initial_row(p));
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      look(e);
      all.values[e] = now;
      if (now == nullptr) continue;
      if (std::holds_alternative<NameIndex>(*now)) {
        all.are_numbers = false;
      } else {
        all.numbers[e] = number_of(*now);
      }
    }
  }
  return all;
}

[[nodiscard]] py::object variable(const TraceObject& trace, const std::string& name) {
  const Computation& c = trace.computation();
  const NameIndex index = c.names().find(name);
  if (index == NameIndex::none) throw py::key_error("there is no variable '" + name + "'");
  const VariableValues all = interruptible([reading = trace.reading, index](const Progress&) {
    return values_after(reading->computation, index);
  });
  if (all.are_numbers) {
    return py::array_t<double>(static_cast<py::ssize_t>(all.numbers.size()), all.numbers.data());
  }
  py::list list(all.values.size());
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    if (all.values[i] == nullptr) {
      list[i] = py::none();
    } else if (const auto* text = std::get_if<NameIndex>(all.values[i])) {
      list[i] = text_of(c.names()[*text]);
    } else {
      list[i] = number_of(*all.values[i]);
    }
  }
  return py::module_::import("numpy").attr("array")(list, py::arg("dtype") = "object");
}

}  // namespace

void define_columns(py::module_& module, TraceClass& trace) {
  ColumnsClass columns(module, "Columns",
                       "The arrays of a trace. They share its memory, cannot be written, and keep "
                       "it alive.\nA column that the trace does not use is None.");
  define_order(columns);
  define_attributes(columns);
  trace
      .def_property_readonly(
          "columns", [](const TraceObject& t) { return ColumnsObject{t.reading}; },
          "The arrays, one per field, without a copy.")
      .def_property_readonly("names", &all_names,
                             "All names and texts, by their index in the columns; made anew.")
      .def_property_readonly("label_sets", &all_label_sets,
                             "All sets of labels, by their index in `columns.labels`; made anew.")
      .def("variable", &variable, py::arg("name"),
           "Returns the value of a variable after each event: an array of float64, not a number\n"
           "where it has none yet, or of objects if some values are texts.");
}

}  // namespace lightcone::python
