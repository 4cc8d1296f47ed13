// `lightcone.read` and `lightcone.Trace`: traces of every format.
#include <lightcone/run/recording/recorded_end.h>
#include <lightcone/trace/directory.h>
#include <pybind11/stl.h>

#include <optional>

#include "errors.h"
#include "interruptible.h"
#include "reading.h"
#include "trace_object.h"

namespace lightcone::python {
namespace {

[[nodiscard]] Expected<Reading> read_as_the_program(const std::string& path,
                                                    const OptionalText& format,
                                                    ReadOptions options) {
  auto known = Expected<Format>(Format::lct);  // in a directory, each file tells its own
  if (is_directory(path)) {
    if (auto end = recorded_end(path)) {
      options.cut_off = options.cut_off || end->cut_off;
      options.lost_processes = end->lost_processes;
      options.recorded_events = std::move(end->events);
    }
  } else {
    known = format_to_read(path, format, options);
  }
  if (!known) return failure(known.error());
  return read_trace(path, *known, options);
}

[[nodiscard]] TraceObject trace_of(Expected<Reading> reading, std::string path) {
  return {std::make_shared<const Reading>(value_or_raise(std::move(reading))), std::move(path)};
}

[[nodiscard]] TraceObject read(const py::object& where, const OptionalText& format,
                               const py::kwargs& said) {
  const std::string path = path_of(where);
  auto reading =
      interruptible([path, format, options = read_options(said)](const Progress& progress) mutable {
        options.progress = progress;
        return read_as_the_program(path, format, options);
      });
  return trace_of(std::move(reading), path);
}

[[nodiscard]] TraceObject parse(const py::bytes& bytes, const std::string& format,
                                const py::kwargs& said) {
  const Format known = value_or_raise(format_named(format));
  auto reading = interruptible([text = std::string(bytes), known,
                                options = read_options(said)](const Progress& progress) mutable {
    options.progress = progress;
    return read_trace_text(text, "text", known, options);
  });
  return trace_of(std::move(reading), "text");
}

[[nodiscard]] std::vector<std::string> write(const TraceObject& trace, const py::object& where,
                                             const OptionalText& format) {
  const std::string path = path_of(where);
  const Format known = value_or_raise(format ? format_named(*format) : format_of(path));
  return value_or_raise(
      interruptible([reading = trace.reading, path, known](const Progress& progress) {
        return write_trace(reading->computation, path, known, progress);
      }));
}

[[nodiscard]] py::list process_names(const TraceObject& trace) {
  py::list names;
  for (ProcessIndex p = 0; p < trace.computation().process_count(); ++p) {
    names.append(text_of(trace.computation().process_name(p)));
  }
  return names;
}

[[nodiscard]] std::string trace_words(const TraceObject& trace) {
  const Computation& c = trace.computation();
  return "<lightcone.Trace of " + trace.path + ": " + std::to_string(c.event_count()) +
         " events of " + std::to_string(c.process_count()) + " processes>";
}

void define_reading(py::module_& module) {
  module.def("read", &read, py::arg("path"), py::arg("format") = py::none(),
             "Reads a trace of any format, or all traces of a directory.\n\n"
             "The format is found by content and extension unless it is named. Options, as of the\n"
             "program: lenient, cut_off, numbers, regex, delimiter, map, regions, execution,\n"
             "process_by ('service', 'instance', 'thread', 'span').");
  module.def("parse", &parse, py::arg("text"), py::arg("format") = "jsonl",
             "Reads a trace from bytes. The options are those of `read`.");
  module.def(
      "formats",
      [] {
        std::vector<std::string> names;
        for (const Format format : all_formats()) names.emplace_back(name_of(format));
        return names;
      },
      "Returns the names of all formats.");
}

}  // namespace

void define_traces(py::module_& module) {
  TraceClass trace(module, "Trace", "A distributed computation: what happened. It never changes.");
  trace
      .def_property_readonly(
          "path", [](const TraceObject& t) { return text_of(t.path); },
          "The file or directory that it was read from.")
      .def_property_readonly("processes", &process_names, "The names of the processes, in order.")
      .def_property_readonly(
          "message_count", [](const TraceObject& t) { return t.computation().message_count(); },
          "How many messages were sent.")
      .def_property_readonly(
          "notes", [](const TraceObject& t) { return t.reading->notes; },
          "What was lost, repaired or ignored when it was read, one sentence each.")
      .def_property_readonly(
          "left_out", [](const TraceObject& t) { return t.reading->left_out; },
          "Of a trace that was cut off: how many events were left out. Otherwise None.")
      .def_property_readonly(
          "incomplete", [](const TraceObject& t) { return t.reading->incomplete; },
          "Whether events are lost other than at the ends of processes.")
      .def_property_readonly(
          "nbytes", [](const TraceObject& t) { return t.computation().bytes(); },
          "The memory that all columns and names take.")
      .def(
          "message_name",
          [](const TraceObject& t, MessageIndex m) {
            if (m >= t.computation().message_count()) throw py::index_error("there is no message");
            return text_of(t.computation().message_name(m));
          },
          py::arg("message"), "Returns the name of a message.")
      .def("write", &write, py::arg("path"), py::arg("format") = py::none(),
           "Writes the complete file or nothing. Returns notes about what the format cannot hold.")
      .def("__len__", [](const TraceObject& t) { return t.computation().event_count(); })
      .def("__repr__", [](const TraceObject& t) { return text_of(trace_words(t)); });
  define_events(module, trace);
  define_columns(module, trace);
  define_answers(module, trace);
  define_pictures(trace);
  define_reading(module);
}

}  // namespace lightcone::python
