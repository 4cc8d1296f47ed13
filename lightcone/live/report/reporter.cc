// One thread per process speaks to the monitor; the process only adds to a queue.
#include <lightcone/live/report/reporter.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <lightcone/base/json.h>
#include <lightcone/base/json_text.h>
#include <lightcone/live/report/socket_connection.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace lightcone {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds longest_pause{2000}, longest_pause_if_refused{10'000};
constexpr milliseconds shortest_pause{50};
constexpr milliseconds longest_farewell{2000}, longest_farewell_in_all{30'000};
constexpr std::size_t batch_bytes = 256 << 10;
constexpr std::size_t longest_part = 512 << 10, most_part_bytes = 16 << 20;
constexpr std::uint64_t longest_question = 3600;  // seconds

/// A connection that ends while something is written to it is no signal to the program.
void block_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Expected<std::unique_ptr<Reporter>> Reporter::start(ReporterOptions options) {
  if (!options.connect) {
    const auto address = monitor_address(options.address);
    if (!address) return failure(address.error());
    auto connect = connect_by_socket(*address, options.certificates);
    if (!connect) return failure(connect.error());
    options.connect = std::move(*connect);
  }
  std::unique_ptr<Reporter> reporter(new Reporter(std::move(options)));
  reporter->thread_ = std::thread([&it = *reporter] { it.run(); });
  return reporter;
}

Reporter::~Reporter() {
  {
    std::unique_lock lock(mutex_);
    is_ending_ = true;
    changed_.notify_all();
    // As long as the monitor stores something, there is hope.
    const auto is_done = [&] { return is_all_told() || is_refused_; };
    const auto end = SteadyClock::now() + longest_farewell_in_all;
    for (std::size_t left = SIZE_MAX; !is_done() && SteadyClock::now() < end;) {
      const std::size_t before = std::exchange(left, lines_.size() + overflowed_.size());
      if (left >= before) break;
      changed_.wait_for(lock, longest_farewell, is_done);
    }
    stops_ = true;
  }
  changed_.notify_all();
  thread_.join();
  const std::uint64_t left =
      is_all_stored() ? 0 : lines_.size() + static_cast<std::uint64_t>(overflowed_.size());
  if (left > 0 && !is_refused_) {
    tell(fmt::format("{} events were not sent to the monitor before the process ended", left));
  }
  if (overflow_ >= 0) ::close(overflow_);
  if (overflow_ >= 0 && left == 0) ::unlink(options_.overflow_file.c_str());
}

/// The monitor does not answer to an initial state before the first event.
bool Reporter::is_all_stored() const {
  const bool is_initial_alone = lines_.size() == 1 && lines_.front().rank == 0 && sent_ == 1;
  return (lines_.empty() || is_initial_alone) && overflowed_.empty();
}

/// A part is for a monitor that is there.
bool Reporter::is_all_told() const { return is_all_stored() && (parts_.empty() || !is_connected_); }

void Reporter::add(std::uint64_t rank, std::string line) {
  const std::lock_guard lock(mutex_);
  next_rank_ = rank + 1;
  if (is_refused_ || first_lost_ != 0) {
    ++lost_;
    return;
  }
  const bool fits = bytes_ + line.size() <= options_.most_bytes;
  if (overflowed_.empty() && fits) {
    bytes_ += line.size();
    lines_.push_back({rank, std::move(line)});
    if (lines_.size() == sent_ + 1) changed_.notify_all();
    return;
  }
  if (write_overflow(rank, line)) return;
  first_lost_ = rank;  // what follows a gap is of no use to the monitor
  ++lost_;
}

bool Reporter::write_overflow(std::uint64_t rank, std::string_view line) {
  if (options_.overflow_file.empty()) return false;
  if (overflow_ < 0) {
    overflow_ =
        ::open(options_.overflow_file.c_str(), O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
  }
  if (overflow_ < 0) return false;
  const ssize_t written =
      ::pwrite(overflow_, line.data(), line.size(), static_cast<off_t>(written_at_));
  if (written != static_cast<ssize_t>(line.size())) return false;
  written_at_ += line.size();
  overflowed_.emplace_back(rank, static_cast<std::uint32_t>(line.size()));
  return true;
}

/// Takes back from the file what memory has room for.
void Reporter::refill() {
  while (!overflowed_.empty() && bytes_ + overflowed_.front().second <= options_.most_bytes) {
    const auto [rank, size] = overflowed_.front();
    Line line{rank, std::string(size, '\0')};
    const ssize_t read = ::pread(overflow_, line.text.data(), size, static_cast<off_t>(read_at_));
    if (read != static_cast<ssize_t>(size)) return;
    read_at_ += size;
    bytes_ += size;
    lines_.push_back(std::move(line));
    overflowed_.pop_front();
  }
  if (!overflowed_.empty() || overflow_ < 0 || written_at_ == 0) return;
  if (::ftruncate(overflow_, 0) == 0) read_at_ = written_at_ = 0;
}

bool Reporter::has_lines() const {
  const std::lock_guard lock(mutex_);
  return !lines_.empty();
}

std::uint64_t Reporter::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

bool Reporter::wants_parts() const {
  const std::lock_guard lock(mutex_);
  return SteadyClock::now() < parts_until_;
}

void Reporter::add_part(std::string line) {
  const std::lock_guard lock(mutex_);
  if (line.size() > longest_part || part_bytes_ + line.size() > most_part_bytes) return;
  part_bytes_ += line.size();
  parts_.push_back(std::move(line));
}

void Reporter::tell(const std::string& what) {
  if (options_.on_error) {
    options_.on_error(Error{fmt::format("{}: {}", options_.process, what), {}, 0, {}});
  }
}

void Reporter::run() {
  block_pipe_signal();
  pause_ = shortest_pause;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      // Once there was an event, the monitor may ask at any time.
      changed_.wait(lock, [&] { return stops_ || next_rank_ > 0; });
      if (stops_ && lines_.empty()) return;
    }
    const auto connection = options_.connect(options_.address, options_.token);
    bool was_good = connection && connection->is_open();
    if (was_good) {
      speak(*connection);
      was_good = connection->trouble().empty();
      const std::lock_guard lock(mutex_);
      is_connected_ = false;
      changed_.notify_all();
    }
    if (connection && !was_good) note_absence(*connection);
    pause_between(was_good);
    const std::lock_guard lock(mutex_);
    if (stops_ || is_refused_) return;
  }
}

/// The same trouble is told once.
void Reporter::note_absence(MonitorConnection& connection) {
  is_refused_now_ = false;
  for (const std::string& line : connection.receive(milliseconds(0))) take_answer(line);
  std::string trouble = connection.trouble();
  if (trouble.empty()) trouble = "it is not there";
  if (is_refused_now_ || trouble == told_trouble_ || !has_lines()) return;
  told_trouble_ = trouble;
  tell(fmt::format("the monitor at {} cannot be told: {}; events are kept and sent later",
                   options_.address, trouble));
}

void Reporter::pause_between(bool was_good) {
  const milliseconds longest = is_refused_now_ ? longest_pause_if_refused : longest_pause;
  if (was_good && !is_refused_now_) pause_ = shortest_pause;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, pause_, [&] {
    return stops_ || is_refused_ || (is_ending_ && pause_ > shortest_pause);
  });
  pause_ = is_ending_ ? shortest_pause : std::min(pause_ * 2, longest);
}

std::string Reporter::first_line() {
  const std::lock_guard lock(mutex_);
  sent_ = 0;
  has_told_loss_ = false;  // nobody knows whether the monitor stored it
  is_connected_ = true;
  std::string heading = "{\"lightcone\": 1, \"answers\": true";
  if (!options_.token.empty()) heading += ", \"token\": " + json_string(options_.token);
  if (!options_.execution.empty()) {
    heading += ", \"execution\": " + json_string(options_.execution);
  }
  const std::uint64_t next = lines_.empty() ? next_rank_ : lines_.front().rank;
  return heading + fmt::format(", \"process\": {}, \"from\": {}, \"snapshots\": true}}\n",
                               json_string(options_.process), std::max<std::uint64_t>(1, next));
}

void Reporter::speak(MonitorConnection& connection) {
  is_refused_now_ = false;
  connection.send(first_line());
  while (connection.is_open()) {
    const std::string batch = next_batch();
    connection.send(batch);
    for (const std::string& line : connection.receive(milliseconds(batch.empty() ? 20 : 0))) {
      take_answer(line);
    }
    const std::lock_guard lock(mutex_);
    if (is_refused_ || is_refused_now_ || stops_) return;
  }
  // Why the monitor has hung up may still be there.
  for (const std::string& line : connection.receive(milliseconds(0))) take_answer(line);
}

std::string Reporter::next_batch() {
  std::unique_lock lock(mutex_);
  refill();
  std::string batch;
  while (sent_ < lines_.size() && batch.size() < batch_bytes) batch += lines_[sent_++].text;
  for (; !parts_.empty() && batch.size() < batch_bytes; parts_.pop_front()) {
    batch += parts_.front();
    part_bytes_ -= parts_.front().size();
    if (parts_.size() == 1) changed_.notify_all();
  }
  if (first_lost_ != 0 && overflowed_.empty() && sent_ == lines_.size() && !has_told_loss_) {
    has_told_loss_ = true;
    batch += fmt::format("{{\"lightcone\": 1, \"process\": {}, \"lost\": true}}\n",
                         json_string(options_.process));
    if (std::exchange(has_noted_loss_, true)) return batch;
    lock.unlock();
    tell(
        fmt::format("event {} and those after it could not be kept for the monitor, which will "
                    "not hear of them",
                    first_lost_));
  }
  return batch;
}

void Reporter::take_question(const Json& question) {
  SnapshotQuestion asked;
  std::uint64_t seconds = 0;
  if (!question.is_object() || !question.read("reach", asked.reach) ||
      !question.read("seconds", seconds)) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;  // the last part says it all
    const auto until =
        SteadyClock::now() + std::chrono::seconds(std::min(seconds, longest_question));
    parts_until_ = std::max(parts_until_, until);
  }
  if (answer_) answer_(asked);
}

void Reporter::stop_for_good(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    is_refused_ = true;
  }
  changed_.notify_all();
  tell(why);
}

/// For a reason that passes the process comes again, until that has been so for long.
void Reporter::take_refusal(const Json& answer) {
  const std::string* const text = answer.find("refused")->text();
  const std::string why = text != nullptr ? *text : "";
  bool may_come_again = false;
  const bool is_for_good = !answer.read("again", may_come_again) || !may_come_again;
  if (is_for_good) return stop_for_good("the monitor refuses it: " + why);
  is_refused_now_ = true;
  const auto now = SteadyClock::now();
  if (refused_since_ == SteadyClock::time_point()) {
    refused_since_ = now;
    return tell(
        fmt::format("the monitor refuses it for now: {}; events are kept and sent later", why));
  }
  if (now - refused_since_ < options_.longest_refusal) return;
  stop_for_good(fmt::format(
      "the monitor has refused it for {} s: {}",
      std::chrono::duration_cast<std::chrono::seconds>(now - refused_since_).count(), why));
}

void Reporter::take_answer(std::string_view line) {
  const auto json = Json::parse(line);
  if (!json) return;
  if (json->contains("refused")) return take_refusal(*json);
  if (json->contains("ended")) {
    // It may have ended right after all was stored.
    if (!has_lines()) return;
    return stop_for_good("its execution has ended: the monitor uses no later events");
  }
  if (const Json* question = json->find("snapshot"); question != nullptr) {
    return take_question(*question);
  }
  if (const Json* stored = json->find("stored"); stored != nullptr) take_stored(*stored);
}

void Reporter::take_stored(const Json& stored) {
  std::uint64_t events = 0;
  if (!stored.contains(options_.process) || !stored.read(options_.process, events)) return;
  const std::lock_guard lock(mutex_);
  while (!lines_.empty() && sent_ > 0 && events > 0 && lines_.front().rank <= events) {
    bytes_ -= lines_.front().text.size();
    lines_.pop_front();
    --sent_;
    refused_since_ = {};
    told_trouble_.clear();
  }
  if (is_all_stored()) changed_.notify_all();
}

}  // namespace lightcone
