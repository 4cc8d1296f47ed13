// Opens the door of a process as its orders say, and compares its events with recorded ones.
#include <lightcone/live/process/run_door.h>

#include <lightcone/explore/controlled_prompter.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/riders/tags/incarnation.h>
#include <lightcone/run/answers/replayer.h>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {
namespace {

/// A process without a journal is one that was not there, unless the program was killed before it
/// could begin: then it is not to begin now.
[[nodiscard]] Expected<void> must_be_recorded(const RunOrders& orders, const std::string& name) {
  std::error_code unknown;
  const std::string path = Recording::journal_path(orders.directory, name);
  if (std::filesystem::file_size(path, unknown) != 0 && !unknown) return {};
  const auto complete = Recording::is_complete(orders.directory);
  if (!complete) return failure(complete.error());
  RunReport report{name, RunReport::Why::recording_ended, 0, "it had not started yet", ::getpid()};
  if (*complete) {
    report.why = RunReport::Why::diverged;
    report.text = "recorded: no such process; came: it starts";
  }
  if (!orders.reports.empty()) {
    if (auto written = report.write(orders.reports); !written) return written;
  }
  if (!*complete)
    Surroundings::here().stand_still(fmt::format("lightcone: {}: {}", name, report.text));
  return failure(fmt::format("{} was not recorded: there is no journal of it", name),
                 orders.directory, 0, "is this the program that was recorded?");
}

/// A process that had come to its end before the checkpoint has nothing to do.
void leave_ended(const RunOrders& orders, const ProcessOptions& options, std::uint64_t events) {
  const RunReport report{options.name, RunReport::Why::ended, events, {}, ::getpid()};
  if (options.on_report) {
    options.on_report(report);
  } else if (!orders.reports.empty()) {
    static_cast<void>(report.write(orders.reports));
  }
  Surroundings::here().leave();
}

/// In a replay from a checkpoint: what the process begins with, and the place in its journal.
[[nodiscard]] Expected<void> find_beginning(RunDoor& door, Replayer& replayer,
                                            const ProcessOptions& options) {
  if (door.orders.from == 0) return {};
  auto from = read_beginning(door.orders.directory, options.name, door.orders.from);
  if (!from) return failure(from.error());
  if (from->ended) {
    leave_ended(door.orders, options, from->checkpoint.counts.events);
  } else if (!options.restore) {
    return failure(options.name + " has no function to restore its state", {}, 0,
                   "set ProcessOptions::restore");
  }
  door.from = std::move(*from);
  return replayer.resume(door.from->checkpoint.journal_blocks, door.from->checkpoint.takes);
}

void skip(RecordedRows& rows, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count && rows.next(); ++i) {
  }
}

[[nodiscard]] std::uint32_t mixed(std::uint32_t digest, std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(text.data(), text.size(), digest));
}

[[nodiscard]] RowWords words_of(const LiveTrace::Row& row) {
  RowWords words;
  words.kind = row.kind;
  words.sends = row.sent;
  words.takes.assign(row.taken.begin(), row.taken.end());
  words.to.assign(row.to.begin(), row.to.end());
  words.labels.assign(row.state.labels.begin(), row.state.labels.end());
  for (const auto& [name, value] : row.state.variables) {
    words.variables.emplace_back(name, RowWords::spelled(value));
  }
  words.text = row.state.text;
  words.digest = row.digest;
  return words;
}

}  // namespace

Expected<RunDoor> RunDoor::open(const RunOrders& orders, const ProcessOptions& options) {
  const std::string& name = options.name;
  RunDoor door;
  door.orders = orders;
  if (orders.mode == RunOrders::Mode::explore) {
    const std::string mailbox(incarnation_of(name).name);  // where messages to it come
    auto prompter = ControlledPrompter::begin(orders.controller, mailbox, options.members);
    if (!prompter) return failure(prompter.error());
    door.prompter = std::move(*prompter);
  }
  if (orders.mode == RunOrders::Mode::replay) {
    if (auto known = must_be_recorded(orders, name); !known) return failure(known.error());
    auto replayer =
        Replayer::open(Recording::journal_path(orders.directory, name), orders.patience);
    if (!replayer) return failure(replayer.error());
    if (auto found = find_beginning(door, *replayer, options); !found) {
      return failure(found.error());
    }
    door.orders.journal = replayer->kind();
    door.prompter = std::make_unique<Replayer>(std::move(*replayer));
    if (!orders.reports.empty() && !options.on_report) {
      auto progress = RunProgress::create(orders.reports, name);
      if (!progress) return failure(progress.error());
      door.progress.emplace(std::move(*progress));
    }
    auto rows = RecordedRows::open(Recording::trace_path(orders.directory, name));
    if (rows) door.recorded.emplace(std::move(*rows));
    if (rows && door.from) skip(*door.recorded, door.from->checkpoint.counts.events + 1);
    return door;
  }
  auto recorder =
      Recorder::create(Recording::journal_path(orders.directory, name), name, orders.journal);
  if (!recorder) return failure(recorder.error());
  door.recorder.emplace(std::move(*recorder));
  if (orders.mode == RunOrders::Mode::record && orders.checkpoints.count() > 0) {
    auto checkpoints = CheckpointFile::create(Recording::checkpoints_path(orders.directory, name));
    if (!checkpoints) return failure(checkpoints.error());
    door.checkpoints.emplace(std::move(*checkpoints));
  }
  return door;
}

void RunDoor::add_to_digest(const LiveTrace::Row& row) {
  digest = digest * 31 + static_cast<std::uint32_t>(row.kind);
  for (const std::string& message : row.taken) digest = mixed(digest, message);
  for (const std::string_view receiver : row.to) digest = mixed(digest, receiver);
  for (const std::string_view label : row.state.labels) digest = mixed(digest, label);
  for (const auto& [name, value] : row.state.variables) {
    digest = mixed(digest, name);
    const auto* text = std::get_if<std::string_view>(&value);
    digest = mixed(digest, text != nullptr ? *text : RowWords::spelled(value));
  }
}

Expected<void> RunDoor::made(const LiveTrace::Row& row, std::uint64_t events) {
  add_to_digest(row);
  if (progress) progress->made(events);
  Expected<void> written = {};
  if (recorder) written = recorder->made(events, digest);
  if (prompter && !standstill) compare(row, events);
  return written;
}

void RunDoor::compare(const LiveTrace::Row& row, std::uint64_t events) {
  if (recorded) {
    const auto expected = recorded->next();
    const RowWords came = words_of(row);
    if (expected && !expected->is_like(came)) {
      standstill = {Standstill::Why::diverged,
                    fmt::format("recorded: {}; came: {}", expected->line(), came.line())};
      return;
    }
    if (!expected) recorded.reset();
  }
  const auto done = prompter->made(events, digest, [&] { return words_of(row).line(); });
  if (!done) standstill = done.error();
}

Prompted<void> RunDoor::end() {
  auto done = prompter->end();
  if (!recorded) return done;
  const auto row = recorded->next();
  if (!row) return done;
  return lightcone::standstill(Standstill::Why::diverged,
                               fmt::format("recorded: {}; came: it ends", row->line()));
}

}  // namespace lightcone
