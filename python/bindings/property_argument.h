// Properties as Python gives them: the text of a property file, or its path.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace lightcone::python {

struct PropertyArgument {
  std::string text;  ///< the properties, or the path
  bool is_path = false;
};

/// An `os.PathLike` is a path. A text is one if it ends in `.prop`, or is one line and the name of
/// a file.
[[nodiscard]] PropertyArgument property_argument(const pybind11::object& given);

}  // namespace lightcone::python
