// Errors of the library as exceptions of Python, and texts of traces as Python's.
#pragma once

#include <lightcone/error.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone::python {

namespace py = pybind11;

/// Becomes `lightcone.Error` where it reaches Python.
class RaisedError : public std::exception {
 public:
  explicit RaisedError(Error error) : error_(std::move(error)), text_(error_.text()) {}

  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  Error error_;
  std::string text_;
};

/// Returns the value, or raises the error.
template <class T>
[[nodiscard]] T value_or_raise(Expected<T> expected) {
  if (!expected) throw RaisedError(std::move(expected.error()));
  return std::move(*expected);
}

/// Returns an error as an object of `lightcone.Error`, which is not raised.
[[nodiscard]] py::object error_object(const Error& error);

/// Returns text of a trace. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] py::str text_of(std::string_view bytes);

void define_errors(py::module_& module);

}  // namespace lightcone::python
