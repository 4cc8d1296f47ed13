// What `read`, `parse` and `executions` are told about a file.
#pragma once

#include <lightcone/trace.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <string>

namespace lightcone::python {

using OptionalText = std::optional<std::string>;

/// The options that stand in a call by their names, as of the program.
[[nodiscard]] ReadOptions read_options(const pybind11::kwargs& said);

/// The format of a file: as it is named, as the options tell, or as the file shows.
[[nodiscard]] Expected<Format> format_to_read(const std::string& path, const OptionalText& format,
                                              const ReadOptions& options);

/// A path as a text or an `os.PathLike`.
[[nodiscard]] std::string path_of(const pybind11::object& path);

}  // namespace lightcone::python
