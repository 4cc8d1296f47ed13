// `lightcone explore`: runs a program once for each order of its messages.
#include <fmt/format.h>
#include <lightcone/explore/exploration_driver.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <thread>

#include "options/help.h"
#include "print/json_output.h"
#include "print/progress_bar.h"
#include "print/table.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"
#include "run/explore_run.h"
#include "run/launch.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

struct ExploreOptions {
  std::string out = "lightcone.exp";
  std::string first;
  std::string properties;
  std::uint64_t runs = 0;
  std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  std::uint32_t empty_polls = 1;
  bool fifo = false;
  bool unbuffered = false;
  double patience = 10;
  bool json = false;
  bool verbose = false;
  std::vector<std::string> command;
};

/// Returns whether something in the directory was left by an exploration: a recording, named by a
/// number.
[[nodiscard]] bool is_part(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  if (name == unnumbered_recordings) return entry.is_directory();
  return entry.is_directory() && std::all_of(name.begin(), name.end(),
                                             [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Makes the directory, or empties one that an earlier exploration left.
[[nodiscard]] Expected<void> make_room(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  std::vector<fs::path> parts;
  if (!error) {
    for (const auto& entry : fs::directory_iterator(directory, error)) {
      if (!is_part(entry)) {
        return failure(fmt::format("holds `{}`, which is not from an exploration",
                                   entry.path().filename().string()),
                       directory, 0, "choose another directory");
      }
      parts.push_back(entry.path());
    }
  }
  for (const fs::path& part : parts) {
    if (!error) fs::remove_all(part, error);
  }
  if (error) return failure("cannot be used: " + error.message(), directory);
  return {};
}

/// How sends end, which decides whether there are other orders: only MPI leaves it open.
[[nodiscard]] const char* sends_of(const ExploreOptions& options) {
  if (mpi_of(options.command).empty()) return nullptr;
  return options.unbuffered ? "waiting" : "buffered";
}

void print_explored_json(const ExplorationReport& found, const ExploreOptions& options) {
  auto document = json_document();
  document["executions"] = found.executions;
  document["complete"] = found.complete;
  document["not_explored"] = found.not_explored;
  if (found.interrupted) document["interrupted"] = true;
  if (const char* const sends = sends_of(options)) document["sends"] = sends;
  if (found.limited_polls) document["empty_polls"] = options.empty_polls;
  document["failed"] = found.failed;
  for (const ProgramOutcome& outcome : found.outcomes) {
    document["outputs"].push_back({{"executions", outcome.executions},
                                   {"status", outcome.status},
                                   {"printed", outcome.printed}});
  }
  auto& failures = document["failures"] = Json::array();
  for (const FailedExecution& failed : found.failures) {
    failures.push_back(
        {{"recording", fmt::format("{}/{}", options.out, failed.execution)}, {"why", failed.why}});
    if (failed.flips) failures.back()["flips"] = *failed.flips;
  }
  print_json(document);
}

/// What to say of how many there are, and whether that was all.
[[nodiscard]] std::string summary(const ExplorationReport& found, const ExploreOptions& options) {
  std::string text = counted(found.executions, "execution");
  text += found.failed == 0 ? ", none failed" : fmt::format(", {} failed", grouped(found.failed));
  if (found.interrupted) return text + "; interrupted, there may be others.";
  if (!found.complete) return text + "; there may be others.";
  text += "; no other order remains";
  const bool is_mpi = sends_of(options) != nullptr;
  if (is_mpi) text += options.unbuffered ? " with sends that wait" : " with buffered sends";
  if (!found.limited_polls) return text + '.';
  return text + fmt::format(" {} at most {} in a row.", is_mpi ? "and" : "with",
                            counted(options.empty_polls, "empty poll"));
}

void print_not_explored(const ExplorationReport& found) {
  if (found.not_explored.empty()) return;
  fmt::print("\nNot explored:\n");
  for (const std::string& what : found.not_explored) {
    fmt::print("  {}\n", printable(what, 300));
  }
}

/// `4 and 2`, `4, 2 and 1`
[[nodiscard]] std::string counts_of(const std::vector<ProgramOutcome>& outcomes) {
  std::string text;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    text += (i == 0                     ? ""
             : i + 1 == outcomes.size() ? " and "
                                        : ", ") +
            grouped(outcomes[i].executions);
  }
  return text;
}

/// Whether the order of messages can be seen from outside.
void print_outcomes(const ExplorationReport& found, const Paint& paint) {
  constexpr std::size_t most_told = 10;
  if (found.outcomes.size() < 2) return;
  std::vector<ProgramOutcome> told = found.outcomes;
  if (told.size() > most_told) told.resize(most_told);
  fmt::print("\n{} different outputs: {}{} executions\n\n", grouped(found.outcomes.size()),
             counts_of(told), told.size() < found.outcomes.size() ? ", ..." : "");
  Table table({{"Executions", Table::Align::right}, {"Exit", Table::Align::right}, {"Printed"}});
  for (const ProgramOutcome& outcome : told) {
    std::string line = outcome.printed;
    while (line.ends_with('\n')) line.pop_back();
    std::ranges::replace(line, '\n', ';');
    table.add(
        {grouped(outcome.executions), std::to_string(outcome.status), printable(line, SIZE_MAX)});
  }
  table.fit_last();
  fmt::print("{}", table.text(paint));
}

void print_explored(const ExplorationReport& found, const ExploreOptions& options) {
  const Paint paint = paint_for(stdout);
  fmt::print("{}\n", summary(found, options));
  print_not_explored(found);
  print_outcomes(found, paint);
  if (found.failures.empty()) return;
  Table table(
      {{"Failed", Table::Align::right}, {"Why"}, {"Recording"}, {"Flips", Table::Align::right}});
  std::vector<std::string> told;
  for (const FailedExecution& failed : found.failures) {
    if (std::find(told.begin(), told.end(), failed.why) != told.end()) continue;
    told.push_back(failed.why);
    const auto times = std::count_if(found.failures.begin(), found.failures.end(),
                                     [&](const auto& other) { return other.why == failed.why; });
    table.add({grouped(static_cast<std::uint64_t>(times)), paint.red(printable(failed.why, 100)),
               fmt::format("{}/{}", printable(options.out, 60), failed.execution),
               failed.flips ? grouped(*failed.flips) : ""});
  }
  fmt::print("\n{}", table.text(paint));
  if (found.failed > found.failures.size()) {
    fmt::print("  ... and {} more, which were not kept\n",
               grouped(found.failed - found.failures.size()));
  }
  fmt::print("\nTo see one again: lightcone replay {}/{}\n", printable(options.out, 60),
             found.failures.front().execution);
}

[[nodiscard]] Status status_of(const ExplorationReport& found) {
  if (found.failed != 0) return Status::found;
  return found.complete ? Status::ok : Status::limit;
}

[[nodiscard]] Status explore_program(const ExploreOptions& options) {
  if (options.unbuffered && mpi_of(options.command).empty()) {
    return report({"--unbuffered is for MPI programs only",
                   {},
                   0,
                   "leave it out: messages of other programs are always buffered"});
  }
  ExplorePlan plan;
  plan.command = options.command;
  plan.out = fs::absolute(options.out).lexically_normal().string();
  plan.properties = options.properties;
  if (!options.first.empty()) plan.first = fs::absolute(options.first).lexically_normal().string();
  plan.most_runs = options.runs;
  plan.jobs = options.jobs;
  plan.empty_polls = options.empty_polls;
  plan.fifo = options.fifo;
  plan.unbuffered = options.unbuffered;
  plan.patience = std::chrono::milliseconds(static_cast<std::int64_t>(options.patience * 1000));
  plan.shows_output = options.verbose;
  if (auto room = make_room(plan.out); !room) return report(room.error());
  ProgressBar bar;
  plan.progress = bar.progress();
  const auto found = explore_launched(plan);
  bar.clear();
  std::error_code ignored;
  if (fs::is_empty(plan.out, ignored)) fs::remove(plan.out, ignored);
  if (!found) return report(found.error());
  if (options.json) {
    print_explored_json(*found, options);
  } else {
    print_explored(*found, options);
  }
  return status_of(*found);
}

void define_explore(CLI::App& app, Status& status) {
  auto options = std::make_shared<ExploreOptions>();
  app.add_option("COMMAND", options->command, "the program to run, after --, and its arguments")
      ->required();
  app.add_option("--runs", options->runs, "run at most this many executions; 0 for all")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  app.add_option("--jobs", options->jobs,
                 "run this many executions at a time; by default, one for each processor")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  app.add_option("--check", options->properties,
                 "an execution also fails if a property of this file fails")
      ->type_name("PROPS");
  app.add_option("--first", options->first,
                 "begin with the execution of this recording; its journals must be full ones")
      ->type_name("DIRECTORY");
  app.add_option("--out", options->out, "where to keep the recordings of failing executions")
      ->type_name("DIRECTORY")
      ->capture_default_str();
  app.add_option("--empty-polls", options->empty_polls,
                 "how often in a row a process may find nothing while a message is on its way")
      ->type_name("N")
      ->check(whole_number(0, UINT32_MAX))
      ->capture_default_str();
  app.add_flag(
      "--fifo", options->fifo,
      "messages from one process to another arrive in order, as over TCP; a simulated network has "
      "its own option for this");
  app.add_flag(
      "--unbuffered", options->unbuffered,
      "MPI_Send and similar calls wait for their receive, as if nothing was buffered; MPI only");
  app.add_option("--patience", options->patience,
                 "how many seconds a process may run without asking for a message")
      ->type_name("SECONDS")
      ->check(number_between(0.01, 1e6))
      ->capture_default_str();
  app.add_flag("--json", options->json, "print one JSON document");
  app.add_flag("-v,--verbose", options->verbose, "show the output of COMMAND on standard error");
  app.callback([options, &status] {
    options->command = without_marks(std::move(options->command));
    status = explore_program(*options);
  });
}

}  // namespace

Command explore_command() {
  return {
      "explore",
      "run a program in every order of its messages",
      "Runs COMMAND once for each execution that differs in the order of its racing messages, in "
      "what its polls find, or in its choices. A run fails if COMMAND exits with a status other "
      "than 0 or dies, if its processes wait for each other forever, or if a property of --check "
      "fails. Each failing run is kept as a recording for `lightcone replay`. In the first one of "
      "each kind, all choices that do not matter are made as in the first execution.\n\n"
      "Several executions run at a time, one for each processor unless --jobs says another number. "
      "In an execution only one process runs at a time, so programs are slower than usual. A "
      "program on a simulated network goes through all its executions in one run, many thousands "
      "per second.\n\n"
      "Synchronous sends of MPI programs wait for their receives. Other sends are buffered, unless "
      "--unbuffered is given. The result names what was not explored. If the command is "
      "interrupted, it prints what it has found so far.\n\n"
      "The exit status is 0 if no execution failed and no other order remains. It is 1 if an "
      "execution failed. It is 3 if none failed, but there may be other executions.",
      {{"lightcone explore -- ./bank", "run every order, and list those that fail"},
       {"lightcone explore --check bank.prop -- ./bank", "also check properties"},
       {"lightcone explore --first lightcone.rec -- ./bank", "begin with a recorded execution"},
       {"lightcone explore --runs 1000 --out failing -- ./server", "stop after 1,000 executions"},
       {"lightcone explore --jobs 1 -- ./server", "the server binds a fixed port"},
       {"lightcone explore --unbuffered -- mpirun -n 4 ./solver",
        "does an MPI program rely on buffered sends?"},
       {"lightcone replay lightcone.exp/7", "run a failing execution again"},
       {"lightcone explore --json -- ./bank | jq .executions", "print JSON for another program"}},
      define_explore,
      true};
}

}  // namespace lightcone::cli
