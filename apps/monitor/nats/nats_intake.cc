// One thread publishes, as many arrivals at a time as there are.
#include "nats/nats_intake.h"

#include <fmt/format.h>
#include <lightcone/base/json.h>

#include <utility>

namespace lightcone::service {
namespace {

constexpr std::size_t message_bytes = 256 << 10;
constexpr std::chrono::milliseconds between_trials{100};
constexpr std::chrono::seconds longest_farewell{5};

}  // namespace

NatsIntake::NatsIntake(NatsLink& link, NatsIntakeOptions options)
    : link_(link),
      options_(std::move(options)),
      writer_(options_.partitions, message_bytes),
      thread_([this] { run(); }) {}

NatsIntake::~NatsIntake() {
  end_soon();
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void NatsIntake::end_soon() {
  const std::lock_guard lock(mutex_);
  if (end_ == ArrivalTime::max()) end_ = std::chrono::steady_clock::now() + longest_farewell;
  changed_.notify_all();
}

bool NatsIntake::is_too_late() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::steady_clock::now() >= end_;
}

std::size_t NatsIntake::queued() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

void NatsIntake::offer(Arrival arrival) {
  const std::size_t bytes = arrival.bytes();
  std::unique_lock lock(mutex_);
  const auto has_room = [&] { return queued_ == 0 || queued_ + bytes <= options_.queued_bytes; };
  while (!has_room() && std::chrono::steady_clock::now() < end_) {
    changed_.wait_for(lock, between_trials);
  }
  // Whoever is not answered sends it again.
  if (!has_room()) return;
  queued_ += bytes;
  ++offered_;
  arrivals_.push_back(std::move(arrival));
  changed_.notify_all();
}

void NatsIntake::settle() {
  std::unique_lock lock(mutex_);
  const std::uint64_t offered = offered_;
  while (stored_ < offered && std::chrono::steady_clock::now() < end_) {
    changed_.wait_for(lock, between_trials);
  }
}

void NatsIntake::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stops_ || !arrivals_.empty(); });
    if (arrivals_.empty()) return;
    const std::deque<Arrival> arrivals = std::exchange(arrivals_, {});
    lock.unlock();
    std::size_t bytes = 0;
    for (const Arrival& arrival : arrivals) {
      writer_.add(arrival);
      bytes += arrival.bytes();
    }
    bool is_stored = true;
    for (const MessageWriter::Message& message : writer_.take()) {
      is_stored = is_stored && publish(message);
    }
    if (is_stored) writer_.tell_clients();
    lock.lock();
    queued_ -= bytes;
    stored_ += arrivals.size();
    lock.unlock();
    changed_.notify_all();
    if (!is_stored) return;
  }
}

/// False: this monitor ends, and the stream is not there.
bool NatsIntake::publish(const MessageWriter::Message& message) {
  const Fate fate = try_to_publish(message);
  return fate == Fate::stored || (fate == Fate::not_known && tell_loss(message));
}

/// Nobody knows whether the stream has these lines. Their processes are not used from there on.
bool NatsIntake::tell_loss(const MessageWriter::Message& message) {
  MessageWriter::Message loss{.partition = message.partition, .client = message.client};
  for (const auto& [execution, process] : message.unranked) {
    loss.bytes +=
        Json{{"lightcone", 1}, {"execution", execution}, {"process", process}, {"lost", true}}
            .dump() +
        '\n';
    options_.note(
        fmt::format("execution `{}`: the stream was away for too long to send lines of "
                    "`{}` again, which have no ranks: nothing more of it is used",
                    execution, process));
  }
  return try_to_publish(loss) == Fate::stored;
}

NatsIntake::Fate NatsIntake::try_to_publish(const MessageWriter::Message& message) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      message.unranked.empty() ? Clock::time_point::max() : Clock::now() + options_.unranked_trial;
  const OutgoingMessage outgoing{.subject = link_.names().events_of(message.partition),
                                 .id = fmt::format("{}-{}", options_.monitor, ++messages_),
                                 .client = message.client,
                                 .bytes = message.bytes,
                                 .is_spans = message.is_spans};
  for (;;) {
    const auto published = link_.publish(outgoing);
    if (published) {
      if (std::exchange(is_in_trouble_, false)) options_.note("events are stored again");
      return Fate::stored;
    }
    if (!std::exchange(is_in_trouble_, true)) {
      options_.note(published.error().what + "; clients wait until it can");
    }
    if (is_too_late()) return Fate::not_stored;
    if (Clock::now() >= end) return Fate::not_known;
    std::this_thread::sleep_for(between_trials);
  }
}

}  // namespace lightcone::service
