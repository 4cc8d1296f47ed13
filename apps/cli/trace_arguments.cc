// Adds the options for reading a trace to a command, and reads it.
#include "trace_arguments.h"

#include <fmt/format.h>
#include <lightcone/trace/directory.h>

#include "help.h"
#include "program.h"
#include "progress_bar.h"

namespace lightcone::cli {

void TraceArguments::define(CLI::App& app, const std::string& name) {
  app.add_option(name, path,
                 "the trace to read: a file, a directory of lct and jsonl files that are one "
                 "trace, or - for standard input, with --from")
      ->required()
      ->type_name("FILE");
  const std::string group = "Reading the trace";
  app.add_option("--from", from, "its format, where the extension does not tell it")
      ->check(one_of(format_names()))
      ->type_name("FORMAT")
      ->group(group);
  app.add_flag("--lenient", options.lenient,
               "a receive whose message was never sent becomes an internal event")
      ->group(group);
  app.add_option("--regex", options.regex,
                 "shiviz: the expression of an event, with the groups host, clock, event")
      ->type_name("EXPRESSION")
      ->group(group);
  app.add_option("--delimiter", options.delimiter,
                 "shiviz: the expression that separates executions in one file")
      ->type_name("EXPRESSION")
      ->group(group);
  app.add_option("--execution", options.execution, "shiviz: which of several executions to read")
      ->type_name("NAME")
      ->group(group);
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Format format : all_formats()) {
      all.emplace_back(name_of(format));
    }
    return all;
  }();
  return names;
}

Expected<Format> choose_format(const std::string& name, const std::string& path,
                               const std::string& option) {
  if (option == "--from" && is_directory(path)) {
    if (name.empty()) return Format::lct;  // which does not matter: each file tells its own
    return failure("is a directory, in which each file tells its format by its extension", path, 0,
                   "leave out --from");
  }
  if (!name.empty()) return format_named(name);
  if (path == "-") {
    return failure(option == "--from" ? "standard input has no extension to tell its format"
                                      : "standard output has no extension to tell its format",
                   {}, 0, fmt::format("name it, as `{} jsonl`", option));
  }
  return format_of(path);
}

Expected<Reading> read_with_notes(const TraceArguments& arguments) {
  const auto format = choose_format(arguments.from, arguments.path, "--from");
  if (!format) return failure(format.error());
  ProgressBar bar;
  ReadOptions options = arguments.options;
  options.progress = bar.progress();
  auto reading = read_trace(arguments.path, *format, options);
  bar.clear();
  if (reading) {
    for (const std::string& note : reading->notes) report_note(note);
  }
  return reading;
}

}  // namespace lightcone::cli
