// `info`, `races`, `states`, `check` and `diff`: the documents of the program, as objects.
#include <lightcone/check/explanation.h>
#include <lightcone/check/json_documents.h>
#include <lightcone/compare/diff_json.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/matching_events.h>
#include <lightcone/states.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <utility>

#include "check/witness_json.h"
#include "errors.h"
#include "interruptible.h"
#include "options/process_choice.h"
#include "property_argument.h"
#include "trace_object.h"

namespace lightcone::python {
namespace {

/// A document as an object of `lightcone.answers`.
[[nodiscard]] py::object answer(const char* kind, const Json& document) {
  const py::object members = py::module_::import("json").attr("loads")(text_of(document.dump()));
  return py::module_::import("lightcone.answers").attr(kind)(members);
}

/// As the program has them by default.
struct AnswerLimits {
  std::optional<std::uint64_t> states;
  std::optional<double> seconds;
  std::optional<std::uint64_t> bytes;

  [[nodiscard]] Limits limits() const {
    Limits limits;
    if (states) limits.states = *states;
    if (seconds) limits.seconds = *seconds;
    if (bytes) limits.bytes = *bytes;
    return limits;
  }
};
constexpr double default_seconds = 60;
constexpr std::uint64_t most_listed = 1'000'000;  // states, unless Python says otherwise
constexpr std::uint64_t default_bytes = std::uint64_t{4} << 30;

[[nodiscard]] py::object info(const TraceObject& trace) {
  return answer("Info", interruptible([reading = trace.reading](const Progress& progress) {
                  return summary_json(*reading, summary_of(reading->computation, progress));
                }));
}

[[nodiscard]] py::object races(const TraceObject& trace, bool pairs) {
  return answer("Races", interruptible([reading = trace.reading, pairs](const Progress& progress) {
                  return races_json(*reading, pairs, progress);
                }));
}

[[nodiscard]] PropertyFile properties_of(const py::object& given) {
  const PropertyArgument said = property_argument(given);
  return value_or_raise(said.is_path ? read_properties(said.text)
                                     : parse_properties(said.text, "properties"));
}

void add_explanations(const RecordedCheck& check, const std::vector<Explanation>& explained,
                      std::uint32_t index, Json& property) {
  const Explanation* explanation = find_explanation(explained, index);
  if (explanation == nullptr) return;
  const Inspection& answers = explanation->slice ? *explanation->slice : check.inspection();
  if (explanation->has_witness()) {
    property["witness"] = cli::witness_json(answers, *explanation);
  }
  if (!explanation->missing.empty() || !explanation->truths.empty()) {
    property["missing"] = cli::missing_json(answers, *explanation);
  }
}

[[nodiscard]] Expected<Json> checked(const Reading& reading, const PropertyFile& properties,
                                     const RecordedOptions& options, const std::string& at) {
  const auto check = RecordedCheck::run(properties.syntax(), reading, options);
  if (!check) return failure(check.error());
  std::vector<Explanation> explained;
  if (options.witnesses) {
    auto all = explanations(*check, at);
    if (!all) return failure(all.error());
    explained = std::move(*all);
  }
  const Report& report = check->report();
  Json document = json_document(report.wholeness);
  document["processes"] = report.processes;
  document["events"] = report.events;
  document["verdict"] = name_of(report.verdict());
  if (!report.warnings.empty()) document["warnings"] = report.warnings;
  auto& all = document["properties"] = Json::array();
  for (std::uint32_t i = 0; i < report.properties.size(); ++i) {
    all.push_back(property_json(report, report.properties[i]));
    all.back()["finding"] = report.finding(report.properties[i]);
    add_explanations(*check, explained, i, all.back());
  }
  document["text"] = report.text();
  return document;
}

[[nodiscard]] py::object check(const TraceObject& trace, const py::object& given, bool explain,
                               const std::string& at, const AnswerLimits& limits) {
  RecordedOptions options;
  options.check.limits = limits.limits();
  options.witnesses = explain || !at.empty();
  Json document =
      value_or_raise(interruptible([reading = trace.reading, properties = properties_of(given),
                                    options, at](const Progress& progress) mutable {
        options.check.progress = progress;
        return checked(*reading, properties, options, at);
      }));
  document["trace"] = trace.path;
  return answer("Report", document);
}

/// What is asked about global states.
struct StatesQuestion {
  std::vector<std::string> of;
  std::string relevant;
  bool list = false, inevitable = false;
  Limits limits;
};

[[nodiscard]] Expected<Selection> relevant_events(const Computation& computation,
                                                  const std::vector<ProcessIndex>& processes,
                                                  const std::string& text) {
  std::vector<bool> belongs(computation.process_count(), false);
  for (const ProcessIndex p : processes) belongs[p] = true;
  const auto is_of_them = [&](EventIndex e) { return belongs[computation.process_of(e)]; };
  if (text.empty()) return Selection(computation, is_of_them);
  const auto atom = parse_atom(text, "relevant");
  if (!atom) return failure(atom.error());
  const auto matching = matching_events(computation, *atom, "relevant");
  if (!matching) return failure(matching.error());
  return Selection(computation,
                   [&](EventIndex e) { return is_of_them(e) && matching->events.contains(e); });
}

[[nodiscard]] Json state_json(const Computation& computation,
                              const std::vector<ProcessIndex>& processes,
                              std::span<const Rank> state) {
  Json json = Json::object();
  for (const ProcessIndex p : processes) json[computation.process_name(p)] = state[p];
  return json;
}

void add_count(const Count& count, Json& document) {
  if (count.exact) {
    document["count"] = count.decimal;  // the object makes a number of it
  } else {
    document["count"] = nullptr;
    document["more_than"] = count.decimal;
  }
  const bool eliminated = count.method == CountMethod::elimination;
  document["method"] = eliminated ? "elimination" : "enumeration";
  document["width"] = count.width;
}

[[nodiscard]] Expected<Json> counted(const Reading& reading, const StatesQuestion& question,
                                     const Progress& progress) {
  const Computation& c = reading.computation;
  const auto processes = cli::chosen_processes(c, question.of, "of");
  if (!processes) return failure(processes.error());
  const auto relevant = relevant_events(c, *processes, question.relevant);
  if (!relevant) return failure(relevant.error());
  Json document = json_document(wholeness_of(reading));
  document["processes"] = processes->size();
  document["events"] = relevant->count();
  constexpr std::uint64_t bytes_per_entry = 8;  // of the tables for visits, both of them
  if (std::uint64_t{relevant->count()} * c.process_count() * bytes_per_entry >
      question.limits.bytes) {
    document["count"] = nullptr;
    document["limit"] = "memory";
    return document;
  }
  const GlobalStates states(c, *relevant);
  const auto list_into = [&](const char* name) {
    return [&, &all = document[name] = Json::array()](std::span<const Rank> state) {
      all.push_back(state_json(c, *processes, state));
      return true;
    };
  };
  if (question.inevitable) {
    states.for_each_inevitable(list_into("inevitable"));
    return document;
  }
  if (question.list) {
    const VisitedStates visited = states.for_each(list_into("states"), question.limits, progress);
    const bool is_complete = visited.ending == Ending::complete;
    document["count"] = is_complete ? Json(std::to_string(visited.states)) : Json();
    if (!is_complete) document["more_than"] = std::to_string(visited.states);
    return document;
  }
  add_count(states.count(question.limits, progress), document);
  return document;
}

[[nodiscard]] py::object states(const TraceObject& trace, StatesQuestion question) {
  return answer(
      "States",
      value_or_raise(interruptible(
          [reading = trace.reading, question = std::move(question)](const Progress& progress) {
            return counted(*reading, question, progress);
          })));
}

[[nodiscard]] py::object compared(const TraceObject& a, const TraceObject& b,
                                  const std::vector<std::string>& ignored) {
  DiffOptions options;
  const std::map<std::string_view, bool*> parts = {{"labels", &options.labels},
                                                   {"vars", &options.variables},
                                                   {"text", &options.text},
                                                   {"contents", &options.contents}};
  for (const std::string& name : ignored) {
    const auto part = parts.find(name);
    if (part == parts.end()) throw py::value_error("'" + name + "' cannot be ignored");
    *part->second = false;
  }
  return answer("Difference",
                interruptible([first = a.reading, second = b.reading, options](const Progress&) {
                  const ComparedRun run_a = ComparedRun::of(*first),
                                    run_b = ComparedRun::of(*second);
                  Json document = json_document();
                  add_comparison(diff(run_a, run_b, options), *run_a.computation,
                                 *run_b.computation, document);
                  return document;
                }));
}

void define_check(TraceClass& trace) {
  trace.def(
      "check",
      [](const TraceObject& t, const py::object& properties, bool explain, const std::string& at,
         std::optional<std::uint64_t> limit_states, std::optional<double> limit_seconds,
         std::optional<std::uint64_t> limit_bytes) {
        return check(t, properties, explain, at, {limit_states, limit_seconds, limit_bytes});
      },
      py::arg("properties"), py::kw_only(), py::arg("explain") = false, py::arg("at") = "",
      py::arg("limit_states") = py::none(), py::arg("limit_seconds") = default_seconds,
      py::arg("limit_bytes") = default_bytes,
      "Checks properties: the text of a property file, or its path.\n\n"
      "With `explain`, properties have a `witness` where there is one; `at` ('p2:4') chooses the\n"
      "place. A global property that hits a limit is unknown; None is no limit.");
}

[[nodiscard]] py::object check_all(const ExecutionsObject& all, const py::object& given,
                                   CheckOptions how) {
  return answer(
      "ExecutionsReport",
      value_or_raise(interruptible([all, properties = properties_of(given), how = std::move(how)](
                                       const Progress& progress) mutable -> Expected<Json> {
        how.progress = progress;
        const auto report = lightcone::check(properties, all.executions, how);
        if (!report) return failure(report.error());
        Json document = executions_json(*report, all.path);
        document["text"] = report->text();
        return document;
      })));
}

void define_states(TraceClass& trace) {
  trace.def(
      "states",
      [](const TraceObject& t, std::vector<std::string> of, std::string relevant, bool list,
         bool inevitable, std::optional<std::uint64_t> limit_states,
         std::optional<double> limit_seconds, std::optional<std::uint64_t> limit_bytes) {
        if (list && !limit_states) limit_states = most_listed;
        const AnswerLimits limits{limit_states, limit_seconds, limit_bytes};
        return states(t, {std::move(of), std::move(relevant), list, inevitable, limits.limits()});
      },
      py::kw_only(), py::arg("of") = std::vector<std::string>(), py::arg("relevant") = "",
      py::arg("list") = false, py::arg("inevitable") = false, py::arg("limit_states") = py::none(),
      py::arg("limit_seconds") = default_seconds, py::arg("limit_bytes") = default_bytes,
      "Counts the consistent global states, exactly and beyond what could be visited.\n\n"
      "`of` names processes, `relevant` the events that count, as an atom of the language. With\n"
      "`list`, the states themselves; with `inevitable`, those that every observation passes\n"
      "through. If a limit is hit, `count` is None. At most a million states are listed, unless\n"
      "`limit_states` says otherwise.");
}

}  // namespace

void define_check_of_executions(ExecutionsClass& executions) {
  executions.def(
      "check",
      [](const ExecutionsObject& all, const py::object& properties, bool all_failing,
         std::optional<std::uint64_t> limit_states, std::optional<double> limit_seconds,
         std::optional<std::uint64_t> limit_bytes) {
        CheckOptions how;
        how.limits = AnswerLimits{limit_states, limit_seconds, limit_bytes}.limits();
        if (all_failing) how.most_executions = SIZE_MAX;
        return check_all(all, properties, how);
      },
      py::arg("properties"), py::kw_only(), py::arg("all") = false,
      py::arg("limit_states") = py::none(), py::arg("limit_seconds") = default_seconds,
      py::arg("limit_bytes") = default_bytes,
      "Checks properties on all executions, on all cores.\n\n"
      "`failing` of a property has the ids of the first 100 executions that failed, or of all of\n"
      "them with `all`.");
}

void define_answers(py::module_& module, TraceClass& trace) {
  trace.def("info", &info, "Returns counts, depth, concurrency and races.")
      .def("races", &races, py::kw_only(), py::arg("pairs") = false,
           "Returns which received messages must be traced to replay this execution; with `pairs`\n"
           "also which messages race.");
  define_check(trace);
  define_states(trace);
  module.def("diff", &compared, py::arg("a"), py::arg("b"), py::kw_only(),
             py::arg("ignore") = std::vector<std::string>(),
             "Compares two runs of one program, and says where they part first.\n\n"
             "`ignore` names what does not count: 'labels', 'vars', 'text', 'contents'.");
}

}  // namespace lightcone::python
