// Starts a live process as it is told to run, and passes its calls on.
#include <lightcone/live/process/process.h>

#include <fmt/format.h>
#include <lightcone/base/utf8.h>
#include <lightcone/explore/controlled_prompter.h>
#include <lightcone/live/process/process_core.h>
#include <lightcone/live/process/process_identity.h>
#include <lightcone/live/process/world.h>
#include <lightcone/live/watch/watched_properties.h>
#include <lightcone/run/answers/replayer.h>
#include <lightcone/run/recording/recording.h>

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

/// How to run, by what the program or the world says; nothing for an ordinary run.
[[nodiscard]] Expected<std::optional<RunOrders>> orders_for(const ProcessOptions& options) {
  if (options.run) return options.run;
  return World::here().orders();
}

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
  if (!*complete) World::here().stand_still(fmt::format("lightcone: {}: {}", name, report.text));
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
  World::here().leave();
}

/// In a replay from a checkpoint: what the process begins with, and the place in its journal.
[[nodiscard]] Expected<void> find_beginning(Process::Core::Door& door, Replayer& replayer,
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

[[nodiscard]] Expected<Process::Core::Door> open_door(const RunOrders& orders,
                                                      const ProcessOptions& options) {
  const std::string& name = options.name;
  Process::Core::Door door;
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

[[nodiscard]] bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(one, unknown), unknown) ==
         fs::weakly_canonical(fs::absolute(other, unknown), unknown);
}

/// Where the process writes traces: where the program says, and where the orders do.
/// That of a replay from a checkpoint begins as the recorded one does.
[[nodiscard]] Expected<std::vector<LiveTrace>> open_traces(
    const ProcessOptions& options, const std::optional<RunOrders>& orders,
    const std::optional<Process::Core::Door>& door) {
  std::vector<std::string> paths;
  if (orders && orders->mode == RunOrders::Mode::replay) {
    if (!orders->traces.empty()) {
      paths.push_back(Recording::trace_path(orders->traces, options.name));
    }
  } else if (orders && !orders->journal_only) {
    paths.push_back(Recording::trace_path(orders->directory, options.name));
  }
  std::optional<std::string> claimed;  // there, and empty
  if (!options.traces.empty() && !(orders && orders->mode == RunOrders::Mode::replay)) {
    claimed = Recording::trace_path(options.traces, options.name);
    paths.push_back(*claimed);
  }
  const std::string& own = options.trace;
  if (!own.empty() && (paths.empty() || !are_one_file(paths.front(), own))) paths.push_back(own);
  std::vector<LiveTrace> traces;
  for (const std::string& path : paths) {
    const bool resumes = door && door->from && path != own;
    auto opened = resumes
                      ? LiveTrace::resume(path, options.name,
                                          Recording::trace_path(orders->directory, options.name),
                                          door->from->checkpoint.trace_bytes)
                  : path == claimed ? LiveTrace::fill(path, options.name)
                                    : LiveTrace::create(path, options.name);
    if (!opened) return failure(opened.error());
    traces.push_back(std::move(*opened));
  }
  return traces;
}

}  // namespace

Process::Process(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Process::~Process() = default;

Expected<std::unique_ptr<Process>> Process::start(ProcessOptions options,
                                                  const LiveState& initial) {
  options.name = as_utf8_name(options.name);
  for (std::string& member : options.members) member = as_utf8_name(member);
  auto properties = WatchedProperties::of(options);
  if (!properties) return failure(properties.error());
  const auto orders = orders_for(options);
  if (!orders) return failure(orders.error());
  auto identity = ProcessIdentity::claim(options, *orders);
  if (!identity) return failure(identity.error());
  options.name = identity->name();
  std::optional<Core::Door> door;
  if (*orders) {
    if (!(*orders)->runs(options.name)) World::here().leave();
    auto opened = open_door(**orders, options);
    if (!opened) return failure(opened.error());
    door.emplace(std::move(*opened));
  }
  auto traces = open_traces(options, *orders, door);
  if (!traces) return failure(traces.error());
  identity->keep();
  auto core = std::make_unique<Core>(std::move(options), std::move(properties->compiled),
                                     properties->agreement, std::move(*traces), std::move(door));
  core->start(initial);
  core->tell_of_unwatched();
  return std::unique_ptr<Process>(new Process(std::move(core)));
}

void Process::event(const LiveState& state, const std::source_location& where) {
  core_->event(state, where);
}

std::string Process::send(std::span<const std::string_view> to, const LiveState& state,
                          const std::source_location& where) {
  return core_->send(to, state, where);
}

std::string Process::receive(std::span<const std::string_view> tags, const LiveState& state,
                             const std::source_location& where) {
  return core_->receive(tags, state, where);
}

std::uint64_t Process::time() { return core_->time(); }
std::uint64_t Process::random() { return core_->random(); }
std::uint64_t Process::choose(std::uint64_t alternatives) { return core_->choose(alternatives); }
std::string Process::read(const std::function<std::string()>& from_outside) {
  return core_->read(from_outside);
}

bool Process::is_prompted() const { return core_->is_prompted(); }
bool Process::took(std::string_view tag, const std::function<std::string()>& contents) {
  return core_->took(tag, contents);
}
void Process::found_nothing() { core_->found_nothing(); }
std::optional<ArrivedMessage> Process::take(std::string_view mailbox, bool polls,
                                            const Arrive& arrive) {
  return core_->take(mailbox, polls, arrive);
}

std::uint64_t Process::begin_snapshot() { return core_->begin_snapshot(); }
std::string Process::marker(std::string_view to) { return core_->marker(to); }
void Process::safe_point() { core_->safe_point(); }
bool Process::restored() const { return core_->restored(); }

Expected<void> Process::flush() { return core_->flush(); }
ProcessCounts Process::counts() const { return core_->counts(); }
std::string_view Process::name() const { return core_->name(); }
std::string_view Process::identity() const { return core_->identity(); }
std::vector<std::pair<std::string, std::uint32_t>> Process::clock() const { return core_->clock(); }

}  // namespace lightcone
