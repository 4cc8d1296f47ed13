// `lightcone check`: evaluates the properties of a file on a trace.
#include <fmt/format.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/certainty.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "check/check_stream.h"
#include "check/explanation.h"
#include "check/global_witness.h"
#include "check/verdicts.h"
#include "check/witness_json.h"
#include "options/help.h"
#include "options/limit_options.h"
#include "options/trace_arguments.h"
#include "print/json_output.h"
#include "print/table.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t places_shown = 3;

struct CheckOptions {
  std::string properties;
  TraceArguments trace;
  ExplainOptions explain;
  LimitOptions limits;
  bool json = false;
  bool verbose = false;
  std::string assume;  ///< empty: the computation is looked at
};

[[nodiscard]] std::optional<Visibility> assumed(const std::string& word) {
  if (word == "participation") return Visibility::participation;
  if (word == "communications") return Visibility::communications;
  return std::nullopt;
}

[[nodiscard]] nlohmann::ordered_json json_of(const Inspection& inspection, const Outcome& outcome) {
  const Property& property = inspection.properties().source().properties[outcome.property];
  nlohmann::ordered_json json{{"name", property.name},
                              {"verb", name_of(property.verb)},
                              {"verdict", name_of(outcome.verdict)}};
  if (outcome.verdict == Verdict::unknown) return json;
  json["found"] = outcome.found;
  if (outcome.global != nullptr) {
    const std::vector<Rank>& cut = outcome.global->decision.cut;
    if (!cut.empty()) json["cut"] = json_of_cut(inspection.computation(), cut);
    return json;
  }
  auto at = nlohmann::ordered_json::array();
  if (outcome.found) {
    for_each_row(inspection.computation(), [&](Row row) {
      if (outcome.answer->found_at(row)) at.push_back(json_of_place(inspection.computation(), row));
      return true;
    });
  }
  json["at"] = std::move(at);
  return json;
}

void print_check_json(const Inspection& inspection, const std::vector<Outcome>& outcomes,
                      const std::vector<Explanation>& explained, const CheckOptions& options,
                      const Wholeness& wholeness) {
  const Computation& computation = inspection.computation();
  nlohmann::ordered_json document = json_document(wholeness);
  document["trace"] = options.trace.path;
  auto& processes = document["processes"] = nlohmann::ordered_json::array();
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    processes.push_back(computation.process_name(p));
  }
  document["events"] = computation.event_count();
  document["verdict"] = name_of(overall(outcomes));
  auto& properties = document["properties"] = nlohmann::ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    properties.push_back(json_of(inspection, outcome));
    const Explanation* explanation = find_explanation(explained, outcome.property);
    if (explanation == nullptr || !explanation->has_witness()) continue;
    properties.back()["witness"] = witness_json(inspection, *explanation);
  }
  print_json(document);
}

/// `p2:4, p3:1, … (17)`
[[nodiscard]] std::string places(const Inspection& inspection, const Outcome& outcome) {
  const std::vector<Row> rows = deciding_rows(inspection, outcome, places_shown + 1);
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), places_shown); ++i) {
    const RowPlace place = place_of(inspection.computation(), rows[i]);
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ",
                        printable(inspection.computation().process_name(place.process), 24),
                        place.rank);
  }
  return rows.size() > places_shown ? text + ", ..." : text;
}

/// What was found about a global property: `some global state satisfies it: p1:3, p2:0`
[[nodiscard]] std::string global_finding(const Inspection& inspection, const Outcome& outcome) {
  const Decision& decision = outcome.global->decision;
  if (!decision.found) return with_grouped_numbers(decision.method);
  const auto& question = inspection.properties().source().properties[outcome.property].question;
  std::string text(what_was_found(std::get<Global>(question).modality, outcome.found));
  const std::vector<StatePart> parts = state_parts(*outcome.global, inspection.computation());
  for (std::size_t i = 0; i < std::min(parts.size(), places_shown); ++i) {
    text += fmt::format("{}{}:{}", i == 0 ? ": " : ", ",
                        printable(inspection.computation().process_name(parts[i].process), 24),
                        parts[i].rank);
  }
  return parts.size() > places_shown ? text + ", ..." : text;
}

/// What was found, in a few words, of whatever part of the execution it is said.
[[nodiscard]] std::string bare_finding(const Inspection& inspection, const Outcome& outcome) {
  if (outcome.global != nullptr) return global_finding(inspection, outcome);
  if (outcome.answer == nullptr) return inspection.method(outcome.property);
  const Verb verb = inspection.properties().source().properties[outcome.property].verb;
  const std::uint64_t asked = outcome.answer->asked_count();
  const std::uint64_t found = outcome.answer->found_count();
  if (asked == 0) return "asked nowhere";
  if (verb == Verb::require) {
    if (found == asked) return fmt::format("at all {} places", grouped(asked));
    return fmt::format("missing at {} of {}: {}", grouped(asked - found), grouped(asked),
                       places(inspection, outcome));
  }
  if (found == 0) return fmt::format("nowhere among {}", counted(asked, "place"));
  return fmt::format("at {}: {}", counted(found, "place"), places(inspection, outcome));
}

/// What was found, in a few words.
[[nodiscard]] std::string finding(const Inspection& inspection, const Outcome& outcome) {
  if (outcome.lost) return "not known: the lost part of the trace could decide it";
  const std::string found = bare_finding(inspection, outcome);
  return outcome.of_kept_part ? found + " (of the part that was kept)" : found;
}

void print_check(const Inspection& inspection, const std::vector<Outcome>& outcomes,
                 const Wholeness& wholeness) {
  const Paint paint = paint_for(stdout);
  Table table({{"Verdict"}, {"Property"}, {"Verb"}, {"Found"}});
  std::size_t failed = 0, unknown = 0;
  for (const Outcome& outcome : outcomes) {
    const Property& property = inspection.properties().source().properties[outcome.property];
    table.add({painted(outcome.verdict, paint), paint.bold(printable(property.name)),
               std::string(name_of(property.verb)), finding(inspection, outcome)});
    failed += outcome.verdict == Verdict::fail ? 1 : 0;
    unknown += outcome.verdict == Verdict::unknown ? 1 : 0;
  }
  if (!table.empty()) fmt::print("{}\n", table.text(paint));
  std::string summary = failed == 0
                            ? "No property failed"
                            : fmt::format("{} failed", counted(failed, "property", "properties"));
  if (unknown > 0) summary += fmt::format(", {} not decided", grouped(unknown));
  fmt::print("{}, of {} on {} of {}.\n", summary,
             counted(outcomes.size(), "property", "properties"),
             counted(inspection.computation().event_count(), "event"),
             counted(inspection.computation().process_count(), "process", "processes"));
  print_extent(wholeness);
}

/// By which algorithm each property was decided.
void print_methods(const Inspection& inspection, const std::vector<Outcome>& outcomes) {
  const Paint paint = paint_for(stdout);
  Table table({{"Property"}, {"Decided by"}});
  const auto& properties = inspection.properties().source().properties;
  for (std::uint32_t i = 0; i < properties.size(); ++i) {
    const GlobalAnswer* global = outcomes[i].global;
    table.add(
        {paint.bold(printable(properties[i].name)),
         global != nullptr ? with_grouped_numbers(global->decision.method) : inspection.method(i)});
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

[[nodiscard]] Status check(const CheckOptions& options) {
  const auto limits = options.limits.limits();
  if (!limits) return report(limits.error());
  auto parsed = read_properties(options.properties);
  if (!parsed) return report(parsed.error());
  const auto reading = is_growing(options.trace)
                           ? read_growing(options.trace, *parsed, !options.json)
                           : read_with_notes(options.trace);
  if (!reading) return report(reading.error());
  const auto warnings = check_names(*parsed, reading->computation);
  if (!warnings) return report(warnings.error());
  for (const std::string& warning : *warnings) report_note(warning);
  const CompiledProperties compiled =
      CompiledProperties::compile(std::move(*parsed), event_labels(reading->computation));
  Inspection inspection(compiled, reading->computation, assumed(options.assume));
  forget_uncertain(*reading, inspection);
  const GlobalAnswers globals =
      answer_globals(compiled.source(), *reading, *limits, options.explain.explain);
  const std::vector<Outcome> all = outcomes(inspection, globals, *reading);
  const auto explained = explanations(inspection, all, options.explain);
  if (!explained) return report(explained.error());
  if (const auto drawn = draw_witness(inspection, *explained, options.explain); !drawn) {
    return report(drawn.error());
  }
  if (options.json) {
    print_check_json(inspection, all, *explained, options, wholeness_of(*reading));
  } else {
    print_check(inspection, all, wholeness_of(*reading));
    if (options.verbose) print_methods(inspection, all);
    print_explanations(inspection, *explained);
  }
  return status_of(overall(all));
}

void define(CLI::App& app, Status& status) {
  auto options = std::make_shared<CheckOptions>();
  app.add_option("PROPS", options->properties, "the property file")->required()->type_name("FILE");
  options->trace.define(app);
  options->explain.define(app);
  options->limits.define(app);
  app.add_flag("--json", options->json, "print one JSON document");
  app.add_flag("-v,--verbose", options->verbose, "say which algorithm decided each property");
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
      "JSON Lines on standard input (-) may come from a program that is still running: each "
      "place where a property is found, or a required one is missing, is printed as soon as "
      "the lines so far decide it, and the report follows at the end of input. A receive "
      "whose send has not been read yet waits for it. All that has been read is kept in "
      "memory, which grows with the trace. After Ctrl-C (SIGINT or SIGTERM), or when the last line "
      "is cut off, the report is about what was read.\n\n"
      "An MPI launcher can start it on several machines (mpirun lightcone check ...). Its ranks "
      "then "
      "search together for the global state or the observation that decides a property. Only the "
      "first rank reads the trace and prints.",
      {{"lightcone check props.prop run.jsonl", "check all properties"},
       {"lightcone check --explain props.prop run.jsonl",
        "also show the events behind each verdict"},
       {"lightcone check --explain --at p2:4 --svg why.svg props.prop run.jsonl",
        "explain what was found at event 4 of p2, and draw it"},
       {"lightcone check --limit-time 10 -v props.prop run.jsonl",
        "name the algorithms; give up on a global property after 10 seconds"},
       {"mpirun -n 16 lightcone check props.prop run.lct", "search for global states on 16 ranks"},
       {"program | lightcone check props.prop -", "check a program while it runs"},
       {"lightcone check --json props.prop run.lct | jq .verdict",
        "print JSON for another program"}},
      define,
      /*runs_program=*/false,
      /*runs_on_ranks=*/true};
}

}  // namespace lightcone::cli
