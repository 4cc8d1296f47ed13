// The module `lightcone._lightcone`: all that is written in C++.
#include "errors.h"
#include "trace_object.h"

PYBIND11_MODULE(_lightcone, module) {
  module.doc() = "Traces of distributed programs: what is written in C++ of `lightcone`.";
  module.attr("__version__") = LIGHTCONE_VERSION;
  lightcone::python::define_errors(module);
  lightcone::python::define_traces(module);
  lightcone::python::define_executions(module);
  lightcone::python::define_process(module);
  lightcone::python::define_baggage(module);
}
