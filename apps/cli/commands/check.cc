// `lightcone check`: evaluates the properties of a file on a trace.
#include <fmt/format.h>
#include <lightcone/check/json_documents.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/syntax.h>

#include <memory>

#include "check/check_stream.h"
#include "check/ci_report.h"
#include "check/executions_text.h"
#include "check/explanation_text.h"
#include "check/verdict_text.h"
#include "check/witness_json.h"
#include "options/help.h"
#include "options/limit_options.h"
#include "options/trace_arguments.h"
#include "print/extent.h"
#include "print/json_output.h"
#include "print/progress_bar.h"
#include "print/table.h"
#include "print/wording.h"
#include "program.h"
#include "run/ranks_run.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t places_listed = 4;           // more are only counted
constexpr std::size_t places_listed_for_ci = 100;  // in the files for a server

struct CheckArguments {
  std::string properties;
  TraceArguments trace;
  ExplainOptions explain;
  LimitOptions limits;
  bool json = false;
  bool verbose = false;
  bool strict = false;
  bool all = false;
  std::string assume;        ///< empty: the computation is looked at
  std::string junit, sarif;  ///< the files to write; empty: none
};

[[nodiscard]] std::optional<Visibility> assumed(const std::string& word) {
  if (word == "participation") return Visibility::participation;
  if (word == "communications") return Visibility::communications;
  return std::nullopt;
}

void print_check_json(const Report& report, const CheckArguments& arguments,
                      const RecordedCheck* check, const std::vector<Explanation>& explained) {
  Json document = json_document(report.wholeness);
  document["trace"] = arguments.trace.path;
  document["processes"] = report.processes;
  document["events"] = report.events;
  document["verdict"] = name_of(report.verdict());
  if (!report.notes.empty()) document["notes"] = report.notes;
  if (!report.warnings.empty()) document["warnings"] = report.warnings;
  auto& properties = document["properties"] = Json::array();
  for (std::uint32_t i = 0; i < report.properties.size(); ++i) {
    properties.push_back(property_json(report, report.properties[i]));
    const Explanation* explanation = find_explanation(explained, i);
    if (explanation == nullptr) continue;
    const Inspection& answers = explanation->slice ? *explanation->slice : check->inspection();
    if (explanation->has_witness()) {
      properties.back()["witness"] = witness_json(answers, *explanation);
    }
    if (explanation->lacks_something()) {
      properties.back()["missing"] = missing_json(answers, *explanation);
    }
    if (explanation->global != nullptr && !explanation->global->decision.inevitable.empty()) {
      auto& inevitable = properties.back()["inevitable"] = Json::array();
      for (const std::vector<Rank>& cut : explanation->global->decision.inevitable) {
        inevitable.push_back(json_of_cut(answers.computation(), cut));
      }
    }
  }
  print_json(document);
}

void print_check(const Report& report) {
  const Paint paint = paint_for(stdout);
  Table table({{"Verdict"}, {"Property"}, {"Verb"}, {"Found"}});
  for (const PropertyReport& property : report.properties) {
    table.add({painted(property.verdict, paint), paint.bold(printable(property.name)),
               std::string(name_of(property.verb)), report.finding(property)});
  }
  if (!table.empty()) fmt::print("{}\n", table.text(paint));
  fmt::print("{}\n", report.summary());
  print_extent(report.wholeness);
}

/// By which algorithm each property was decided.
void print_methods(const Report& report) {
  const Paint paint = paint_for(stdout);
  Table table({{"Property"}, {"Decided by"}});
  for (const PropertyReport& property : report.properties) {
    table.add({paint.bold(printable(property.name)),
               property.is_global ? with_grouped_numbers(property.method) : property.method});
  }
  fmt::print("\n{}", table.text(paint));
}

[[nodiscard]] Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail: return Status::found;
    case Verdict::unknown: return Status::limit;
    default: return Status::ok;
  }
}

/// What --strict does not let pass. That a part of a trace is lost is no surprise to a user who
/// says so.
[[nodiscard]] std::vector<std::string> strict_problems(const Report& report,
                                                       const CheckArguments& arguments) {
  std::vector<std::string> problems = report.warnings;
  const ReadOptions& options = arguments.trace.options;
  auto extent = extent_sentence(report.wholeness);
  if (!extent.empty() && !options.cut_off && !options.lenient) {
    problems.push_back(std::move(extent));
  }
  return problems;
}
[[nodiscard]] std::vector<std::string> strict_problems(const ExecutionsReport& report,
                                                       const CheckArguments&) {
  return report.warnings;
}

/// Writes the files for a continuous integration server.
template <class AnyReport>
[[nodiscard]] Expected<void> write_for_ci(const CheckArguments& arguments, CiReport made,
                                          const AnyReport& report) {
  if (arguments.strict) made.warnings = strict_problems(report, arguments);
  return write_ci_reports(made, arguments.junit, arguments.sarif);
}

/// Says what is odd about the check. With --strict that is an error.
template <class AnyReport>
[[nodiscard]] Status status_with_warnings(const AnyReport& report,
                                          const CheckArguments& arguments) {
  const std::size_t problems = arguments.strict ? strict_problems(report, arguments).size() : 0;
  if (problems == 0) return status_of(report.verdict());
  return cli::report(
      Error{fmt::format("--strict: {} about what was checked", counted(problems, "note")),
            {},
            0,
            "the notes above say what they are"});
}

/// Prints a report on a trace that was not kept.
[[nodiscard]] Status check_stream(const CheckArguments& arguments, const PropertyFile& properties,
                                  const CheckOptions& options) {
  const auto report = check_growing(arguments.trace, properties, options, !arguments.json);
  if (!report) return cli::report(report.error());
  for (const std::string& warning : report->warnings) report_note(warning);
  if (auto written = write_for_ci(
          arguments, ci_report(properties, *report, nullptr, arguments.trace.path), *report);
      !written) {
    return cli::report(written.error());
  }
  if (arguments.json) {
    print_check_json(*report, arguments, nullptr, {});
  } else {
    print_check(*report);
    if (arguments.verbose) print_methods(*report);
  }
  return status_with_warnings(*report, arguments);
}

/// Prints what became of the properties on all executions of a file.
[[nodiscard]] Status check_all(const CheckArguments& arguments, const PropertyFile& properties,
                               const Executions& executions, CheckOptions options,
                               ProgressBar& bar) {
  if (arguments.explain.explain || !arguments.assume.empty()) {
    return report(Error{fmt::format("holds {}, and --explain and --assume are about one of them",
                                    counted(executions.size(), "execution")),
                        arguments.trace.path, 0,
                        "choose one with --execution ID, as the report without them names it"});
  }
  if (arguments.all) options.most_executions = SIZE_MAX;
  const auto checked = lightcone::check(properties, executions, options);
  bar.clear();
  if (!checked) return report(checked.error());
  // Those of the file were told when it was read.
  for (std::size_t i = executions.notes().size(); i < checked->notes.size(); ++i) {
    report_note(checked->notes[i]);
  }
  for (const std::string& warning : checked->warnings) report_note(warning);
  if (auto written =
          write_for_ci(arguments, ci_report(properties, *checked, arguments.trace.path), *checked);
      !written) {
    return report(written.error());
  }
  if (arguments.json) {
    print_executions_json(*checked, arguments.trace.path);
  } else {
    print_executions(*checked);
  }
  return status_with_warnings(*checked, arguments);
}

/// Whether the answers need the trace as a whole.
[[nodiscard]] bool needs_trace(const CheckArguments& arguments, const PropertyFile& properties) {
  return !is_growing(arguments.trace) || arguments.explain.explain ||
         !arguments.explain.svg.empty() || !arguments.assume.empty() || workers() != nullptr ||
         arguments.trace.options.numbers || !Monitor::can_check(properties);
}

/// The two files the wrong way round.
[[nodiscard]] std::optional<Error> swapped(const CheckArguments& arguments) {
  const auto is_properties = [](const std::string& path) { return path.ends_with(".prop"); };
  if (!is_properties(arguments.trace.path) || is_properties(arguments.properties)) return {};
  return Error{"is a property file, and the trace is expected here", arguments.trace.path, 0,
               fmt::format("the property file comes first: `lightcone check {} {}`",
                           printable(arguments.trace.path), printable(arguments.properties))};
}

/// Prints what became of the properties on one execution.
[[nodiscard]] Status check_one(const CheckArguments& arguments, const PropertyFile& properties,
                               const Reading& reading, const RecordedOptions& options,
                               ProgressBar& bar) {
  const auto checked = RecordedCheck::run(properties.syntax(), reading, options);
  bar.clear();
  if (!checked) return report(checked.error());
  for (const std::string& warning : checked->report().warnings) report_note(warning);
  if (auto written = write_for_ci(
          arguments,
          ci_report(properties, checked->report(), &checked->computation(), arguments.trace.path),
          checked->report());
      !written) {
    return report(written.error());
  }
  std::vector<Explanation> explained;
  if (arguments.explain.explain) {
    auto all = explanations(*checked, arguments.explain.at);
    if (!all) return report(all.error());
    explained = std::move(*all);
  }
  if (const auto drawn = draw_witness(checked->inspection(), explained, arguments.explain);
      !drawn) {
    return report(drawn.error());
  }
  if (arguments.json) {
    print_check_json(checked->report(), arguments, &*checked, explained);
  } else {
    print_check(checked->report());
    if (arguments.verbose) print_methods(checked->report());
    print_explanations(checked->inspection(), explained);
  }
  return status_with_warnings(checked->report(), arguments);
}

[[nodiscard]] Status check(const CheckArguments& arguments) {
  if (const auto problem = swapped(arguments)) return report(*problem);
  const auto limits = arguments.limits.limits();
  if (!limits) return report(limits.error());
  auto parsed = read_properties(arguments.properties);
  if (!parsed) return report(parsed.error());
  ProgressBar bar;
  RecordedOptions options;
  const bool is_for_ci = !arguments.junit.empty() || !arguments.sarif.empty();
  options.check = {*limits,
                   arguments.json ? SIZE_MAX
                   : is_for_ci    ? places_listed_for_ci
                                  : places_listed,
                   bar.progress()};
  options.witnesses = arguments.explain.explain;
  options.assumed = assumed(arguments.assume);
  options.workers = workers();
  if (is_growing(arguments.trace)) {
    const Format format = arguments.trace.options.map.empty() ? Format::jsonl : Format::map;
    if (auto fit = options_fit(arguments.trace, format); !fit) return report(fit.error());
  }
  if (!needs_trace(arguments, *parsed)) return check_stream(arguments, *parsed, options.check);
  const auto executions = read_all_executions(arguments.trace);
  if (!executions) return report(executions.error());
  if (*executions && (*executions)->size() != 1) {
    return check_all(arguments, *parsed, **executions, options.check, bar);
  }
  const auto reading = *executions ? read_with_notes(**executions, 0)
                       : is_growing(arguments.trace)
                           ? read_growing(arguments.trace, *parsed, !arguments.json)
                           : read_with_notes(arguments.trace);
  if (!reading) return report(reading.error());
  return check_one(arguments, *parsed, *reading, options, bar);
}

void define_check(CLI::App& app, Status& status) {
  auto options = std::make_shared<CheckArguments>();
  app.add_option("PROPS", options->properties, "the property file")->required()->type_name("FILE");
  options->trace.define(app);
  options->explain.define(app);
  options->limits.define(app);
  app.add_flag("--json", options->json, "print one JSON document");
  app.add_flag("--all", options->all,
               "of a file with several executions: list the ids of all that failed in the JSON "
               "document, not only the first 100");
  app.add_flag("-v,--verbose", options->verbose, "say which algorithm decided each property");
  app.add_flag("--strict", options->strict,
               "fail with status 2 if something was not checked as it seems: a label that no event "
               "carries or that is true nowhere, a property that is asked nowhere, an empty trace "
               "or property file, texts where numbers are expected, times that no event has, a "
               "misspelt member of an event, a trace that was cut off or lost a part unless "
               "--cut-off or --lenient says so");
  app.add_flag("--numbers", options->trace.options.numbers,
               "read texts as numbers, of each variable all of whose values are numbers");
  app.add_option("--junit", options->junit, "also write the verdicts as JUnit XML")
      ->type_name("FILE");
  app.add_option("--sarif", options->sarif, "also write what failed as SARIF")->type_name("FILE");
  app.add_option("--assume", options->assume,
                 "for longest flows: assume that labelled events show the participation of every "
                 "process, or all communications; if that is wrong, the verdict is unknown")
      ->check(one_of({"participation", "communications"}))
      ->type_name("WHAT");
  app.callback([options, &status] { status = check(*options); });
}

}  // namespace

Command check_command() {
  return {
      "check",
      "check properties on a trace",
      "Checks every property of the file PROPS on the trace, and says where it was found. For a "
      "property about global states, it says which global state satisfies it.\n\n"
      "A file may hold several executions: traces of spans, or parts of a ShiViz log. Then all of "
      "them are checked, and the report counts for each property on how many it passed and failed. "
      "--execution chooses one of them.\n\n"
      "JSON Lines on standard input (-) may come from a program that is still running. Each place "
      "where a property is found, or a required one is missing, and each global property that is "
      "found, is printed as soon as the lines so far decide it. The report follows at the end of "
      "the input. A receive whose send has not been read yet waits for it. Memory does not grow "
      "with the trace, except in the cases that docs/properties.md lists. After Ctrl-C (SIGINT or "
      "SIGTERM), or if the last line is cut off, the report is about what was read.\n\n"
      "An MPI launcher can start it on several machines (mpirun lightcone check ...). Its ranks "
      "then search together for the global state or the observation that decides a property. Only "
      "the first rank reads the trace and prints.",
      {{"lightcone check props.prop run.jsonl", "check all properties"},
       {"lightcone check --explain props.prop run.jsonl",
        "also show the events behind each verdict"},
       {"lightcone check --explain --at p2:4 --svg why.svg props.prop run.jsonl",
        "explain what was found at event 4 of p2, and draw it"},
       {"lightcone check --limit-time 10 -v props.prop run.jsonl",
        "name the algorithms; give up on a global property after 10 seconds"},
       {"lightcone check charges.prop spans.otlp.json", "check all traces of a file of spans"},
       {"lightcone check --explain --execution 5b8e charges.prop spans.otlp.json",
        "explain what became of one of them"},
       {"mpirun -n 16 lightcone check props.prop run.lct", "search for global states on 16 ranks"},
       {"program | lightcone check props.prop -", "check a program while it runs"},
       {"lightcone check --strict --junit verdicts.xml props.prop run.lct",
        "write what a continuous integration server shows"},
       {"lightcone check --map service.map props.prop service.log.gz", "check a JSON log"},
       {"lightcone check --json props.prop run.lct | jq .verdict",
        "print JSON for another program"}},
      define_check,
      /*runs_program=*/false,
      /*runs_on_ranks=*/true};
}

}  // namespace lightcone::cli
