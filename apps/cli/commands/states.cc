// `lightcone states`: the global states that an execution may have passed through.
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/property/states/matching_events.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <memory>

#include "commands/states_answers.h"
#include "draw/lattice/lattice_svg.h"
#include "draw/lattice/sizes_svg.h"
#include "options/help.h"
#include "options/process_choice.h"
#include "options/trace_arguments.h"

namespace lightcone::cli {
namespace {

struct StatesOptions {
  TraceArguments trace;
  LimitOptions limits;
  bool json = false;
  bool list = false, inevitable = false, physical = false;
  bool observations = false, observation = false;
  bool sizes = false;
  std::uint64_t sample = 0;
  std::uint64_t seed = 1;
  bool seeded = false;
  std::vector<std::string> of;
  std::string relevant;
  std::string svg, dot;

  /// Returns whether the lattice is drawn; with --sizes, a plot is.
  [[nodiscard]] bool draws() const { return !sizes && (!svg.empty() || !dot.empty()); }
  /// Returns whether a picture is all that standard output shows.
  [[nodiscard]] bool draws_on_output() const { return svg == "-" || dot == "-"; }
  [[nodiscard]] bool counts() const {
    return !list && !inevitable && !observations && !observation && sample == 0;
  }
  [[nodiscard]] std::string title(std::string_view subject) const {
    if (trace.path == "-") return std::string(subject);
    return fmt::format("{} of {}", subject, std::filesystem::path(trace.path).filename().string());
  }
};

/// The events of these processes that match the atom.
[[nodiscard]] Expected<Selection> relevant_events(const Computation& computation,
                                                  const std::vector<ProcessIndex>& processes,
                                                  const std::string& atom_text) {
  std::vector<bool> belongs(computation.process_count(), false);
  for (const ProcessIndex p : processes) belongs[p] = true;
  const auto is_chosen = [&](EventIndex e) { return belongs[computation.process_of(e)]; };
  if (atom_text.empty()) return Selection(computation, is_chosen);
  const auto atom = parse_atom(atom_text, "--relevant");
  if (!atom) return failure(atom.error());
  const auto matching = matching_events(computation, *atom, "--relevant");
  if (!matching) return failure(matching.error());
  for (const std::string& warning : matching->warnings) report_note(warning);
  return Selection(computation,
                   [&](EventIndex e) { return is_chosen(e) && matching->events.contains(e); });
}

[[nodiscard]] Expected<void> write(const std::string& path, const std::string& text) {
  auto file = OutputFile::create(path);
  if (!file) return failure(file.error());
  file->write(text);
  return file->commit();
}

[[nodiscard]] Expected<void> draw(const Level& level, const StatesOptions& options) {
  if (!options.draws()) return {};
  auto graph = lattice_graph(Futures(level));
  if (!graph) return failure(graph.error());
  const LatticePicture picture{level, *graph, options.title("Global states")};
  if (!options.svg.empty()) {
    if (auto written = write(options.svg, lattice_svg(picture)); !written) return written;
  }
  return options.dot.empty() ? Expected<void>() : write(options.dot, lattice_dot(picture));
}

/// Counts states by size. The plot is written before the counts are printed.
[[nodiscard]] Status answer_sizes(const StatesView& view, const Limits& limits,
                                  const StatesOptions& options) {
  const auto sizes = states_by_size(view, limits);
  if (!sizes) return print_no_sizes(view, limits, options.json);
  if (!options.svg.empty()) {
    const auto written = write(options.svg, sizes_svg(*sizes, options.title("Sizes of states")));
    if (!written) return report(written.error());
    if (options.svg == "-") return Status::ok;
  }
  return print_sizes(view, *sizes, options.json);
}

[[nodiscard]] Status answer(StatesView& view, const Limits& limits, const StatesOptions& options) {
  if (options.list) return print_list(view, limits, options.json);
  if (options.inevitable) return print_inevitable(view, options.physical, options.json);
  if (options.observations) return print_observation_count(view, limits, options.json);
  if (options.observation) return print_observation(view, options.seed, options.json);
  if (options.sample > 0) {
    return print_sample(view, limits, {options.sample, options.seed}, options.json);
  }
  return options.sizes ? answer_sizes(view, limits, options)
                       : print_count(view, limits, options.json);
}

[[nodiscard]] std::string_view member_name(const StatesOptions& options) {
  if (options.inevitable) return "inevitable";
  if (options.observations) return "observations";
  if (options.sizes) return "sizes";
  if (options.sample > 0) return "sample";
  return options.observation ? "observation" : "count";
}

/// What the parser of options cannot check.
[[nodiscard]] Expected<void> check_options(const StatesOptions& options) {
  if (options.seeded && !options.observation && options.sample == 0) {
    return failure({"--seed needs --observation or --sample", {}, 0, ""});
  }
  if (options.sizes && !options.dot.empty()) {
    return failure({"--dot draws the lattice, not --sizes", {}, 0, "--svg draws a plot of sizes"});
  }
  return {};
}

[[nodiscard]] Status states(const StatesOptions& options) {
  const auto limits = options.limits.limits();
  if (!limits) return report(limits.error());
  if (const auto checked = check_options(options); !checked) return report(checked.error());
  if (options.draws_on_output() &&
      (options.json || !options.counts() || options.svg == options.dot)) {
    return report({"standard output is already used", {}, 0, "name a file for the picture"});
  }
  const auto reading = read_with_notes(options.trace);
  if (!reading) return report(reading.error());
  const Computation& computation = reading->computation;
  auto processes = chosen_processes(computation, options.of, "--of");
  if (!processes) return report(processes.error());
  const auto relevant = relevant_events(computation, *processes, options.relevant);
  if (!relevant) return report(relevant.error());

  const bool ways_only = (options.inevitable || options.observation) && !options.draws();
  if (!have_room(*limits, computation, *relevant, ways_only ? 1 : 2)) {
    return print_no_room(member_name(options), wholeness_of(*reading), options.json);
  }
  const Level level(computation, *relevant);
  if (const auto drawn = draw(level, options); !drawn) return report(drawn.error());
  if (options.draws() && options.draws_on_output()) return Status::ok;
  StatesView view(level, std::move(*processes), wholeness_of(*reading));
  const Status status = answer(view, *limits, options);
  if (!options.json && !options.draws_on_output()) print_extent(view.wholeness());
  return status;
}

void define_questions(CLI::App& app, StatesOptions& options) {
  auto* list = app.add_flag("--list", options.list, "list all global states, in lexical order");
  auto* inevitable = app.add_flag("--inevitable", options.inevitable,
                                  "list the states that every observation passes through");
  app.add_flag("--physical", options.physical,
               "with --inevitable: only states whose local states existed at the same time; this "
               "does not assume that processes start and end together")
      ->needs(inevitable);
  auto* observations =
      app.add_flag("--observations", options.observations, "count observations instead");
  auto* observation =
      app.add_flag("--observation", options.observation, "show one observation at random");
  auto* sample = app.add_option("--sample", options.sample,
                                "show N states at random; all states are equally likely")
                     ->type_name("N")
                     ->check(whole_number(1));
  auto* sizes = app.add_flag("--sizes", options.sizes,
                             "count the states of each size, which is a number of events; with "
                             "--svg, plot them");
  app.add_option_function<std::uint64_t>(
         "--seed",
         [&options](std::uint64_t seed) {
           options.seed = seed;
           options.seeded = true;
         },
         "with --observation or --sample: the same seed shows the same ones (default 1)")
      ->type_name("N")
      ->check(whole_number(0));
  const std::array<CLI::Option*, 6> questions{list,        inevitable, observations,
                                              observation, sample,     sizes};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    for (std::size_t j = i + 1; j < questions.size(); ++j) questions[i]->excludes(questions[j]);
  }
}

void define_states(CLI::App& app, Status& status) {
  auto options = std::make_shared<StatesOptions>();
  options->trace.define(app);
  define_questions(app, *options);
  app.add_option("--of", options->of,
                 "partial states of these processes only: names, or patterns with *")
      ->type_name("NAMES")
      ->delimiter(',');
  app.add_option(
         "--relevant", options->relevant,
         "keep only the events that match: a, !a, [a b], [^a b], ., who:a. Ranks count only "
         "the kept events")
      ->type_name("ATOM");
  app.add_option("--svg", options->svg, "draw the lattice, if it is small; - for standard output")
      ->type_name("FILE");
  app.add_option("--dot", options->dot, "write the lattice for Graphviz; - for standard output")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "print one JSON document");
  options->limits.define(app);
  app.callback([options, &status] { status = states(*options); });
}

}  // namespace

Command states_command() {
  return {
      "states",
      "count, list and draw the possible global states",
      "Counts the consistent global states. A global state has one local state per process. It is "
      "consistent if every event in it has its causes in it. These are the states that an observer "
      "could have seen. An observation is one order of all events that respects causes. A state "
      "that "
      "all observations pass through is inevitable.\n\n"
      "The count is exact, even if there are too many states to visit: processes, or events, are "
      "eliminated one after the other, and their states summed up. This is quick if each process "
      "talks to few others, or if there are few processes. What is left is visited, within the "
      "limits. If a limit is hit, the number is estimated from random states, and the exit status "
      "is 3.\n\n"
      "An MPI launcher can start it on several machines (mpirun lightcone states ...). Its ranks "
      "then "
      "visit the states together. Only the first rank reads the trace, prints, and answers other "
      "questions.",
      {{"lightcone states run.jsonl", "count them"},
       {"lightcone states --list --relevant '[enter leave]' run.jsonl",
        "list them; only events with these labels count"},
       {"lightcone states --inevitable --of 'p1,p2' run.jsonl",
        "list what all observers see of two processes"},
       {"lightcone states --svg lattice.svg --relevant commit run.jsonl", "draw them"},
       {"lightcone states --sample 5 --seed 7 run.jsonl", "show five of them at random"},
       {"lightcone states --sizes --svg sizes.svg run.jsonl",
        "count those after each number of events, and plot the counts"},
       {"mpirun -n 16 lightcone states --limit-time none run.lct", "count them on 16 ranks"},
       {"lightcone states --observations --limit-time 10 --json run.lct",
        "count the possible orders of events, for at most ten seconds"}},
      define_states,
      /*runs_program=*/false,
      /*runs_on_ranks=*/true};
}

}  // namespace lightcone::cli
