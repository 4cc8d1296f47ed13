// Opens the door of a process as its orders say, and compares its events with recorded ones.
#include <lightcone/live/process/run_door.h>

#include <lightcone/base/success.h>
#include <lightcone/explore/controlled_prompter.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/riders/tags/incarnation.h>
#include <lightcone/run/answers/replayer.h>

#include <fmt/format.h>

#include <string>
#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] Expected<void> must_be_recorded(const RunDoor& door) {
  const auto why = RunKeeper::unrecorded(door.orders, door.process);
  if (!why) return failure(why.error());
  if (!*why) return {};
  const Standstill& standstill = **why;
  if (auto said = door.say(RunKeeper::why_of(standstill), 0, standstill.text); !said) return said;
  if (standstill.why == Standstill::Why::recording_ended) {
    Surroundings::here().stand_still(
        fmt::format("lightcone: {}: {}", door.process, standstill.text));
  }
  return failure(fmt::format("{} was not recorded: there is no journal of it", door.process),
                 door.orders.directory, 0, "is this the program that was recorded?");
}

/// A process that had come to its end before the checkpoint has nothing to do.
void leave_ended(const RunDoor& door, const ProcessOptions& options, std::uint64_t events) {
  if (options.on_report) {
    options.on_report(door.report(RunReport::Why::ended, events, {}));
  } else {
    static_cast<void>(door.say(RunReport::Why::ended, events, {}));
  }
  Surroundings::here().leave();
}

/// In a replay from a checkpoint: what the process begins with, and the place in its journal.
[[nodiscard]] Expected<void> find_beginning(RunDoor& door, Replayer& replayer,
                                            const ProcessOptions& options) {
  const ReplayOrders& orders = *door.orders.replay();
  if (orders.from == 0) return {};
  auto from = read_beginning(door.orders.directory, options.name, orders.from);
  if (!from) return failure(from.error());
  if (from->ended) {
    leave_ended(door, options, from->checkpoint.counts.events);
  } else if (!options.restore) {
    return failure(options.name + " has no function to restore its state", {}, 0,
                   "set ProcessOptions::restore");
  }
  door.from = std::move(*from);
  return replayer.resume(door.from->checkpoint.journal_blocks, door.from->checkpoint.takes);
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
  door.process = name;
  if (const ExploreOrders* const explore = orders.explore()) {
    const std::string mailbox(incarnation_of(name).name);  // where messages to it come
    auto prompter = ControlledPrompter::begin(explore->controller, mailbox, options.members);
    if (!prompter) return failure(prompter.error());
    door.prompter = std::move(*prompter);
  }
  if (const ReplayOrders* const replay = orders.replay()) {
    if (auto known = must_be_recorded(door); !known) return failure(known.error());
    auto replayer =
        Replayer::open(Recording::journal_path(orders.directory, name), replay->patience);
    if (!replayer) return failure(replayer.error());
    if (auto found = find_beginning(door, *replayer, options); !found) {
      return failure(found.error());
    }
    door.journal = replayer->kind();
    door.prompter = std::make_unique<Replayer>(std::move(*replayer));
    if (!options.on_report) {
      if (auto opened = door.open_progress(); !opened) return failure(opened.error());
    }
    door.open_rows(door.from ? door.from->checkpoint.counts.events + 1 : 0);
    return door;
  }
  const RecordOrders* const record = orders.record();
  if (record != nullptr) door.journal = record->journal;
  auto recorder =
      Recorder::create(Recording::journal_path(orders.directory, name), name, door.journal);
  if (!recorder) return failure(recorder.error());
  door.recorder.emplace(std::move(*recorder));
  if (record != nullptr && record->checkpoints.count() > 0) {
    auto checkpoints = CheckpointFile::create(Recording::checkpoints_path(orders.directory, name));
    if (!checkpoints) return failure(checkpoints.error());
    door.checkpoints.emplace(std::move(*checkpoints));
  }
  return door;
}

void RunDoor::add_to_digest(const LiveTrace::Row& row) {
  EventDigest sum{digest};
  sum.add(static_cast<std::uint32_t>(row.kind));
  for (const std::string& message : row.taken) sum.add(message);
  for (const std::string_view receiver : row.to) sum.add(receiver);
  for (const std::string_view label : row.state.labels) sum.add(label);
  for (const auto& [name, value] : row.state.variables) {
    sum.add(name);
    const auto* text = std::get_if<std::string_view>(&value);
    sum.add(text != nullptr ? *text : std::string_view(RowWords::spelled(value)));
  }
  digest = sum.value;
}

Expected<void> RunDoor::made(const LiveTrace::Row& row, std::uint64_t events) {
  add_to_digest(row);
  RunKeeper::made(events);
  if (prompter && !standstill) compare(row, events);
  return recorder ? recorder->made(events, digest) : success();
}

void RunDoor::compare(const LiveTrace::Row& row, std::uint64_t events) {
  Prompted<void> same = compare_row([&] { return words_of(row); });
  if (same) same = prompter->made(events, digest, [&] { return words_of(row).line(); });
  if (!same) standstill = same.error();
}

Prompted<void> RunDoor::end() { return compare_end(prompter->end(), "it ends"); }

}  // namespace lightcone
