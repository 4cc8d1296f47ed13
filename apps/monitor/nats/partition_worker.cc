// Reads messages, publishes verdicts, stores states.
#include "nats/partition_worker.h"

#include <fmt/format.h>
#include <lightcone/base/json_text.h>
#include <lightcone/trace/digest.h>

namespace lightcone::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_saves{1000}, after_trouble{200}, longest_wait{250};
constexpr std::size_t largest_state = 900 << 10;  // a message of NATS has at most 1 MiB
constexpr std::uint64_t removed_at_a_time = 200;

}  // namespace

PartitionWorker::PartitionWorker(NatsLink& link, PropertyFile properties, WorkerOptions options)
    : link_(link),
      properties_(std::move(properties)),
      options_(std::move(options)),
      verdict_subject_(link.names().verdicts_of(options_.partition.number)),
      event_subject_(link.names().events_of(options_.partition.number)),
      state_key_(StreamNames::state_key(options_.partition.number)),
      thread_([this] { run(); }) {}

PartitionWorker::~PartitionWorker() {
  end_soon();
  thread_.join();
}

void PartitionWorker::end_soon() {
  const std::lock_guard lock(mutex_);
  stops_ = true;
  changed_.notify_all();
}

std::shared_ptr<const Partition> PartitionWorker::partition() const {
  const std::lock_guard lock(mutex_);
  return partition_;
}

void PartitionWorker::rest(milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [&] { return stops_; });
}

void PartitionWorker::run() {
  std::string told;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (stops_) return;
    }
    const auto owned = is_owned();
    if (owned && !*owned) break;
    const auto worked = owned ? work() : failure(owned.error());
    if (worked) return;
    // The same trouble is told once.
    if (std::exchange(told, worked.error().what) != told && options_.partition.note) {
      options_.partition.note(fmt::format("partition {}: {}; begins again from what is stored",
                                          options_.partition.number, worked.error().what));
    }
    rest(after_trouble);
  }
  is_done_ = true;
}

Expected<bool> PartitionWorker::is_owned() {
  const auto owner = link_.get(StreamNames::owner_key(options_.partition.number));
  if (!owner) return failure(owner.error());
  return *owner && (*owner)->value == options_.monitor;
}

/// Counts the verdicts of each execution after this one.
Expected<Partition::Told> PartitionWorker::told_since(std::uint64_t verdict) {
  const std::string stream = link_.names().verdicts();
  const auto last = link_.last_of(stream, verdict_subject_);
  if (!last) return failure(last.error());
  last_verdict_ = *last;
  Partition::Told told;
  if (*last <= verdict) return told;
  const auto read =
      link_.read(stream, verdict_subject_, verdict + 1, *last, [&](const StreamMessage& message) {
        if (const auto name = name_in(message.bytes)) ++told[name->execution];
      });
  if (!read) return failure(read.error());
  return told;
}

Expected<void> PartitionWorker::take_up() {
  const auto stored = link_.get(state_key_);
  if (!stored) return failure(stored.error());
  PartitionState state;
  revision_ = 0;
  if (*stored) {
    const auto read = partition_state_of((*stored)->value);
    if (!read) return failure("what is stored of it is damaged", state_key_);
    state = *read;
    revision_ = (*stored)->revision;
  }
  auto told = told_since(state.verdicts);
  if (!told) return failure(told.error());
  saved_next_ = state.next;
  auto partition = std::make_shared<Partition>(properties_, options_.partition, std::move(state),
                                               std::move(*told));
  const std::lock_guard lock(mutex_);
  partition_ = std::move(partition);
  return {};
}

Expected<void> PartitionWorker::work() {
  if (auto taken = take_up(); !taken) return taken;
  auto consumer = NatsConsumer::start(link_, options_.partition.number, partition_->first_needed());
  if (!consumer) return failure(consumer.error());
  for (auto next_save = Clock::now() + between_saves;;) {
    {
      const std::lock_guard lock(mutex_);
      if (stops_) break;
    }
    if (auto decided = decide_next(**consumer); !decided) return decided;
    if (Clock::now() < next_save) continue;
    if (auto saved = save(); !saved) return failure(saved.error());
    if (auto ended = end_quiet(); !ended) return ended;
    for (const std::string& sentence : partition_->news_of_silence(Clock::now())) {
      options_.partition.note(sentence);
    }
    next_save = Clock::now() + between_saves;
  }
  if (auto saved = save(); !saved) return failure(saved.error());
  return {};
}

/// Many messages at a time are fetched only where there is room for them. Which messages an
/// execution waits for, nobody knows, so that the partition is read on in any case.
Expected<void> PartitionWorker::decide_next(NatsConsumer& consumer) {
  const bool is_behind = consumer.pending() > 0;
  const auto share = is_behind ? options_.room->take(longest_wait) : FetchRoom::Share();
  if (is_behind && !share) return {};
  const auto now = Clock::now();
  auto messages = is_behind ? consumer.fetch_pending(FetchRoom::share_bytes) : consumer.fetch_one();
  if (!messages) return failure(messages.error());
  if (consumer.pending() == 0) caught_up_ = now;
  for (StreamMessage& message : *messages) {
    if (auto decided = decide(message); !decided) return decided;
    message = {};
  }
  consumer.acknowledge();
  pending_ = consumer.pending();
  return {};
}

Expected<void> PartitionWorker::decide(const StreamMessage& message) {
  const bool is_again = message.sequence < saved_next_;
  partition_->take(message);
  if (auto told = tell_verdicts(message.sequence); !told) return told;
  // Whoever takes the partition over has to know what was given up.
  if (is_again || is_too_large_ || !partition_->plan_to_give_up()) return {};
  const auto saved = save();
  if (!saved) return failure(saved.error());
  if (!*saved) return failure("what is given up cannot be stored");
  partition_->give_up();
  return tell_verdicts(message.sequence);
}

/// A verdict is published only after all that were published before it are known: of two monitors
/// that both think that they own the partition, one fails here.
Expected<void> PartitionWorker::tell_verdicts(std::uint64_t message) {
  for (const VerdictLog::Line& line : partition_->verdicts()) {
    OutgoingMessage verdict{.subject = verdict_subject_, .bytes = line.json};
    verdict.id = fmt::format("{}-{:016x}-{}", message, digest_of(line.execution), line.number);
    const auto published = link_.publish_after(verdict, last_verdict_);
    if (!published) return failure(published.error());
    if (!*published) return failure("another monitor tells its verdicts");
    last_verdict_ = **published;
    if (options_.show) options_.show(line);
  }
  return {};
}

/// Says so in the stream, where everybody who reads it again finds the end at the same place.
Expected<void> PartitionWorker::end_quiet() {
  for (const auto& [execution, is_trace] :
       partition_->quiet(caught_up_, options_.quiet, options_.quiet_trace)) {
    const OutgoingMessage end{
        .subject = event_subject_,
        .bytes = fmt::format("{{\"lightcone\": 1, \"execution\": {}, \"{}\": true}}\n",
                             json_string(execution), is_trace ? "quiet" : "end")};
    if (auto published = link_.publish(end); !published) return published;
  }
  return {};
}

Expected<bool> PartitionWorker::save() {
  const PartitionState state = partition_->state(last_verdict_);
  if (state.next == saved_next_) return true;
  const std::string bytes = bytes_of(state);
  if (bytes.size() > largest_state) {
    if (!std::exchange(is_too_large_, true)) {
      options_.partition.note(
          fmt::format("partition {}: its state is too large to be stored; a monitor that takes it "
                      "over reads more messages again",
                      options_.partition.number));
    }
    return false;
  }
  is_too_large_ = false;
  const auto revision = link_.put_after(state_key_, bytes, revision_);
  if (!revision) return failure(revision.error());
  if (!*revision) return failure("another monitor has stored how far it is");
  revision_ = **revision;
  saved_next_ = state.next;
  const std::uint64_t first = state.first_needed();
  if (first < removed_ + removed_at_a_time) return true;
  removed_ = first;
  auto removed = link_.remove_before(link_.names().events(), event_subject_, first);
  if (!removed) return failure(removed.error());
  return true;
}

}  // namespace lightcone::service
