// Starts a live process as it is told to run, and passes its calls on.
#include <lightcone/process.h>

#include <lightcone/base/utf8.h>
#include <lightcone/live/process/process_core.h>
#include <lightcone/live/process/process_identity.h>
#include <lightcone/live/process/run_door.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/live/watch/watched_properties.h>
#include <lightcone/recording.h>
#include <lightcone/transport.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

/// How to run, by what the program or its surroundings say; nothing for an ordinary run.
[[nodiscard]] Expected<std::optional<RunOrders>> orders_for(const ProcessOptions& options) {
  if (options.run) return options.run;
  return Surroundings::here().orders();
}

[[nodiscard]] bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(one, unknown), unknown) ==
         fs::weakly_canonical(fs::absolute(other, unknown), unknown);
}

/// Where the process writes traces: where the program says, and where the orders do.
/// That of a replay from a checkpoint begins as the recorded one does.
[[nodiscard]] Expected<std::vector<LiveTrace>> open_traces(const ProcessOptions& options,
                                                           const std::optional<RunOrders>& orders,
                                                           const std::optional<RunDoor>& door) {
  std::vector<std::string> paths;
  const ReplayOrders* const replay = orders ? orders->replay() : nullptr;
  const bool journal_only = orders && orders->record() != nullptr && orders->record()->journal_only;
  if (replay != nullptr) {
    if (!replay->traces.empty()) {
      paths.push_back(Recording::trace_path(replay->traces, options.name));
    }
  } else if (orders && !journal_only) {
    paths.push_back(Recording::trace_path(orders->directory, options.name));
  }
  std::optional<std::string> claimed;  // there, and empty
  if (!options.traces.empty() && replay == nullptr) {
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

/// Who tells a monitor of the process; nobody in a replay or an exploration, where it happens
/// again.
[[nodiscard]] Expected<std::unique_ptr<Reporter>> reporter_for(
    const ProcessOptions& options, const std::optional<RunOrders>& orders) {
  const bool happens_again =
      orders && (orders->replay() != nullptr || orders->explore() != nullptr);
  if (options.report_to.empty() || happens_again) return nullptr;
  ReporterOptions reporting{.address = options.report_to,
                            .execution = options.report_execution,
                            .token = options.report_token,
                            .process = options.name,
                            .certificates = options.report_certificates,
                            .connect = options.report_over,
                            .on_error = options.on_error};
  if (!options.trace.empty()) {
    reporting.overflow_file = options.trace + ".unsent";
  } else if (!options.traces.empty()) {
    reporting.overflow_file = Recording::trace_path(options.traces, options.name) + ".unsent";
  }
  return Reporter::start(std::move(reporting));
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
  std::optional<RunDoor> door;
  if (*orders) {
    if (!(*orders)->runs(options.name)) Surroundings::here().leave();
    auto opened = RunDoor::open(**orders, options);
    if (!opened) return failure(opened.error());
    door.emplace(std::move(*opened));
  }
  auto traces = open_traces(options, *orders, door);
  if (!traces) return failure(traces.error());
  auto reporter = reporter_for(options, *orders);
  if (!reporter) return failure(reporter.error());
  identity->keep();
  auto core = std::make_unique<Core>(std::move(options), std::move(properties->compiled),
                                     properties->agreement, std::move(*traces), std::move(door));
  core->report_by(std::move(*reporter));
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

std::string Process::receive(TakenMessage&& message, const LiveState& state,
                             const std::source_location& where) {
  return core_->receive(std::span(&message, 1), state, where);
}

std::string Process::receive(std::span<TakenMessage> messages, const LiveState& state,
                             const std::source_location& where) {
  return core_->receive(messages, state, where);
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

std::uint64_t Process::begin_snapshot() { return core_->begin_snapshot(); }
std::string Process::marker(std::string_view to) { return core_->marker(to); }
void Process::safe_point() { core_->safe_point(); }
bool Process::restored() const { return core_->restored(); }
std::vector<TakenMessage> Process::restored_messages() { return core_->restored_messages(); }

Expected<void> Process::flush() { return core_->flush(); }
ProcessCounts Process::counts() const { return core_->counts(); }
std::string_view Process::name() const { return core_->name(); }
std::string_view Process::identity() const { return core_->identity(); }
std::vector<std::pair<std::string, std::uint32_t>> Process::clock() const { return core_->clock(); }

}  // namespace lightcone
