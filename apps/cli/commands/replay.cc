// `lightcone replay`: runs a recorded program again, so that every process sees the same events.
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/working_folder.h>
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/recording.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "options/help.h"
#include "print/json_output.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"
#include "run/launch.h"
#include "run/recording_signature.h"
#include "run/replay_run.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;
using Why = RunReport::Why;

struct ReplayOptions {
  std::string directory;
  std::vector<std::string> only;
  std::uint64_t from = 0;
  std::string until;
  std::string gdb;
  double patience = 3;
  std::string out;
  bool json = false;
  bool trust = false;
  std::vector<std::string> command;
};

[[nodiscard]] bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[nodiscard]] std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

[[nodiscard]] const JournalSummary* find_journal(const std::vector<JournalSummary>& journals,
                                                 const std::string& process) {
  const auto it = std::find_if(journals.begin(), journals.end(),
                               [&](const auto& journal) { return journal.process == process; });
  return it == journals.end() ? nullptr : &*it;
}

[[nodiscard]] tl::unexpected<Error> no_such_process(const std::string& option,
                                                    const std::string& process,
                                                    const std::vector<JournalSummary>& journals) {
  std::vector<std::string> names;
  for (const JournalSummary& journal : journals) names.push_back(printable(journal.process));
  return failure(fmt::format("{}: no process `{}` was recorded", option, printable(process)), {}, 0,
                 fmt::format("there are {}", fmt::join(names, ", ")));
}

/// Returns whether the contents were kept of MPI processes, each of which can run alone.
[[nodiscard]] bool are_alone(const ReplayOptions& options,
                             const std::vector<JournalSummary>& journals) {
  return std::any_of(options.only.begin(), options.only.end(), [&](const std::string& name) {
    const JournalSummary* journal = find_journal(journals, name);
    return journal != nullptr && !journal->words.empty();
  });
}

/// Contents were kept for one set of processes, which may send messages to each other. So they run
/// together or not at all. An MPI process runs alone.
[[nodiscard]] Expected<void> check_only(const ReplayOptions& options, const Recording& recording,
                                        const std::vector<JournalSummary>& journals) {
  for (const std::string& name : options.only) {
    if (find_journal(journals, name) == nullptr) return no_such_process("--only", name, journals);
    if (!holds(recording.contents, name)) {
      return failure(
          fmt::format("--only: the messages that {} received were recorded without contents",
                      printable(name)),
          {}, 0, fmt::format("record with `lightcone record --contents {}`", name));
    }
    const JournalSummary& journal = *find_journal(journals, name);
    if (journal.words.empty() && !journal.ended && !mpi_of(recording.command).empty()) {
      return failure(
          fmt::format("--only: {} was cut off before anything was kept of it", printable(name)),
          options.directory, 0, "record again, or name another rank");
    }
  }
  if (are_alone(options, journals)) {
    if (options.only.size() == 1) return {};
    return failure("--only: one rank of an MPI program runs alone", {}, 0,
                   "name one rank, and run the others one after the other");
  }
  for (const std::string& name : recording.contents) {
    if (options.only.empty() || holds(options.only, name)) continue;
    return failure(fmt::format("--only: contents were recorded for running {} together",
                               fmt::join(recording.contents, " and ")),
                   {}, 0, fmt::format("--only {}", fmt::join(recording.contents, ",")));
  }
  return {};
}

/// `p1:40`, which may be an event up to the end of the recording.
[[nodiscard]] Expected<ReplayOrders::Stop> place_of(const std::string& text,
                                                    const std::vector<JournalSummary>& journals) {
  const std::size_t colon = text.rfind(':');
  ReplayOrders::Stop place{text.substr(0, colon), 0};
  const char* const first = text.data() + std::min(colon, text.size() - 1) + 1;
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), place.event);
  if (colon == std::string::npos || error != std::errc() || end != text.data() + text.size()) {
    return failure(fmt::format("--until: `{}` is not a place", printable(text)), {}, 0,
                   "a process and one of its events, as in p1:40");
  }
  const JournalSummary* journal = find_journal(journals, place.process);
  if (journal == nullptr) return no_such_process("--until", place.process, journals);
  if (place.event > journal->events) {
    return failure(fmt::format("--until: {} was recorded up to event {}", printable(place.process),
                               journal->events));
  }
  return place;
}

[[nodiscard]] Expected<std::optional<ReplayOrders::Stop>> choose_place(
    const ReplayOptions& options, const std::vector<JournalSummary>& journals) {
  std::optional<ReplayOrders::Stop> place;
  if (!options.until.empty()) {
    auto chosen = place_of(options.until, journals);
    if (!chosen) return failure(chosen.error());
    place = std::move(*chosen);
  }
  if (options.gdb.empty()) return place;
  const JournalSummary* journal = find_journal(journals, options.gdb);
  if (journal == nullptr) return no_such_process("--gdb", options.gdb, journals);
  if (!place) place = {options.gdb, std::min<std::uint64_t>(1, journal->events)};
  if (place->process != options.gdb) {
    return failure(
        fmt::format("--gdb {} and --until {} name two processes", options.gdb, options.until));
  }
  return place;
}

[[nodiscard]] Expected<void> make_empty(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error && !fs::is_empty(directory, error)) {
    return failure("is not empty", directory, 0, "choose another directory for --out");
  }
  if (error) return failure("cannot be made: " + error.message(), directory);
  return {};
}

/// A replay from a checkpoint cannot stop before it.
[[nodiscard]] Expected<void> check_from(const ReplayOptions& options,
                                        const std::optional<ReplayOrders::Stop>& until) {
  if (options.from == 0) return {};
  if (auto done = must_be_complete(options.directory, options.from); !done) return done;
  if (!until) return {};
  const auto beginning = read_beginning(options.directory, until->process, options.from);
  if (!beginning) return failure(beginning.error());
  const std::uint64_t events = beginning->checkpoint.counts.events;
  if (until->event > events) return {};
  return failure(fmt::format("at checkpoint {}, {} has made {} already", options.from,
                             printable(until->process), counted(events, "event")),
                 {}, 0, "choose a later event for --until, or an earlier checkpoint");
}

/// A command as a shell takes it; what could steer the terminal is not shown.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
  constexpr std::size_t longest = 4000;
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool is_plain = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
    if (is_plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return printable(line, longest);
}

/// A recording may come from anyone, so the command in it is run unasked only where this user has
/// made it. Whoever is to decide sees it.
[[nodiscard]] Expected<void> may_run_recorded(const ReplayOptions& options,
                                              const Recording& recording,
                                              const std::vector<std::string>& command) {
  const std::string line = shell_line(command);
  const std::string why = options.trust ? std::string() : why_not_trusted(recording);
  if (why.empty()) {
    fmt::print(stderr, "lightcone: runs {}\n", line);
    return {};
  }
  return failure(
      fmt::format("the recorded command is not run: {}", why), options.directory, 0,
      fmt::format("it is: {}\n  name a program to run instead, after --, or run this one with "
                  "--trust",
                  line));
}

/// The processes of the program read the recording, too: what is no file is found before they wait
/// for it.
[[nodiscard]] Expected<void> must_hold_files(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    std::error_code unknown;
    if (entry.is_regular_file(unknown) || entry.is_directory(unknown)) continue;
    if (auto file = InputFile::open_regular(entry.path().string()); !file) {
      return failure(file.error());
    }
  }
  if (error) return failure("cannot be read: " + error.message(), directory);
  return {};
}

/// The command line of a process that runs alone, without the launcher. It is in the journal, which
/// is not signed, so it has to be a part of the recorded command: that may be run.
[[nodiscard]] Expected<std::vector<std::string>> words_alone(const ReplayOptions& options,
                                                             const Recording& recording,
                                                             const JournalSummary& journal) {
  const auto& all = recording.command;
  const auto place =
      std::search(all.begin(), all.end(), journal.words.begin(), journal.words.end());
  if (place != all.end() || options.trust) return journal.words;
  return failure(
      fmt::format("the command line of {} is not a part of the recorded command",
                  printable(journal.process)),
      options.directory, 0,
      fmt::format("it is: {}\n  name a program to run instead, after --, or run this one "
                  "with --trust",
                  shell_line(journal.words)));
}

/// Chooses what to run: the given command, the recorded one, or that of one rank.
[[nodiscard]] Expected<void> choose_command(const ReplayOptions& options,
                                            const Recording& recording,
                                            const std::vector<JournalSummary>& journals,
                                            ReplayPlan& plan) {
  const JournalSummary* const alone =
      are_alone(options, journals) ? find_journal(journals, options.only.front()) : nullptr;
  if (alone != nullptr) plan.alone = alone->mpi;
  plan.command = options.command;
  if (!plan.command.empty()) return {};
  if (alone != nullptr) {
    auto words = words_alone(options, recording, *alone);
    if (!words) return failure(words.error());
    plan.command = std::move(*words);
  } else {
    plan.command = recording.command;
  }
  if (plan.command.empty()) return failure("names no program to run", options.directory);
  return may_run_recorded(options, recording, plan.command);
}

/// All that is known before the program runs.
[[nodiscard]] Expected<ReplayPlan> plan_for(const ReplayOptions& options,
                                            const Recording& recording) {
  ReplayPlan plan;
  if (auto done = must_hold_files(options.directory); !done) return failure(done.error());
  auto journals = summarize_journals(options.directory);
  if (!journals) return failure(journals.error());
  if (journals->empty()) return failure("has no journal: nothing was recorded", options.directory);
  if (auto done = check_only(options, recording, *journals); !done) return failure(done.error());
  if (auto done = choose_command(options, recording, *journals, plan); !done) {
    return failure(done.error());
  }
  if (auto usable = not_for_mpi(plan.command, {{"--from", options.from != 0}}); !usable) {
    return failure(usable.error());
  }
  auto place = choose_place(options, *journals);
  if (!place) return failure(place.error());
  if (auto done = check_from(options, *place); !done) return failure(done.error());
  for (const JournalSummary& journal : *journals) {
    if (!journal.damage.empty()) report_note(journal.damage);
    if (options.only.empty() || holds(options.only, journal.process)) {
      plan.recorded.push_back(journal);
    }
  }
  if (!options.gdb.empty()) {
    const char* const other = ::secure_getenv("LIGHTCONE_GDB");
    plan.debugger = other != nullptr && *other != '\0' ? other : "gdb";
  }
  plan.keep_output = options.json;
  plan.directory = absolute(options.directory);
  plan.orders.only = options.only;
  plan.orders.from = options.from;
  plan.orders.unbuffered = recording.unbuffered;
  plan.orders.digests = recording.digests;
  plan.orders.until = std::move(*place);
  plan.orders.patience = std::chrono::milliseconds(std::llround(options.patience * 1000));
  return plan;
}

/// `recorded: this; came: that` on two lines.
[[nodiscard]] std::string divergence_text(const ReplayVerdict::Part& part) {
  const std::string name = printable(part.process);
  const std::size_t came = part.text.find("; came: ");
  if (part.text.starts_with("recorded: ") && came != std::string::npos) {
    return fmt::format("{} diverged at event {}\n  {}\n  came:     {}", name, part.events,
                       part.text.substr(0, came), part.text.substr(came + 8));
  }
  if (part.events == 0) return fmt::format("{} {}", name, part.text);
  return fmt::format("{} diverged at event {}: {}", name, part.events, part.text);
}

void print_divergence(const ReplayVerdict& verdict) {
  const Paint paint = paint_for(stderr);
  bool others = false;
  for (const auto& part : verdict.parts) {
    if (part.why == Why::diverged) {
      fmt::print(stderr, "{} {}\n", paint.red("lightcone:"), divergence_text(part));
    } else if (part.why == Why::waits) {
      fmt::print(stderr, "{} {}, after event {}, {}\n", paint.red("lightcone:"),
                 printable(part.process), part.events, part.text);
    } else {
      others = true;
    }
  }
  if (!others) return;
  fmt::print(stderr, "lightcone: the others:\n");
  for (const auto& part : verdict.parts) {
    if (part.why == Why::diverged || part.why == Why::waits) continue;
    fmt::print(stderr, "  {}: {}, {}\n", printable(part.process), counted(part.events, "event"),
               RunReport::name_of(part.why));
  }
}

void print_parts(const ReplayVerdict& verdict) {
  for (const auto& part : verdict.parts) {
    const std::string_view text =
        part.text.empty() ? RunReport::name_of(part.why) : std::string_view(part.text);
    fmt::print(stderr, "  {}: {}, {}\n", printable(part.process), counted(part.events, "event"),
               text);
  }
}

/// Contents are compared only where their digests were recorded.
void print_same(const ReplayVerdict& verdict, bool digests) {
  const std::uint64_t events = verdict.events(), recorded = verdict.recorded_events();
  fmt::print(stderr, "lightcone: replayed: {}, {}, {}\n",
             counted(verdict.parts.size(), "process", "processes"), counted(events, "event"),
             events == recorded
                 ? fmt::format("the same events{} as recorded", digests ? " and contents" : "")
                 : fmt::format("{} of them recorded: the same events", grouped(recorded)));
  if (!verdict.is_cut_off) return;
  fmt::print(stderr, "lightcone: the recording ends before the program:\n");
  print_parts(verdict);
}

/// What an exploration knows of the end of the run. Only a replay that stands still shows it again.
void print_deadlock(const Recording& recording, const ReplayOutcome& outcome) {
  if (!recording.failed.starts_with("deadlock")) return;
  if (outcome.exit) {
    report_note("the recorded run ended in a deadlock, but this one did not");
  } else {
    fmt::print(stderr, "lightcone: as recorded, it ends in a {}\n",
               printable(recording.failed, 400));
  }
}

void print_unknown(const ReplayOutcome& outcome) {
  if (outcome.interrupted) {
    fmt::print(stderr,
               "lightcone: interrupted by signal {} ({}): there was no difference until then\n",
               *outcome.interrupted, ::sigdescr_np(*outcome.interrupted));
  } else {
    fmt::print(stderr, "lightcone: it is not known whether this run is the same:\n");
  }
  print_parts(outcome.verdict);
}

void print_outcome(const Recording& recording, const ReplayOutcome& outcome) {
  if (outcome.stopped) return;
  const ReplayVerdict& verdict = outcome.verdict;
  if (verdict.same) {
    print_same(verdict, recording.digests);
    print_deadlock(recording, outcome);
  } else if (verdict.is_known) {
    print_divergence(verdict);
  } else {
    print_unknown(outcome);
  }
}

void print_outcome_json(const ReplayOutcome& outcome, int exit) {
  auto document = json_document();
  document["same"] = nullptr;
  if (outcome.verdict.is_known) document["same"] = outcome.verdict.same;
  document["exit"] = exit;
  if (outcome.interrupted) document["interrupted"] = *outcome.interrupted;
  auto parts = Json::array();
  for (const auto& part : outcome.verdict.parts) {
    parts.push_back({{"process", part.process},
                     {"events", part.events},
                     {"recorded", part.recorded},
                     {"why", RunReport::name_of(part.why)},
                     {"text", part.text}});
  }
  document["processes"] = std::move(parts);
  print_json(document);
}

[[nodiscard]] int exit_of(const ReplayOutcome& outcome) {
  if (outcome.verdict.same) return outcome.exit.value_or(0);
  if (outcome.verdict.is_known) return static_cast<int>(Status::found);
  return outcome.interrupted ? 128 + *outcome.interrupted : static_cast<int>(Status::limit);
}

[[nodiscard]] Expected<void> move_traces(const std::string& from, const std::string& to) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    if (!error) fs::rename(entry.path(), fs::path(to) / entry.path().filename(), error);
  }
  if (error) return failure("traces cannot be put there: " + error.message(), to);
  return {};
}

/// The traces of the replay are kept where that was asked for; those of a recording that has none
/// become part of it, if they are the same.
[[nodiscard]] Expected<ReplayOutcome> run_with_traces(const ReplayOptions& options,
                                                      const Recording& recording,
                                                      ReplayPlan& plan) {
  std::optional<WorkingFolder> traces;
  const bool completes =
      recording.journal_only && options.only.empty() && !plan.orders.until && plan.orders.from == 0;
  if (!options.out.empty()) {
    plan.orders.traces = absolute(options.out);
    if (auto made = make_empty(plan.orders.traces); !made) return failure(made.error());
  } else if (completes) {
    auto folder = WorkingFolder::make(plan.directory + "/.replay-");
    if (!folder) return failure(folder.error());
    traces.emplace(std::move(*folder));
    plan.orders.traces = traces->path();
  }
  auto outcome = run_replay(plan);
  if (outcome && traces && outcome->verdict.same) {
    auto moved = move_traces(traces->path(), plan.directory);
    if (!moved) return failure(moved.error());
  }
  return outcome;
}

[[nodiscard]] Status replay(const ReplayOptions& options) {
  const auto recording = Recording::read(options.directory);
  if (!recording) return report(recording.error());
  auto plan = plan_for(options, *recording);
  if (!plan) return report(plan.error());
  const auto reports = WorkingFolder::make((fs::temp_directory_path() / "lightcone-").string());
  if (!reports) return report(reports.error());
  plan->orders.reports = reports->path();
  const auto outcome = run_with_traces(options, *recording, *plan);
  if (!outcome) return report(outcome.error());
  const int exit = exit_of(*outcome);
  if (options.json) print_outcome_json(*outcome, exit);
  print_outcome(*recording, *outcome);
  return static_cast<Status>(exit);
}

void define_replay(CLI::App& app, Status& status) {
  auto options = std::make_shared<ReplayOptions>();
  app.add_option("DIR", options->directory, "the recording")->required()->type_name("DIRECTORY");
  app.add_option("COMMAND", options->command,
                 "the program to run, after --; without it, the recorded one");
  app.add_flag("--trust", options->trust,
               "run the recorded command, even if someone else may have written it");
  app.add_option("--only", options->only,
                 "run only these; the others are replaced by what was recorded with --contents")
      ->type_name("P1,P2")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is the command
  app.add_option("--from", options->from,
                 "start at this checkpoint; `record --checkpoint-every` makes checkpoints")
      ->type_name("K")
      ->check(whole_number(1, SnapshotRange::most));
  app.add_option("--until", options->until,
                 "stop a process after one of its events, and wait for a debugger")
      ->type_name("P:EVENT");
  app.add_option("--gdb", options->gdb,
                 "start a debugger where this process stops: at --until, or at its first event")
      ->type_name("P");
  app.add_option("--patience", options->patience,
                 "after how many seconds of waiting a standstill of all processes is a divergence")
      ->type_name("SECONDS")
      ->check(number_between(0.01, 1e6))
      ->capture_default_str();
  app.add_option("--out", options->out, "keep the traces of the replay")->type_name("DIRECTORY");
  app.add_flag("--json", options->json,
               "print one JSON document; the output of COMMAND goes to standard error");
  app.callback([options, &status] {
    options->command = without_marks(std::move(options->command));
    status = replay(*options);
  });
}

}  // namespace

Command replay_command() {
  return {
      "replay",
      "run a recorded program again, with the same events",
      "Runs COMMAND. Every process takes the recorded messages and gets the recorded answers. Each "
      "event is compared with the recorded one. If a process does something else, or waits for a "
      "message that does not come, this is a divergence. The replay then ends, and says which "
      "process diverged at which event, what was recorded and what came instead. A process also "
      "diverges if it ends or dies before its last recorded event, if it continues after its "
      "recorded end, or if it does not start. Contents of messages are compared if "
      "they were recorded with `record --digests`.\n\n"
      "Without COMMAND the recorded command is printed. It is run if this user recorded it on this "
      "machine in this directory. Otherwise give COMMAND or `--trust`.\n\n"
      "If the recorded program was killed, the replay goes as far as the recording. If the "
      "recording "
      "has no traces, a replay of all processes writes them.\n\n"
      "With `--only` the other processes are replaced by what was recorded. One rank of an MPI "
      "program runs without a launcher; COMMAND is then the program itself, or a tool that runs "
      "it.\n\n"
      "With `--until` a process stops after that event, and its pid is printed. `--gdb` starts gdb "
      "there, or the debugger that the variable LIGHTCONE_GDB names.\n\n"
      "The exit status is 1 if the replay diverged. Otherwise it is that of COMMAND. It is 0 if "
      "COMMAND had to be ended, because the recording ends there or because all processes wait for "
      "each other as in the recorded run. It is 128 plus the number of the signal if the replay "
      "was "
      "interrupted. It is 3 if processes died early and the reason is not known.",
      {{"lightcone replay lightcone.rec", "run the recorded command again"},
       {"lightcone replay lightcone.rec -- ./server --verbose", "run it again with more output"},
       {"lightcone replay lightcone.rec --until p1:40 --gdb p1",
        "look at p1 after its 40th event in a debugger"},
       {"lightcone replay lightcone.rec --from 3", "start at the third checkpoint"},
       {"lightcone replay lightcone.rec --only store,cache",
        "run two processes without the others"},
       {"lightcone replay lightcone.rec --only rank7 -- valgrind ./simulation",
        "run one rank of an MPI program alone, in valgrind"}},
      define_replay,
      true};
}

}  // namespace lightcone::cli
