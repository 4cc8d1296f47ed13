// One thread per process speaks to the monitor; the process only adds to a queue.
#include <lightcone/live/report/reporter.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <lightcone/base/json.h>
#include <lightcone/base/json_text.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace lightcone {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds longest_pause{2000};
constexpr milliseconds shortest_pause{50};
constexpr milliseconds longest_farewell{2000}, longest_farewell_in_all{30'000};
constexpr std::size_t batch_bytes = 256 << 10;
constexpr std::size_t longest_part = 512 << 10, most_part_bytes = 16 << 20;
constexpr std::uint64_t longest_question = 3600;  // seconds

}  // namespace

/// A socket to the monitor. It never waits longer than it is told.
class Reporter::Connection {
 public:
  Connection(const std::string& host, const std::string& port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return;
    for (const addrinfo* one = found; one != nullptr && !is_open(); one = one->ai_next) {
      connect_to(*one);
    }
    ::freeaddrinfo(found);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(); }

  [[nodiscard]] bool is_open() const { return socket_ >= 0; }
  /// Sends all of it, if the monitor takes it before long.
  void send(std::string_view bytes) {
    while (is_open() && !bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if ((errno != EAGAIN && errno != EINTR) || !wait(POLLOUT, milliseconds(10'000))) {
        close();
      }
    }
  }
  /// The lines that have come.
  [[nodiscard]] std::vector<std::string> receive(milliseconds patience) {
    std::vector<std::string> lines;
    if (!is_open() || !wait(POLLIN, patience)) return lines;
    char buffer[4096];
    const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) close();
    if (size > 0) rest_.append(buffer, static_cast<std::size_t>(size));
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      lines.push_back(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
    return lines;
  }

 private:
  void connect_to(const addrinfo& address) {
    socket_ = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0 || ::connect(socket_, address.ai_addr, address.ai_addrlen) == 0) return;
    int error = errno;
    socklen_t size = sizeof error;
    if (error == EINPROGRESS && wait(POLLOUT, milliseconds(1000))) {
      ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error != 0) close();
  }
  [[nodiscard]] bool wait(short events, milliseconds patience) const {
    pollfd waits{socket_, events, 0};
    return ::poll(&waits, 1, static_cast<int>(patience.count())) > 0;
  }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  int socket_ = -1;
  std::string rest_;
};

Expected<std::unique_ptr<Reporter>> Reporter::start(ReporterOptions options) {
  std::string address = options.address;
  constexpr std::string_view scheme = "tcp://";
  if (address.starts_with(scheme)) address.erase(0, scheme.size());
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon + 1 == address.size()) {
    return failure(fmt::format("`{}` is not the address of a monitor", options.address), {}, 0,
                   "write HOST:PORT, as `lightcone monitor --listen` says");
  }
  std::unique_ptr<Reporter> reporter(new Reporter(std::move(options)));
  reporter->host_ = address.substr(0, colon);
  if (reporter->host_.starts_with('[') && reporter->host_.ends_with(']')) {  // IPv6
    reporter->host_ = reporter->host_.substr(1, reporter->host_.size() - 2);
  }
  reporter->port_ = address.substr(colon + 1);
  if (reporter->host_.empty()) reporter->host_ = "127.0.0.1";
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
  milliseconds pause = shortest_pause;
  bool has_told = false;  // since it was there
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      // Once there was an event, the monitor may ask at any time.
      changed_.wait(lock, [&] { return stops_ || next_rank_ > 0; });
      if (stops_ && lines_.empty()) return;
    }
    Connection connection(host_, port_);
    if (connection.is_open()) {
      has_told = false;
      pause = shortest_pause;
      speak(connection);
      const std::lock_guard lock(mutex_);
      is_connected_ = false;
      changed_.notify_all();
    } else if (!has_told && has_lines()) {
      has_told = true;
      tell(fmt::format("the monitor at {} is not there; events are kept and sent later",
                       options_.address));
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, pause, [&] {
      return stops_ || is_refused_ || (is_ending_ && pause > shortest_pause);
    });
    if (stops_ || is_refused_) return;
    pause = is_ending_ ? shortest_pause : std::min(pause * 2, longest_pause);
  }
}

void Reporter::speak(Connection& connection) {
  {
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
    heading += fmt::format(", \"process\": {}, \"from\": {}, \"snapshots\": true}}\n",
                           json_string(options_.process), std::max<std::uint64_t>(1, next));
    connection.send(heading);
  }
  while (connection.is_open()) {
    const std::string batch = next_batch();
    connection.send(batch);
    for (const std::string& line : connection.receive(milliseconds(batch.empty() ? 20 : 0))) {
      take_answer(line);
    }
    const std::lock_guard lock(mutex_);
    if (is_refused_ || stops_) return;
  }
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

void Reporter::take_answer(std::string_view line) {
  const auto json = Json::parse(line);
  if (!json) return;
  if (const Json* why = json->find("refused"); why != nullptr) {
    return stop_for_good("the monitor refuses it: " + (why->text() != nullptr ? *why->text() : ""));
  }
  if (json->contains("ended")) {
    // It may have ended right after all was stored.
    if (!has_lines()) return;
    return stop_for_good("its execution has ended: the monitor uses no later events");
  }
  if (const Json* question = json->find("snapshot"); question != nullptr) {
    return take_question(*question);
  }
  const Json* const stored = json->find("stored");
  std::uint64_t events = 0;
  if (stored == nullptr || !stored->contains(options_.process) ||
      !stored->read(options_.process, events)) {
    return;
  }
  const std::lock_guard lock(mutex_);
  while (!lines_.empty() && sent_ > 0 && events > 0 && lines_.front().rank <= events) {
    bytes_ -= lines_.front().text.size();
    lines_.pop_front();
    --sent_;
  }
  if (is_all_stored()) changed_.notify_all();
}

}  // namespace lightcone
