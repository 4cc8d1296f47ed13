// `lightcone diff`: where two runs of a program part.
#include <fmt/format.h>
#include <lightcone/compare/diff_json.h>
#include <lightcone/diff.h>
#include <lightcone/recording.h>
#include <lightcone/trace/directory.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "compare/difference_picture.h"
#include "compare/difference_text.h"
#include "options/help.h"
#include "options/trace_arguments.h"
#include "print/json_output.h"
#include "print/wording.h"
#include "program.h"
#include "run/replayed_trace.h"

namespace lightcone::cli {
namespace {

struct DiffArguments {
  TraceArguments a;
  std::string b;
  std::vector<std::string> command;
  std::vector<std::string> ignored;
  double patience = 3;
  bool json = false;
  bool all = false;
  std::string svg;
};

/// The second run, and what is known of it if it is a program that was just run.
struct SecondRun {
  Reading reading;
  std::string name;
  std::optional<ReplayVerdict> verdict = {};
};

[[nodiscard]] DiffOptions options_of(const DiffArguments& arguments) {
  const auto compares = [&](const char* what) {
    return std::ranges::count(arguments.ignored, what) == 0;
  };
  return {.labels = compares("labels"),
          .variables = compares("vars"),
          .text = compares("text"),
          .contents = compares("contents")};
}

[[nodiscard]] Expected<SecondRun> second_run(const DiffArguments& arguments) {
  if (arguments.command.empty()) {
    TraceArguments second = arguments.a;
    second.path = arguments.b;
    auto reading = read_with_notes(second);
    if (!reading) return failure(reading.error());
    return SecondRun{std::move(*reading), arguments.b};
  }
  auto replayed = replay_traced(arguments.a.path, arguments.command, arguments.patience);
  if (!replayed) return failure(replayed.error());
  return SecondRun{std::move(replayed->reading),
                   fmt::format("{}", fmt::join(arguments.command, " ")),
                   std::move(replayed->verdict)};
}

/// What a replay said about processes that did not follow the recording.
void print_replay(const SecondRun& second) {
  if (!second.verdict || second.verdict->same) return;
  fmt::print("\nB did not follow the recording to its end:\n");
  for (const ReplayVerdict::Part& part : second.verdict->parts) {
    if (part.why != RunReport::Why::diverged && part.why != RunReport::Why::waits) continue;
    fmt::print("  {}, after event {}: {}\n", printable(part.process), grouped(part.events),
               printable(part.text, 400));
  }
}

[[nodiscard]] Json replay_json(const ReplayVerdict& verdict) {
  Json parts = Json::array();
  for (const ReplayVerdict::Part& part : verdict.parts) {
    parts.push_back({{"process", part.process},
                     {"events", part.events},
                     {"why", RunReport::name_of(part.why)},
                     {"text", part.text}});
  }
  Json json = {{"same", nullptr}};
  if (verdict.is_known) json["same"] = verdict.same;
  json["processes"] = std::move(parts);
  return json;
}

[[nodiscard]] Wholeness wholeness_of_both(const Reading& a, const Reading& b) {
  Wholeness both;
  if (a.left_out || b.left_out) both.left_out = a.left_out.value_or(0) + b.left_out.value_or(0);
  both.incomplete = a.incomplete || b.incomplete;
  return both;
}

[[nodiscard]] Status status_of(const Comparison& comparison, const SecondRun& second) {
  const bool diverged = second.verdict && second.verdict->is_known && !second.verdict->same;
  if (comparison.answer() == Comparison::Sameness::different || diverged) return Status::found;
  return comparison.answer() == Comparison::Sameness::same ? Status::ok : Status::limit;
}

[[nodiscard]] Expected<void> check_usage(const DiffArguments& arguments) {
  if (!arguments.b.empty() && !arguments.command.empty()) {
    return failure("two runs are compared: B, or a program after --, but not both");
  }
  if (arguments.b.empty() && arguments.command.empty()) {
    return failure("what A is compared with is missing", {}, 0,
                   "name a second trace, or a program after --");
  }
  if (arguments.a.path == "-" && arguments.b == "-") {
    return failure("both runs cannot come from standard input");
  }
  if (!arguments.command.empty() && !is_directory(arguments.a.path)) {
    return failure("is not a recording: a program cannot be run in its order", arguments.a.path, 0,
                   "`lightcone record` makes one");
  }
  return {};
}

[[nodiscard]] Status diff_runs(const DiffArguments& arguments) {
  if (auto usable = check_usage(arguments); !usable) return report(usable.error());
  const auto first = read_with_notes(arguments.a);
  if (!first) return report(first.error());
  const auto second = second_run(arguments);
  if (!second) return report(second.error());
  const ComparedRun a = ComparedRun::of(*first), b = ComparedRun::of(second->reading);
  const Comparison comparison = diff(a, b, options_of(arguments));
  const SourceLines lines_a = SourceLines::read(arguments.a.path);
  const SourceLines lines_b = SourceLines::read(arguments.b);
  const NamedRuns runs{arguments.a.path, second->name, &a, &b, lines_a, lines_b};
  if (auto drawn = draw_difference(comparison, runs, arguments.svg); !drawn) {
    return report(drawn.error());
  }
  if (arguments.json) {
    Json document = json_document(wholeness_of_both(*first, second->reading));
    add_comparison(comparison, *a.computation, *b.computation, document, lines_a, lines_b);
    if (second->verdict) document["replay"] = replay_json(*second->verdict);
    print_json(document);
  } else {
    print_comparison(comparison, runs, arguments.all, paint_for(stdout));
    print_replay(*second);
  }
  return status_of(comparison, *second);
}

void define_diff(CLI::App& app, Status& status) {
  auto arguments = std::make_shared<DiffArguments>();
  arguments->a.define(app, "A");
  app.add_option("B", arguments->b, "the trace or recording that A is compared with")
      ->type_name("FILE");
  app.add_option("COMMAND", arguments->command,
                 "instead of B: a program, after --, which is run in the order of the recording A");
  app.add_option("--ignore", arguments->ignored, "do not compare these")
      ->type_name("WHAT")
      ->delimiter(',')
      ->check(one_of({"labels", "vars", "text", "contents"}))
      ->allow_extra_args(false);
  app.add_option("--patience", arguments->patience,
                 "with COMMAND: after how many seconds of waiting a standstill of all processes is "
                 "a divergence")
      ->type_name("SECONDS")
      ->check(number_between(0.01, 1e6))
      ->capture_default_str();
  app.add_flag("--json", arguments->json, "print one JSON document instead of text");
  app.add_option("--svg", arguments->svg, "draw both runs around the first difference")
      ->type_name("FILE");
  app.add_flag("--all", arguments->all, "tell every place and list every process");
  app.callback([arguments, &status] {
    if (is_marked(arguments->b)) {  // the first word of the program
      arguments->command.insert(arguments->command.begin(), arguments->b);
      arguments->b.clear();
    }
    arguments->command = without_marks(std::move(arguments->command));
    arguments->a.is_one_of_two = !arguments->b.empty();
    status = diff_runs(*arguments);
  });
}

}  // namespace

Command diff_command() {
  return {
      "diff",
      "compare two runs: where do they part first?",
      "Compares two runs of a program, event by event, and says where they part. The event of a "
      "process is compared with the event of the same number in the other run: its kind, the "
      "message that it takes, receivers, labels, variables, text, and the digest of the contents "
      "where both runs have one (`lightcone record --digests`). A message is known by its sender "
      "and its number; its name does not count, nor do times and sources.\n\n"
      "Of all differences, those are told that no other difference could have caused: none is in "
      "their causal past. Everything that led to them is the same in both runs.\n\n"
      "With COMMAND, the program is run in the order of the recording A, as far as it follows, and "
      "then compared with A. So the order of messages is the same, and what differs comes from the "
      "program: another build, another input, an uninitialised value. What it prints goes to "
      "standard error.\n\n"
      "The exit status is 0 if the runs are the same, 1 if they differ, 2 for bad input or usage, "
      "and 3 if nothing differs but a run is not complete: then they are the same as far as both "
      "go.",
      {{"lightcone diff monday.rec tuesday.rec", "where two recordings part"},
       {"lightcone diff --ignore text,vars old.log new.log", "compare the messages of two logs"},
       {"lightcone diff monday.rec -- mpirun -n 4 ./solver",
        "run the program in the order of monday, and compare"},
       {"lightcone diff --json a.lct b.lct", "print JSON for another program"}},
      define_diff,
      true};
}

}  // namespace lightcone::cli
