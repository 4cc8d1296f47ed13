// Tags in the `baggage` header of HTTP requests.
#include <lightcone/transport.h>

#include "errors.h"
#include "trace_object.h"

namespace lightcone::python {

void define_baggage(py::module_& module) {
  module.def(
      "baggage_with_tag",
      [](const py::bytes& tag, const std::string& baggage) {
        return text_of(baggage_with_tag(std::string_view(tag), baggage));
      },
      py::arg("tag"), py::arg("baggage") = "",
      "Returns the value of a `baggage` header with this tag. Other members stay.");
  module.def(
      "tag_in_baggage",
      [](const std::string& baggage) { return py::bytes(tag_in_baggage(baggage)); },
      py::arg("baggage"),
      "Returns the tag in the value of a `baggage` header; b'' if there is none.");
}

}  // namespace lightcone::python
