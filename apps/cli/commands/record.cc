// `lightcone record`: runs a program once, and records the run.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lightcone/base/file.h>
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/live/watch/watched_properties.h>
#include <lightcone/recording.h>
#include <lightcone/run/recording/lost_writes.h>
#include <lightcone/run/recording/race_journals.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "options/help.h"
#include "print/json_output.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"
#include "run/child_program.h"
#include "run/journal_summary.h"
#include "run/launch.h"
#include "run/recording_signature.h"
#include "run/source_lines.h"

namespace lightcone::cli {
namespace {

constexpr std::chrono::milliseconds step{100}, time_of_rest{2000};

struct RecordOptions {
  std::string out = "lightcone.rec";
  std::string journal = "full";
  bool journal_only = false;
  std::vector<std::string> contents;
  bool digests = false;
  bool backtrace = false;
  double checkpoint_every = 0;
  std::string watch;
  bool json = false;
  std::vector<std::string> command;
};

struct Totals {
  std::uint64_t receives = 0, entered = 0, bytes = 0;
};

[[nodiscard]] Totals totals_of(const std::vector<JournalSummary>& journals) {
  Totals totals;
  for (const JournalSummary& journal : journals) {
    totals.receives += journal.receives;
    totals.entered += journal.entered;
    totals.bytes += journal.bytes;
  }
  return totals;
}

/// What is wrong with the properties is told before the program starts, and once.
[[nodiscard]] Expected<void> prepare_watching(const RecordOptions& options, RecordOrders& orders) {
  if (options.watch.empty()) return {};
  if (mpi_of(options.command).empty()) {
    return failure(
        "--watch is for MPI programs", options.command.front(), 0,
        "a program that links Lightcone names its properties itself, where it starts its "
        "processes");
  }
  orders.watch = std::filesystem::absolute(options.watch).lexically_normal().string();
  ProcessOptions watching;
  watching.properties_file = options.watch;
  const auto properties = WatchedProperties::of(watching);
  if (!properties) return failure(properties.error());
  for (const std::string& name : unwatched(properties->compiled)) {
    report_note(fmt::format(
        "{} is about global states and is not watched: check it on the recording", name));
  }
  return {};
}

[[nodiscard]] Expected<RunOrders> prepare(const RecordOptions& options) {
  const std::string directory = std::filesystem::absolute(options.out).lexically_normal().string();
  RecordOrders orders;
  orders.journal = options.journal == "races" ? JournalKind::races : JournalKind::full;
  orders.journal_only = options.journal_only;
  orders.contents = options.contents;
  orders.digests = options.digests;
  orders.backtrace = options.backtrace;
  orders.checkpoints = std::chrono::milliseconds(std::llround(options.checkpoint_every * 1000));
  orders.began = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  if (auto can = prepare_watching(options, orders); !can) return failure(can.error());
  if (auto room = Recording::make_room(directory); !room) return failure(room.error());
  Recording recording{options.command, orders.journal, orders.journal_only, orders.contents};
  recording.digests = orders.digests;
  if (auto written = write_signed(recording, directory); !written) {
    return failure(written.error());
  }
  return RunOrders{directory, std::move(orders)};
}

/// How COMMAND ended, and what its processes could not write.
struct RecordedRun {
  int exit = 0;
  std::vector<LostWrite> lost = {};
  std::vector<std::string> unasked = {};  ///< processes that receive what they do not ask for

  /// Whoever relies on a recording must learn that it is incomplete, unless COMMAND has failed.
  [[nodiscard]] int status() const {
    return exit == 0 && !lost.empty() ? static_cast<int>(Status::limit) : exit;
  }
};

/// Said at once: whoever starts a long run learns in time that it will be of no use.
void say_unasked(const UnaskedReceive& receive) {
  report_note(fmt::format(
      "{} cannot be replayed: at its event {} it receives a message without asking for it. Take "
      "messages before you receive them: see \"Choices\" in docs/live.md",
      printable(receive.process), receive.event));
}

/// Returns whether races are found in the traces when an MPI program has ended.
[[nodiscard]] bool leaves_out_later(const RecordOptions& options) {
  return options.journal == "races" && !mpi_of(options.command).empty();
}

[[nodiscard]] Expected<RecordedRun> run(const RecordOptions& options, const RunOrders& prepared) {
  auto lost_writes = LostWrites::listen();
  if (!lost_writes) return failure(lost_writes.error());
  RecordOrders orders = *prepared.record();
  orders.lost_writes = lost_writes->address();
  if (leaves_out_later(options)) orders.journal_only = false;
  const auto launch = launch_of(options.command, {prepared.directory, orders});
  if (!launch) return failure(launch.error());
  auto program = ChildProgram::start({launch->words, launch->variables, options.json});
  if (!program) return failure(program.error());
  RecordedRun run;
  const auto hear = [&] {
    for (LostWrite& lost : lost_writes->take()) run.lost.push_back(std::move(lost));
    for (UnaskedReceive& receive : lost_writes->take_unasked()) {
      say_unasked(receive);
      run.unasked.push_back(std::move(receive.process));
    }
  };
  std::optional<int> status;
  while (!status) {
    status = program->wait(step);
    hear();
  }
  program->wait_for_rest(time_of_rest);
  hear();
  run.exit = *status;
  return run;
}

/// A process whose journal could not be created gets an empty one, if that is possible now. So a
/// replay knows that the process was there.
void mark_missing_journals(const std::vector<LostWrite>& lost, const std::string& directory) {
  for (const LostWrite& one : lost) {
    const std::string journal = Recording::journal_path(directory, one.process);
    if (one.file == journal && one.events == 0) static_cast<void>(AppendedFile::open(journal));
  }
}

[[nodiscard]] Json json_of(const std::vector<LostWrite>& lost) {
  auto list = Json::array();
  for (const LostWrite& one : lost) {
    list.push_back({{"process", one.process},
                    {"file", one.file.substr(one.file.rfind('/') + 1)},
                    {"events", one.events},
                    {"why", one.why}});
  }
  return list;
}

[[nodiscard]] Json cut_off_of(const std::vector<JournalSummary>& journals) {
  auto list = Json::array();
  for (const JournalSummary& journal : journals) {
    if (journal.ended) continue;
    list.push_back({{"process", journal.process}, {"events", journal.events}});
  }
  return list;
}

void print_lost(const std::vector<LostWrite>& lost) {
  if (lost.empty()) return;
  fmt::print(stderr, "lightcone: the recording is incomplete: {} could not be written further\n",
             counted(lost.size(), "file"));
  for (const LostWrite& one : lost) {
    fmt::print(stderr, "lightcone: {}: {}\n", printable(one.process), printable(one.text(), 200));
  }
}

void print(const RecordOptions& options, const std::vector<JournalSummary>& journals,
           const RecordedRun& run) {
  const Totals totals = totals_of(journals);
  if (options.json) {
    auto document = json_document();
    document["directory"] = options.out;
    document["processes"] = journals.size();
    document["receives"] = totals.receives;
    document["entered"] = totals.entered;
    document["bytes"] = totals.bytes;
    document["exit"] = run.exit;
    document["incomplete"] = json_of(run.lost);
    document["cut_off"] = cut_off_of(journals);
    document["unasked"] = run.unasked;
    print_json(document);
  }
  if (journals.empty()) {
    if (!run.lost.empty()) return;
    report_note(fmt::format("nothing was recorded: no process of `{}` has used Lightcone",
                            printable(options.command.front())));
    return;
  }
  fmt::print(stderr, "lightcone: recorded in {}: {}, {}, {} of them in the journals, {}\n",
             printable(options.out, 80), counted(journals.size(), "process", "processes"),
             counted(totals.receives, "receive"), grouped(totals.entered), byte_size(totals.bytes));
}

/// The processes that were killed, or died. One that is killed writes nothing any more.
void note_cut_off(const std::vector<JournalSummary>& journals) {
  constexpr std::size_t most = 8;
  std::vector<std::string> cut_off;
  for (const JournalSummary& journal : journals) {
    if (journal.ended) continue;
    cut_off.push_back(fmt::format("{} after event {}", printable(journal.process), journal.events));
  }
  if (cut_off.empty()) return;
  const std::size_t all = cut_off.size();
  cut_off.resize(std::min(all, most));
  report_note(fmt::format(
      "the recording has no end of {}: {}{}; if one was killed, what it did in its last second may "
      "be missing",
      counted(all, "process", "processes"), fmt::join(cut_off, ", "),
      all > most ? ", and others" : ""));
}

/// Names that no process had are a mistake that would be found only in a replay.
void note_unknown(const RecordOptions& options, const std::vector<JournalSummary>& journals) {
  for (const std::string& name : options.contents) {
    const bool known = std::any_of(journals.begin(), journals.end(),
                                   [&](const auto& journal) { return journal.process == name; });
    if (!known && !journals.empty()) {
      report_note(fmt::format("--contents {}: there was no such process", printable(name)));
    }
  }
}

/// Leaves out of the journals what follows from the program. Traces that nobody wants are removed.
[[nodiscard]] Expected<void> leave_out(const RecordOptions& options, const std::string& directory) {
  const auto done = leave_out_matches(directory);
  if (!done) return failure(done.error());
  if (!done->full_since.empty()) {
    report_note(
        fmt::format("the journals have all receives: {}", printable(done->full_since, 200)));
  }
  if (!options.journal_only) return {};
  const auto processes = Recording::processes(directory);
  if (!processes) return failure(processes.error());
  for (const std::string& process : *processes) {
    std::error_code unknown;
    std::filesystem::remove(Recording::trace_path(directory, process), unknown);
  }
  return {};
}

/// If a process does not save its state, this is reported here, not in a replay.
[[nodiscard]] Expected<void> note_checkpoints(const RunOrders& orders) {
  if (orders.record()->checkpoints.count() == 0) return {};
  const auto complete = complete_checkpoints(orders.directory);
  if (!complete) return failure(complete.error());
  fmt::print(
      stderr, "lightcone: {}\n",
      complete->empty()
          ? "no complete checkpoint: each process must have functions to save its state, and "
            "run long enough"
          : fmt::format("complete checkpoints: {}", ranges_of(*complete)));
  return {};
}

[[nodiscard]] Status record(const RecordOptions& options) {
  const auto usable =
      not_for_mpi(options.command, {{"--checkpoint-every", options.checkpoint_every > 0}});
  if (!usable) return report(usable.error());
  if (options.digests && options.journal_only) {
    return report({"--digests are kept in the traces, which --journal-only leaves out", {}, 0, {}});
  }
  if (options.backtrace && mpi_of(options.command).empty()) {
    return report({"--backtrace is for MPI programs", options.command.front(), 0,
                   "a program that links Lightcone gives the place of each call itself"});
  }
  const auto orders = prepare(options);
  if (!orders) return report(orders.error());
  const auto done = run(options, *orders);
  if (!done) return report(done.error());
  print_lost(done->lost);
  mark_missing_journals(done->lost, orders->directory);
  if (options.backtrace) {
    if (auto kept = keep_source_lines(orders->directory); !kept) return report(kept.error());
  }
  if (leaves_out_later(options)) {
    if (auto left = leave_out(options, orders->directory); !left) return report(left.error());
  }
  const auto summaries = summarize_journals(orders->directory);
  // If not even the beginning of a journal could be written, it cannot be read.
  if (!summaries && done->lost.empty()) return report(summaries.error());
  const std::vector<JournalSummary> journals = summaries.value_or(std::vector<JournalSummary>());
  print(options, journals, *done);
  note_cut_off(journals);
  note_unknown(options, journals);
  if (auto noted = note_checkpoints(*orders); !noted) return report(noted.error());
  return static_cast<Status>(done->status());
}

void define_record(CLI::App& app, Status& status) {
  auto options = std::make_shared<RecordOptions>();
  app.add_option("COMMAND", options->command, "the program to run, after --, and its arguments")
      ->required();
  app.add_option("--out", options->out, "where to write the recording")
      ->type_name("DIRECTORY")
      ->capture_default_str();
  app.add_option("--journal", options->journal, "which receives are written to the journals")
      ->type_name("KIND")
      ->check(one_of({"full", "races"}))
      ->capture_default_str();
  app.add_flag("--journal-only", options->journal_only,
               "write no traces; a replay of all processes writes them");
  app.add_option("--contents", options->contents,
                 "also keep what these processes receive, so that they can be replayed alone")
      ->type_name("P1,P2")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is the command
  app.add_flag("--digests", options->digests,
               "keep a digest of the contents of each message, so that `diff` and `replay` compare "
               "contents, too");
  app.add_flag("--backtrace", options->backtrace,
               "for MPI programs: keep the place in the source of each call");
  app.add_option("--checkpoint-every", options->checkpoint_every,
                 "save the state of all processes at this interval, to replay from there")
      ->type_name("SECONDS")
      ->check(number_between(0.001, 1e6));
  app.add_option("--watch", options->watch,
                 "for MPI programs: print where these properties are decided, while it runs")
      ->type_name("PROPS");
  app.add_flag("--json", options->json,
               "print one JSON document; the output of COMMAND goes to standard error");
  app.callback([options, &status] {
    options->command = without_marks(std::move(options->command));
    status = record(*options);
  });
}

}  // namespace

Command record_command() {
  return {
      "record",
      "run a program and record the run",
      "Runs COMMAND once and writes a directory. For each process it has a journal of all answers "
      "that could have been different (which message came first, the time, random numbers), and a "
      "trace. All other commands read the directory as a trace. `lightcone replay` runs the "
      "program "
      "again. An older recording of the same name is replaced.\n\n"
      "COMMAND is a program that links Lightcone, or an MPI program with its launcher. MPI "
      "programs "
      "are not changed.\n\n"
      "With `--journal races` the journals have only the receives that could have taken another "
      "message. For MPI programs they are found in the traces when the program has ended. If a "
      "program is killed, at most its last second is lost.\n\n"
      "With `--contents` a process can be replayed without the others, also one rank of an MPI "
      "program. Its name is rank7, for example.\n\n"
      "With `--checkpoint-every` a replay can start in the middle. The processes of the program "
      "must "
      "say how to save and restore their state.\n\n"
      "With `--watch` the properties of a file are checked while an MPI program runs. The rank in "
      "which a property is decided prints a line on standard error at that event. `lightcone "
      "check` "
      "finds the same places. Properties about global states are not watched; `check` decides "
      "them. "
      "Between ranks of one host, tags go through shared memory, otherwise they are separate "
      "messages. With LIGHTCONE_TAGS=messages in the environment they are always messages.\n\n"
      "A full disk does not end the program. What was written before is kept, and the summary says "
      "which files of which processes are incomplete.\n\n"
      "A process that receives messages without asking for them cannot be replayed. This is said "
      "at its first such event.\n\n"
      "The exit status is that of COMMAND. It is 128 plus the number of the signal if a signal "
      "ended "
      "COMMAND, 2 if COMMAND cannot be run, and 3 if COMMAND succeeded and the recording is "
      "incomplete.",
      {{"lightcone record -- ./server --port 5000", "run it, and write lightcone.rec"},
       {"lightcone check rules.prop lightcone.rec", "the recording is a trace"},
       {"lightcone record --out runs/7 --journal races -- make simulation",
        "write smaller journals to another directory"},
       {"lightcone record --digests --backtrace -- mpirun -n 4 ./solver",
        "`lightcone diff` can then compare contents, and names lines of the source"},
       {"lightcone record --contents store,cache -- ./cluster",
        "store and cache can be replayed without the others"},
       {"lightcone record --contents rank7 -- mpirun -n 512 ./simulation",
        "rank 7 can be replayed alone, on any machine"},
       {"lightcone record --checkpoint-every 60 -- ./cluster",
        "`lightcone replay --from` can start at any minute"},
       {"lightcone record -- mpirun -n 64 ./simulation", "record an MPI program"},
       {"lightcone record --watch rules.prop -- mpirun -n 4 ./solver",
        "record an MPI program and check properties while it runs"}},
      define_record,
      true};
}

}  // namespace lightcone::cli
