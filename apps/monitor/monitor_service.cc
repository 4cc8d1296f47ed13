// One thread accepts and stores, in groups; another decides and tells.
#include "monitor_service.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace lightcone::service {
namespace {

using Clock = std::chrono::steady_clock;

/// Stands for a client whose lines were accepted before the monitor was started again.
class StoredSource final : public LineSource {
 public:
  explicit StoredSource(std::string name) {
    client = std::move(name);
    may_end_all = true;  // what the log says was allowed
  }
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
  void refused(const std::string&) override {}
};

[[nodiscard]] bool is_about_spans(const AcceptedItem& item) {
  return item.what == AcceptedItem::What::spans || item.what == AcceptedItem::What::quiet;
}

/// An item of the log as it arrived.
[[nodiscard]] Arrival arrival_of(const AcceptedItem& item) {
  Arrival arrival{std::make_shared<StoredSource>(item.client), Heading{}, Clock::now()};
  if (item.what == AcceptedItem::What::lines) {
    arrival.content = item.piece;
    return arrival;
  }
  auto& heading = std::get<Heading>(arrival.content);
  heading.execution = item.execution;
  heading.is_end = item.what == AcceptedItem::What::end;
  heading.is_lost = item.what == AcceptedItem::What::lost;
  if (heading.is_lost) heading.process = item.names.front();
  if (item.what == AcceptedItem::What::processes) heading.processes = item.names;
  return arrival;
}

}  // namespace

MonitorService::MonitorService(PropertyFile properties, ServiceOptions options, VerdictLog verdicts)
    : options_(std::move(options)),
      verdicts_(std::move(verdicts)),
      decider_(std::move(properties), options_.execution, verdicts_, options_.note),
      memory_(std::make_shared<ExecutionMemory>(options_.execution_bytes)),
      acceptance_(options_.acceptance),
      silence_(options_.silent, true) {
  if (!options_.keep.empty()) {
    decider_.keep_in(
        std::make_unique<KeptExecutions>(options_.keep, options_.keep_bytes, options_.note));
  }
  if (options_.span_decider) decider_.decide_spans_by(options_.span_decider);
  decider_.count_memory_in(memory_);
}

Expected<std::unique_ptr<MonitorService>> MonitorService::start(PropertyFile properties,
                                                                ServiceOptions options) {
  namespace fs = std::filesystem;
  if (!options.note) options.note = [](const std::string&) {};
  if (!options.state.empty()) {
    std::error_code error;
    fs::create_directories(options.state, error);
    if (error) return failure("cannot be created: " + error.message(), options.state);
  }
  // Before anything in the folder is touched.
  const auto folder_lock = options.state.empty() ? Expected<int>(-1) : lock_folder(options.state);
  if (!folder_lock) return failure(folder_lock.error());
  std::string path = options.output;
  if (path.empty() && !options.state.empty()) path = options.state + "/verdicts.jsonl";
  auto verdicts = path.empty() ? Expected<VerdictLog>(VerdictLog(options.show))
                               : VerdictLog::open(path, options.show);
  if (!verdicts) {
    if (*folder_lock >= 0) ::close(*folder_lock);
    return failure(verdicts.error());
  }
  std::unique_ptr<MonitorService> service(
      new MonitorService(std::move(properties), std::move(options), std::move(*verdicts)));
  service->lock_ = *folder_lock;
  if (auto ready = service->take_up(); !ready) return failure(ready.error());
  service->storing_ = std::thread([&it = *service] { it.store_and_pass_on(); });
  service->deciding_ = std::thread([&it = *service] { it.decide_groups(); });
  return service;
}

Expected<void> MonitorService::take_up() {
  if (options_.state.empty()) return {};
  if (auto same = check_identity(options_.state, options_.identity); !same) return same;
  const auto position = read_position(options_.state);
  if (!position) return failure(position.error());
  saved_file_ = position->file;
  if (auto ready = verdicts_.repeat_after(position->sequence); !ready) return ready;
  decided_before_.insert(position->decided.begin(), position->decided.end());
  for (const std::string& name : position->decided) decider_.ignore_trace(name);
  for (const std::uint64_t digest : position->ended) {
    acceptance_.remember_end(digest);
    decider_.remember_end(digest);
  }
  std::uint64_t items = 0;
  auto log = AcceptedLog::open(options_.state, position->file,
                               [&](const AcceptedItem& item, std::uint64_t file) {
                                 ++items;
                                 take_up_item(item, file);
                               });
  if (!log) return failure(log.error());
  log_.emplace(std::move(*log));
  log_->begin_files_after(options_.log_file_bytes);
  verdicts_.end_repetition();
  if (items > 0) {
    options_.note(fmt::format("goes on after {} accepted events and {} verdicts",
                              acceptance_.counts().accepted, verdicts_.told()));
  }
  return verdicts_.flush();
}

void MonitorService::take_up_item(AcceptedItem item, std::uint64_t file) {
  if (is_about_spans(item)) return take_up_spans(std::move(item), file);
  if (item.what == AcceptedItem::What::given_up) return decider_.decide(item, file);
  if (item.piece && !decided_before_.empty()) {
    std::erase_if(item.piece->lines.lines, [&](const JsonlLine& line) {
      return decided_before_.contains(execution_in(line).value_or(item.execution));
    });
  } else if (item.what == AcceptedItem::What::end) {
    decided_before_.erase(item.execution);
  } else if (decided_before_.contains(item.execution)) {
    return;
  }
  acceptance_.accept(arrival_of(item),
                     [&](const AcceptedItem& one) { decider_.decide(one, file); });
}

void MonitorService::take_up_spans(AcceptedItem item, std::uint64_t file) {
  if (item.spans) {
    if (!options_.read_batch || !options_.read_batch(*item.spans)) return;
    std::erase_if(item.spans->traces,
                  [&](const std::string& trace) { return decided_before_.contains(trace); });
  }
  std::erase_if(item.names,
                [&](const std::string& trace) { return decided_before_.contains(trace); });
  acceptance_.repeat(item);
  decider_.decide(item, file);
}

MonitorService::~MonitorService() {
  if (storing_.joinable()) static_cast<void>(stop(false));
  if (lock_ >= 0) ::close(lock_);
}

void MonitorService::offer(Arrival arrival) {
  const std::size_t bytes = arrival.bytes();
  std::unique_lock lock(mutex_);
  wait_for_room(arrival, lock);
  if (stops_ || !trouble_.empty()) return;
  undecided_ += bytes;
  ++offered_;
  arrivals_.push_back(std::move(arrival));
  changed_.notify_all();
}

/// An execution of which something waits here is not quiet.
void MonitorService::wait_for_room(const Arrival& arrival, std::unique_lock<std::mutex>& lock) {
  const std::size_t bytes = arrival.bytes();
  const auto has_room = [&] {
    return stops_ || !trouble_.empty() || undecided_ == 0 ||
           undecided_ + bytes <= options_.undecided_bytes;
  };
  if (!arrival.source->is_held && has_room()) return;
  const auto blocked = blocked_.insert(blocked_.end(), arrival.executions());
  wait_for_others(*arrival.source, lock);
  changed_.wait(lock, has_room);
  blocked_.erase(blocked);
}

/// If what is waited for is of a process that nobody has heard of, a client that is held may have
/// it. So all of them together go on by one piece now and then.
void MonitorService::wait_for_others(const LineSource& source, std::unique_lock<std::mutex>& lock) {
  if (!source.is_held) return;
  const auto since = Clock::now();
  while (source.is_held && !stops_ && !holds_nobody_ && trouble_.empty()) {
    const auto due = std::max(since, last_exception_) + options_.longest_hold;
    if (Clock::now() >= due) {
      last_exception_ = Clock::now();
      return;
    }
    changed_.wait_until(lock, due);
  }
}

/// Tells clients that are far ahead to wait. What they wait for may have been decided just now.
void MonitorService::hold_clients() {
  const auto far_ahead = decider_.far_ahead();
  if (far_ahead.empty() && held_.empty()) return;
  std::set<std::shared_ptr<LineSource>> ahead;
  {
    const std::lock_guard lock(acceptance_mutex_);
    ahead = acceptance_.far_ahead(far_ahead);
  }
  const std::lock_guard lock(mutex_);
  for (const auto& weak : held_) {
    if (const auto source = weak.lock()) source->is_held = ahead.contains(source);
  }
  for (const auto& source : ahead) source->is_held = true;
  held_.assign(ahead.begin(), ahead.end());
  changed_.notify_all();
}

void MonitorService::hold_nobody() {
  const std::lock_guard lock(mutex_);
  holds_nobody_ = true;
  changed_.notify_all();
}

void MonitorService::release(std::size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  undecided_ -= bytes;
  if (!blocked_.empty()) changed_.notify_all();
}

void MonitorService::store_and_pass_on() {
  constexpr std::chrono::seconds between_ticks{1};
  auto next_tick = Clock::now() + between_ticks;
  for (bool is_last = false; !is_last;) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, next_tick, [&] { return stops_ || !arrivals_.empty(); });
    std::deque<Arrival> arrivals = std::exchange(arrivals_, {});
    const auto now = Clock::now();
    is_last = stops_;
    lock.unlock();
    const std::uint64_t count = arrivals.size();
    const bool is_good = store(std::move(arrivals), now, is_last);
    lock.lock();
    stored_ += count;
    is_last = is_last || !is_good;
    is_stored_ = is_last;
    lock.unlock();
    changed_.notify_all();
    if (Clock::now() < next_tick) continue;
    tick();
    next_tick = Clock::now() + between_ticks;
  }
}

/// All that was offered before `now` has been looked at, but for what waits for room. What comes
/// while the monitor itself is slow comes later than that.
void MonitorService::end_quiet(ArrivalTime now, bool is_last, const Acceptance::Take& take) {
  std::set<std::string> blocked;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& names : blocked_) blocked.insert(names.begin(), names.end());
  }
  acceptance_.hear_of(blocked, now);
  if (options_.quiet.count() > 0) acceptance_.end_quiet(now, options_.quiet, take);
  acceptance_.decide_quiet(now, options_.quiet_trace, take);
  if (!is_last || !ends_all_) return;
  const auto end = Clock::now();
  acceptance_.decide_quiet(end, std::chrono::seconds(0), take);
  acceptance_.end_quiet(end, std::chrono::seconds(0), take);
}

/// Returns false if it could not be stored.
bool MonitorService::store(std::deque<Arrival> arrivals, ArrivalTime now, bool is_last) {
  Group group;
  const auto take = [&](AcceptedItem item) { group.items.push_back(std::move(item)); };
  std::size_t unused = 0;  // memory of what led to nothing
  // That is in the log, too: a monitor that is started again does the same.
  for (AcceptedItem& item : decider_.to_give_up([](const std::string&) { return true; })) {
    take(std::move(item));
  }
  std::unique_lock lock(acceptance_mutex_);
  for (const Arrival& arrival : arrivals) {
    const std::size_t before = group.items.size();
    acceptance_.accept(arrival, take);
    (group.items.size() > before ? group.items.back().bytes : unused) += arrival.bytes();
  }
  end_quiet(now, is_last, take);
  lock.unlock();
  if (log_) {
    group.file = log_->file();
    for (const AcceptedItem& item : group.items) log_->add(item);
    if (auto stored = log_->commit(); !stored) {
      fail(stored.error().text());
      return false;
    }
  }
  if (!arrivals.empty()) until_stored_.add(Clock::now() - arrivals.front().time);
  lock.lock();
  acceptance_.tell_clients();
  lock.unlock();
  arrivals.clear();
  release(unused);
  if (!group.items.empty()) pass_on(std::move(group));
  return true;
}

void MonitorService::pass_on(Group group) {
  const std::lock_guard lock(mutex_);
  ++passed_;
  groups_.push_back(std::move(group));
  changed_.notify_all();
}

void MonitorService::decide_groups() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !groups_.empty() || is_stored_ || !trouble_.empty(); });
    if (groups_.empty() || !trouble_.empty()) return;
    Group group = std::move(groups_.front());
    groups_.pop_front();
    lock.unlock();
    decide(std::move(group));
    lock.lock();
    ++decided_;
    lock.unlock();
    changed_.notify_all();
  }
}

/// Where the disk is waited for, one wait serves the verdicts of many items.
void MonitorService::decide(Group group) {
  constexpr std::chrono::milliseconds between_waits{20};
  std::vector<ArrivalTime> told;  // when the items came whose verdicts are not flushed
  auto next_flush = Clock::now() + between_waits;
  for (AcceptedItem& item : group.items) {
    oldest_undecided_ = item.time.time_since_epoch().count();
    const std::uint64_t before = verdicts_.told();
    decider_.decide(item, group.file);
    if (verdicts_.told() != before) told.push_back(item.time);
    if (!verdicts_.waits_for_disk() || Clock::now() >= next_flush) {
      if (!flush_verdicts(told)) return;
      next_flush = Clock::now() + between_waits;
    }
    const std::size_t bytes = item.bytes;
    item = {};
    hold_clients();
    release(bytes);
  }
  if (!flush_verdicts(told)) return;
  oldest_undecided_ = 0;
  save_position();
}

bool MonitorService::flush_verdicts(std::vector<ArrivalTime>& told) {
  if (auto written = verdicts_.flush(); !written) {
    fail(written.error().text());
    return false;
  }
  const auto now = Clock::now();
  for (const ArrivalTime time : told) until_decided_.add(now - time);
  told.clear();
  return true;
}

/// What lies before it is not needed any more.
void MonitorService::save_position() {
  if (!log_ || decider_.position_file() <= saved_file_) return;
  const LogPosition position = decider_.position();
  if (auto saved = write_position(options_.state, position); !saved) {
    return fail(saved.error().text());
  }
  saved_file_ = position.file;
  log_->remove_before(position.file);
}

void MonitorService::tick() {
  const auto waiting = decider_.waiting();
  std::vector<std::string> news;
  {
    const std::lock_guard lock(acceptance_mutex_);
    news = silence_.news(acceptance_, waiting, Clock::now());
  }
  for (const std::string& sentence : news) options_.note(sentence);
}

void MonitorService::fail(const std::string& why) {
  options_.note(why);
  const std::lock_guard lock(mutex_);
  if (trouble_.empty()) trouble_ = why;
  changed_.notify_all();
}

std::string MonitorService::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void MonitorService::settle() {
  std::unique_lock lock(mutex_);
  const std::uint64_t offered = offered_;
  changed_.wait(lock, [&] { return !trouble_.empty() || stored_ >= offered; });
  const std::uint64_t passed = passed_;
  changed_.wait(lock, [&] { return !trouble_.empty() || decided_ >= passed; });
}

Expected<void> MonitorService::stop(bool ends_all) {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    ends_all_ = ends_all;
  }
  changed_.notify_all();
  if (storing_.joinable()) storing_.join();
  changed_.notify_all();
  if (deciding_.joinable()) deciding_.join();
  const std::string why = trouble();
  if (!why.empty()) return failure(why);
  return {};
}

}  // namespace lightcone::service
