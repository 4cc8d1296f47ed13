// `lightcone convert`: from one trace format to another.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "options/help.h"
#include "options/trace_arguments.h"
#include "print/progress_bar.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

struct ConvertOptions {
  TraceArguments trace;
  std::string out;
  std::string to;
};

/// Only for a terminal: a script sees nothing.
void say_what_was_written(const Computation& computation, const std::string& path) {
  if (::isatty(STDERR_FILENO) != 1 || path == "-") return;
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
  fmt::print(stderr, "{}: {} of {}{}\n", printable(path, 60),
             counted(computation.event_count(), "event"),
             counted(computation.process_count(), "process", "processes"),
             ignored ? "" : ", " + byte_size(bytes));
}

[[nodiscard]] Status convert(const ConvertOptions& options) {
  const auto to = choose_format(options.to, options.out, "--to");
  if (!to) return report(to.error());  // before a long read, not after it
  const auto reading = read_with_notes(options.trace);
  if (!reading) return report(reading.error());
  ProgressBar bar;
  const auto notes = write_trace(reading->computation, options.out, *to, bar.progress());
  bar.clear();
  if (!notes) return report(notes.error());
  for (const std::string& note : *notes) report_note(note);
  say_what_was_written(reading->computation, options.out);
  return Status::ok;
}

void define_convert(CLI::App& app, Status& status) {
  auto options = std::make_shared<ConvertOptions>();
  options->trace.define(app, "IN");
  app.add_option("OUT", options->out, "the trace to write; - for standard output, with --to")
      ->required()
      ->type_name("FILE");
  app.add_option("--to", options->to, "the format to write, if the extension does not say it")
      ->check(one_of(written_format_names()))
      ->type_name("FORMAT");
  app.callback([options, &status] { status = convert(*options); });
}

}  // namespace

Command convert_command() {
  return {
      "convert",
      "convert a trace to another format",
      "Reads a trace in one format and writes it in another. The extension says which format OUT "
      "has: .jsonl, .lct, .log (shiviz), .clocks, .otlp.json (spans) or .trace.json (chrome). It "
      "says the same of IN, if the content does not. IN may also be .jaeger.json, .zipkin.json, "
      ".otf2, a JSON log with --map, or a text log with --regex. --from and --to override all "
      "this. With .gz or .zst behind it, a file is compressed. OUT is written completely or not "
      "at all. Notes say what the new format cannot hold.",
      {{"lightcone convert run.jsonl run.lct", "write the compact format, which loads fastest"},
       {"lightcone convert run.lct - --to jsonl | head", "look at a binary trace"},
       {"lightcone convert --from shiviz --delimiter '^=== (?<trace>.*) ===$' "
        "--execution trial-2 app.txt two.jsonl",
        "read one of several executions in a ShiViz log"},
       {"lightcone convert --map service.map service.log.gz run.lct",
        "read a JSON log of any shape; a mapping file says where things are"},
       {"lightcone convert --execution 5b8e spans.otlp.json.gz run.lct",
        "read one trace of a file of spans"},
       {"lightcone convert run.lct run.trace.json", "look at it with ui.perfetto.dev"},
       {"lightcone convert --lenient torn.jsonl repaired.jsonl",
        "turn receives without a send into internal events"}},
      define_convert};
}

}  // namespace lightcone::cli
