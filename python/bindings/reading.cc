// Options by their names, and formats as the program finds them.
#include "reading.h"

#include <lightcone/trace/format_detection.h>

#include <map>
#include <string_view>

#include "errors.h"

namespace lightcone::python {

ReadOptions read_options(const py::kwargs& said) {
  ReadOptions options;
  const std::map<std::string_view, bool*> flags = {
      {"lenient", &options.lenient}, {"cut_off", &options.cut_off}, {"numbers", &options.numbers}};
  const std::map<std::string_view, std::string*> texts = {{"regex", &options.regex},
                                                          {"delimiter", &options.delimiter},
                                                          {"execution", &options.execution},
                                                          {"regions", &options.regions}};
  for (const auto& [name, value] : said) {
    const auto option = name.cast<std::string>();
    if (const auto flag = flags.find(option); flag != flags.end()) {
      *flag->second = value.cast<bool>();
    } else if (const auto text = texts.find(option); text != texts.end()) {
      *text->second = value.cast<std::string>();
    } else if (option == "map") {
      options.map = path_of(py::reinterpret_borrow<py::object>(value));
    } else if (option == "process_by") {
      options.process_by = value_or_raise(process_by_named(value.cast<std::string>()));
    } else {
      throw py::type_error("there is no option '" + option + "' for reading a trace");
    }
  }
  return options;
}

Expected<Format> format_to_read(const std::string& path, const OptionalText& format,
                                const ReadOptions& options) {
  if (format) return format_named(*format);
  if (const auto told = format_told_by(options)) return *told;
  return detect_format(path);
}

std::string path_of(const py::object& path) {
  return py::module_::import("os").attr("fspath")(path).cast<std::string>();
}

}  // namespace lightcone::python
