// A trace as Python holds it. What is made of a trace keeps it alive.
#pragma once

#include <lightcone/executions.h>
#include <lightcone/trace.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

namespace lightcone::python {

namespace py = pybind11;

/// `lightcone.Trace`
struct TraceObject {
  std::shared_ptr<const Reading> reading;
  std::string path;

  [[nodiscard]] const Computation& computation() const { return reading->computation; }
};

/// `lightcone.Executions`
struct ExecutionsObject {
  Executions executions;
  std::string path;
};

/// `lightcone.Event`: an event, or the initial state of a process (rank 0).
struct EventObject {
  std::shared_ptr<const Reading> reading;
  EventPlace place;

  [[nodiscard]] const Computation& computation() const { return reading->computation; }
  [[nodiscard]] Row row() const;
};

/// Returns the event that Python means: an Event of this trace, its index, or a process and a rank.
/// Rank 0 is an initial state.
[[nodiscard]] EventPlace place_in(const TraceObject& trace, const py::handle& event);
/// The same for an event only, as its index.
[[nodiscard]] EventIndex event_in(const TraceObject& trace, const py::handle& event);

/// Returns a one-dimensional array that shares the memory of a column, cannot be written, and keeps
/// `owner` alive.
template <class T>
[[nodiscard]] py::array shared_array(const T* data, std::size_t size, const py::object& owner) {
  py::array array(py::dtype::of<T>(), {size}, {sizeof(T)}, data, owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

using TraceClass = py::class_<TraceObject>;
using ExecutionsClass = py::class_<ExecutionsObject>;

void define_events(py::module_& module, TraceClass& trace);
void define_columns(py::module_& module, TraceClass& trace);
void define_answers(py::module_& module, TraceClass& trace);
void define_pictures(TraceClass& trace);
void define_traces(py::module_& module);
void define_executions(py::module_& module);
void define_check_of_executions(ExecutionsClass& executions);
void define_process(py::module_& module);
void define_baggage(py::module_& module);

}  // namespace lightcone::python
