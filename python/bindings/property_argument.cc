// Tells paths of property files from their texts.
#include "property_argument.h"

#include <filesystem>
#include <system_error>

namespace lightcone::python {

PropertyArgument property_argument(const pybind11::object& given) {
  PropertyArgument argument;
  argument.text = pybind11::module_::import("os").attr("fspath")(given).cast<std::string>();
  const bool is_one_line = argument.text.find('\n') == std::string::npos;
  std::error_code ignored;
  argument.is_path = !pybind11::isinstance<pybind11::str>(given) ||
                     (is_one_line && (argument.text.ends_with(".prop") ||
                                      std::filesystem::is_regular_file(argument.text, ignored)));
  return argument;
}

}  // namespace lightcone::python
