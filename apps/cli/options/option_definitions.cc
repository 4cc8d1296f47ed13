// The options about traces, limits and explanations, as the parser of command lines is told of
// them: all in one file, since it takes long to compile.
#include <CLI/CLI.hpp>
#include <string>

#include "check/explanation_text.h"
#include "options/help.h"
#include "options/limit_options.h"
#include "options/trace_arguments.h"

namespace lightcone::cli {

void TraceArguments::define(CLI::App& app, const std::string& name) {
  app.add_option(name, path,
                 "the trace to read: a file, a directory of lct and jsonl files or of ShiViz logs "
                 "that are one trace, or - for standard input")
      ->required()
      ->type_name("FILE");
  const std::string group = "Reading the trace";
  app.add_option("--from", from,
                 "the format of the trace, if neither its content nor its extension shows it")
      ->check(one_of(format_names()))
      ->type_name("FORMAT")
      ->group(group);
  app.add_flag("--lenient", options.lenient,
               "turn a receive whose message was never sent into an internal event; verdicts that "
               "this could change are unknown")
      ->group(group);
  app.add_flag("--cut-off", options.cut_off,
               "the program was killed: leave out events that depend on lost events, and count "
               "them. Not needed for recordings and torn files")
      ->group(group);
  app.add_option("--regex", options.regex,
                 "shiviz: the regular expression of an event, with the groups host, clock, event; "
                 "text: with process, send, receive and others")
      ->type_name("EXPRESSION")
      ->group(group);
  app.add_option(
         "--map", options.map,
         "map: the file that says where process, kind, message and so on are in a line of a "
         "JSON log")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--regions", options.regions,
                 "otf2: the regions whose enters and leaves are events, as in solve,io_*; default: "
                 "all")
      ->type_name("NAMES")
      ->group(group);
  app.add_option("--delimiter", options.delimiter,
                 "shiviz: the regular expression between two executions in one file")
      ->type_name("EXPRESSION")
      ->group(group);
  app.add_option("--execution", options.execution,
                 "which of several executions of a file to read: of spans the id of a trace, of a "
                 "ShiViz log its name or number")
      ->type_name("ID")
      ->group(group);
  app.add_option_function<std::string>(
         "--process-by",
         [this](const std::string& word) {
           process_by = word;
           options.process_by = *process_by_named(word);
         },
         "spans: what is a process; without it, an instance of a service")
      ->check(one_of({"service", "instance", "thread", "span"}))
      ->type_name("WHAT")
      ->group(group);
}

void LimitOptions::define(CLI::App& app) {
  const std::string group = "Limits (if one is hit, the answer is not known)";
  app.add_option("--limit-states", states,
                 "visit at most this many global states, as in 10k or 2.5M")
      ->type_name("N")
      ->group(group)
      ->capture_default_str();
  app.add_option("--limit-time", time, "visit them for at most this many seconds")
      ->type_name("SECONDS")
      ->group(group)
      ->capture_default_str();
  app.add_option("--limit-memory", memory, "use at most this much memory besides the trace")
      ->type_name("SIZE")
      ->group(group)
      ->capture_default_str();
}

void ExplainOptions::define(CLI::App& app) {
  CLI::Option* const flag = app.add_flag(
      "--explain", explain, "show the events behind each property that failed or was found");
  app.add_option("--at", at,
                 "explain this place instead of the first one, as in p2:4; also for properties "
                 "that pass")
      ->type_name("PLACE")
      ->needs(flag);
  app.add_option("--svg", svg, "draw the first explanation as a space-time diagram")
      ->type_name("FILE")
      ->needs(flag);
}

}  // namespace lightcone::cli
