// One thread accepts and stores, in groups; another decides and tells.
#include "monitor_service.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/trace/digest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace lightcone::service {
namespace {

using Clock = std::chrono::steady_clock;

/// Stands for a client whose lines were accepted before the monitor was started again.
class StoredSource final : public LineSource {
 public:
  explicit StoredSource(std::string name) { client = std::move(name); }
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
  void refused(const std::string&) override {}
};

[[nodiscard]] Expected<void> write_whole(const std::string& path, const std::string& text) {
  auto file = OutputFile::create(path);
  if (!file) return failure(file.error());
  file->write(text);
  return file->commit();
}

[[nodiscard]] Expected<std::string> read_whole(const std::string& path) {
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  return file->read_all();
}

/// The folder belongs to these properties.
[[nodiscard]] Expected<void> check_identity(const std::string& folder,
                                            const std::string& identity) {
  const std::string path = folder + "/properties";
  if (!std::filesystem::exists(path)) return write_whole(path, identity);
  const auto kept = read_whole(path);
  if (!kept) return failure(kept.error());
  if (*kept == identity) return {};
  return failure("holds what was decided for other properties", folder, 0,
                 "what was told would not agree with what is decided again; use another folder for "
                 "the new properties");
}

[[nodiscard]] Expected<LogPosition> read_position(const std::string& folder) {
  const std::string path = folder + "/position";
  LogPosition position;
  if (!std::filesystem::exists(path)) return position;
  const auto text = read_whole(path);
  if (!text) return failure(text.error());
  const auto json = Json::parse(*text);
  const bool is_good = json && json->read("file", position.file) &&
                       json->read("sequence", position.sequence) &&
                       json->read("decided", position.decided) && position.file > 0;
  if (!is_good) return failure("is damaged", path);
  return position;
}

[[nodiscard]] std::size_t bytes_in(const Arrival& arrival) {
  const auto* spans = std::get_if<std::shared_ptr<SpanBatch>>(&arrival.content);
  if (spans != nullptr) return (*spans)->bytes.size();
  const auto* piece = std::get_if<std::shared_ptr<LinePiece>>(&arrival.content);
  return piece != nullptr ? (*piece)->original.size() : 256;
}

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
      acceptance_(options_.acceptance),
      silence_(options_.silent) {
  if (!options_.keep.empty()) {
    decider_.keep_in(
        std::make_unique<KeptExecutions>(options_.keep, options_.keep_bytes, options_.note));
  }
  if (options_.span_decider) decider_.decide_spans_by(options_.span_decider);
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
  std::string path = options.output;
  if (path.empty() && !options.state.empty()) path = options.state + "/verdicts.jsonl";
  auto verdicts = path.empty() ? Expected<VerdictLog>(VerdictLog(options.show))
                               : VerdictLog::open(path, options.show);
  if (!verdicts) return failure(verdicts.error());
  std::unique_ptr<MonitorService> service(
      new MonitorService(std::move(properties), std::move(options), std::move(*verdicts)));
  if (auto ready = service->take_up(); !ready) return failure(ready.error());
  service->storing_ = std::thread([&it = *service] { it.store_and_pass_on(); });
  service->deciding_ = std::thread([&it = *service] { it.decide_groups(); });
  return service;
}

Expected<void> MonitorService::take_up() {
  if (options_.state.empty()) return {};
  const std::string lock = options_.state + "/lock";
  lock_ = ::open(lock.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    return failure(lock_ < 0 ? std::strerror(errno) : "another monitor uses this folder",
                   options_.state);
  }
  if (auto same = check_identity(options_.state, options_.identity); !same) return same;
  const auto position = read_position(options_.state);
  if (!position) return failure(position.error());
  saved_file_ = position->file;
  if (auto ready = verdicts_.repeat_after(position->sequence); !ready) return ready;
  decided_before_.insert(position->decided.begin(), position->decided.end());
  for (const std::string& name : position->decided) decider_.ignore_trace(name);
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
  const std::size_t bytes = bytes_in(arrival);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return stops_ || !trouble_.empty() || queued_ == 0 || queued_ + bytes <= options_.queued_bytes;
  });
  if (stops_ || !trouble_.empty()) return;
  queued_ += bytes;
  ++offered_;
  arrivals_.push_back(std::move(arrival));
  changed_.notify_all();
}

void MonitorService::store_and_pass_on() {
  constexpr std::chrono::seconds between_ticks{1};
  auto next_tick = Clock::now() + between_ticks;
  for (bool is_last = false; !is_last;) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, next_tick, [&] { return stops_ || !arrivals_.empty(); });
    std::deque<Arrival> arrivals = std::exchange(arrivals_, {});
    is_last = stops_;
    queued_ = 0;
    lock.unlock();
    changed_.notify_all();
    const std::uint64_t count = arrivals.size();
    const bool is_good = store(std::move(arrivals), is_last);
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

/// Returns false if it could not be stored.
bool MonitorService::store(std::deque<Arrival> arrivals, bool is_last) {
  Group group;
  const auto take = [&](AcceptedItem item) {
    group.bytes += item.piece   ? item.piece->original.size()
                   : item.spans ? item.spans->bytes.size()
                                : 256;
    group.items.push_back(std::move(item));
  };
  std::unique_lock lock(acceptance_mutex_);
  for (const Arrival& arrival : arrivals) acceptance_.accept(arrival, take);
  if (options_.quiet.count() > 0) acceptance_.end_quiet(Clock::now(), options_.quiet, take);
  const auto quiet_trace =
      is_last && ends_all_ ? std::chrono::milliseconds(0) : options_.quiet_trace;
  acceptance_.decide_quiet(Clock::now(), quiet_trace, take);
  if (is_last && ends_all_) acceptance_.end_quiet(Clock::now(), std::chrono::seconds(0), take);
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
  if (!group.items.empty()) pass_on(std::move(group));
  return true;
}

void MonitorService::pass_on(Group group) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return !trouble_.empty() || grouped_ == 0 || grouped_ + group.bytes <= options_.queued_bytes;
  });
  grouped_ += group.bytes;
  ++passed_;
  groups_.push_back(std::move(group));
  lock.unlock();
  changed_.notify_all();
}

void MonitorService::decide_groups() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !groups_.empty() || is_stored_ || !trouble_.empty(); });
    if (groups_.empty() || !trouble_.empty()) return;
    const Group group = std::move(groups_.front());
    groups_.pop_front();
    lock.unlock();
    decide(group);
    lock.lock();
    grouped_ -= group.bytes;
    ++decided_;
    lock.unlock();
    changed_.notify_all();
  }
}

void MonitorService::decide(const Group& group) {
  for (const AcceptedItem& item : group.items) {
    oldest_undecided_ = item.time.time_since_epoch().count();
    decider_.decide(item, group.file);
    const std::uint64_t told = verdicts_.told();
    if (auto written = verdicts_.flush(); !written) return fail(written.error().text());
    if (verdicts_.told() != told) until_decided_.add(Clock::now() - item.time);
  }
  oldest_undecided_ = 0;
  save_position();
}

/// What lies before it is not needed any more.
void MonitorService::save_position() {
  if (!log_ || decider_.position_file() <= saved_file_) return;
  const LogPosition position = decider_.position();
  const Json json{
      {"file", position.file}, {"sequence", position.sequence}, {"decided", position.decided}};
  if (auto saved = write_whole(options_.state + "/position", json.dump() + "\n"); !saved) {
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
    news = silence_.news(silence_.silent(acceptance_, waiting, Clock::now()));
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
