// `lightcone.Executions`: a file that holds several executions, as files of spans do.
#include <lightcone/executions.h>
#include <pybind11/stl.h>

#include <utility>

#include "errors.h"
#include "interruptible.h"
#include "reading.h"
#include "trace_object.h"

namespace lightcone::python {
namespace {

[[nodiscard]] ExecutionsObject read_all(const py::object& where, const OptionalText& format,
                                        const py::kwargs& said) {
  const std::string path = path_of(where);
  auto all = interruptible([path, format, options = read_options(said)](
                               const Progress& progress) mutable -> Expected<Executions> {
    options.progress = progress;
    const auto known = format_to_read(path, format, options);
    if (!known) return failure(known.error());
    return read_executions(path, *known, options);
  });
  return {value_or_raise(std::move(all)), path};
}

[[nodiscard]] std::vector<std::string> ids_of(const ExecutionsObject& all) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.executions.size(); ++i) ids.push_back(all.executions.id(i));
  return ids;
}

/// The number of an execution that Python means by a number, which may count from the end, or by
/// an id.
[[nodiscard]] std::size_t chosen_number(const ExecutionsObject& all, const py::object& which) {
  if (py::isinstance<py::str>(which)) {
    const auto found = all.executions.find(which.cast<std::string>());
    if (!found) throw py::key_error("there is no execution " + which.cast<std::string>());
    return *found;
  }
  const auto size = static_cast<std::ptrdiff_t>(all.executions.size());
  auto number = which.cast<std::ptrdiff_t>();
  if (number < 0) number += size;
  if (number < 0 || number >= size) throw py::index_error("there is no such execution");
  return static_cast<std::size_t>(number);
}

[[nodiscard]] TraceObject execution_of(const ExecutionsObject& all, const py::object& which) {
  auto reading = interruptible([executions = all.executions, number = chosen_number(all, which)](
                                   const Progress&) { return executions.read(number); });
  return {std::make_shared<const Reading>(value_or_raise(std::move(reading))), all.path};
}

}  // namespace

void define_executions(py::module_& module) {
  ExecutionsClass all(module, "Executions",
                      "The executions of a file: each is a Trace, by its number or its id.");
  all.def_property_readonly(
         "path", [](const ExecutionsObject& one) { return text_of(one.path); },
         "The file that they were read from.")
      .def_property_readonly("ids", &ids_of, "The id of each execution, in order.")
      .def_property_readonly(
          "notes", [](const ExecutionsObject& one) { return one.executions.notes(); },
          "What was ignored in the file, one sentence each.")
      .def("__len__", [](const ExecutionsObject& one) { return one.executions.size(); })
      .def("__getitem__", &execution_of, py::arg("execution"))
      .def("__repr__", [](const ExecutionsObject& one) {
        return text_of("<lightcone.Executions of " + one.path + ": " +
                       std::to_string(one.executions.size()) + ">");
      });
  define_check_of_executions(all);
  module.def("executions", &read_all, py::arg("path"), py::arg("format") = py::none(),
             "Reads all executions of a file, such as the traces of a file of spans.\n\n"
             "A file of another format is one execution. The options are those of `read`.");
}

}  // namespace lightcone::python
