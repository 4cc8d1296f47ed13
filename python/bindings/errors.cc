// Makes the exception class, and exceptions with the members of an error.
#include "errors.h"

namespace lightcone::python {
namespace {

PyObject* error_class = nullptr;  // lives as long as the module

[[nodiscard]] py::object or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(text_of(text));
}

[[nodiscard]] py::object or_none(std::uint64_t number) {
  return number == 0 ? py::object(py::none()) : py::object(py::int_(number));
}

void raise(std::exception_ptr problem) {
  try {
    if (problem) std::rethrow_exception(problem);
  } catch (const RaisedError& raised) {
    PyErr_SetObject(error_class, error_object(raised.error()).ptr());
  }
}

}  // namespace

py::object error_object(const Error& error) {
  py::object object = py::reinterpret_borrow<py::object>(error_class)(text_of(error.text()));
  object.attr("what") = text_of(error.what);
  object.attr("file") = or_none(error.file);
  object.attr("line") = or_none(error.line);
  object.attr("column") = or_none(error.column);
  object.attr("hint") = or_none(error.hint);
  object.attr("excerpt") = or_none(error.excerpt);
  return object;
}

py::str text_of(std::string_view bytes) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

void define_errors(py::module_& module) {
  constexpr const char* document =
      "What is wrong with an input, and where.\n\n"
      "The members are `what`, `file`, `line`, `column`, `hint` (what to do) and `excerpt` (the\n"
      "line in the file). Those that are not known are None.";
  error_class = PyErr_NewExceptionWithDoc("lightcone.Error", document, nullptr, nullptr);
  if (error_class == nullptr) throw py::error_already_set();
  module.add_object("Error", error_class);
  py::register_exception_translator(&raise);
}

}  // namespace lightcone::python
