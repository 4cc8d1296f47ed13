// Which messages an MPI process sends, finds and takes.
#include <lightcone/base/wire.h>

#include <thread>
#include <utility>

#include "calls/mpi_functions.h"
#include "contents/contents_digest.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

void MpiProcess::matched(Communicator& communicator, Receive& receive, const MPI_Status& status) {
  std::unique_lock lock(mutex_);
  settle(lock, communicator, receive, status);
}

/// Gives a receive its number. Where one is in its way that was posted before, and takes messages
/// of the same channel, that one has been matched and is not over yet. A trace can wait for it. Who
/// watches needs the tag now, which is found by the number, and who replays compares the number.
/// They wait for the MPI: it completes what it has matched, whatever this process does.
void MpiProcess::settle(Lock& lock, Communicator& communicator, Receive& receive,
                        const MPI_Status& status) {
  if (!receive.channel) receive.channel = Channel{status.MPI_SOURCE, status.MPI_TAG};
  if (receive.choice && recorder_ && !std::exchange(receive.entered, true)) {
    recorder_->matched(*receive.choice, receive.channel->source, receive.channel->tag);
    ++entries_;
  }
  if (receive.number != 0) return;
  if (!receive.listed) {
    receive.number = communicator.posted.count(*receive.channel);
    return;
  }
  while (!communicator.posted.settle(receive)) {
    Receive* const before = communicator.posted.in_the_way_of(receive);
    if (before == nullptr) return;
    if (peek(communicator, *before)) continue;
    const bool can_wait = watcher_ == nullptr && !replays();
    if (can_wait || requests_.handle_of(*before) == MPI_REQUEST_NULL) return;
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
}

/// Looks what a receive has got that the program has not asked for yet.
bool MpiProcess::peek(Communicator& communicator, Receive& receive) {
  MPI_Request handle = requests_.handle_of(receive);
  if (handle == MPI_REQUEST_NULL || !peeks_) return false;
  int is_over = 0;
  MPI_Status status;
  LIGHTCONE_REAL(Request_get_status)(handle, &is_over, &status);
  if (is_over == 0) return false;
  int was_cancelled = 0;
  LIGHTCONE_REAL(Test_cancelled)(&status, &was_cancelled);
  if (was_cancelled != 0) {
    communicator.posted.forget(receive);
    return true;
  }
  receive.channel = Channel{status.MPI_SOURCE, status.MPI_TAG};
  if (recorder_ && receive.choice && !std::exchange(receive.entered, true)) {
    recorder_->matched(*receive.choice, receive.channel->source, receive.channel->tag);
  }
  return true;
}

void MpiProcess::cancelled(Communicator& communicator, const Receive& receive) {
  const std::lock_guard lock(mutex_);
  communicator.posted.forget(receive);
  if (receive.number != 0) {
    requests_.renumber(communicator, receive);
    communicator.posted.uncount(*receive.channel);
  }
  if (!recorder_) return;
  ++entries_;
  if (receive.choice) return recorder_->cancelled(*receive.choice);
  recorder_->add(NamedCancelled{receive.named});
}

void MpiProcess::found(const char* call, Communicator& communicator, Receive& receive,
                       const MPI_Status& status) {
  {
    const std::lock_guard lock(mutex_);
    if (receive.choice && recorder_) {
      recorder_->matched(*receive.choice, status.MPI_SOURCE, status.MPI_TAG);
    }
  }
  add({.kind = Kind::internal,
       .labels = {call, &communicator.name(), status.MPI_TAG, receive.source == any,
                  receive.tag == any}});
}

void MpiProcess::received(const char* call, Communicator& communicator,
                          const std::shared_ptr<Receive>& receive, const MPI_Status& status,
                          const Buffer& buffer) {
  const ContentsNote contents = keeps_digests() ? note_of(buffer, status) : ContentsNote();
  std::unique_lock lock(mutex_);
  settle(lock, communicator, *receive, status);
  if (Standings* const standings = throttle_.standings()) standings->moved();
  const Channel& channel = *receive->channel;
  MpiMessage message(
      Kind::receive,
      {call, &communicator.name(), channel.tag, receive->source == any, receive->tag == any},
      communicator.spell_from(channel), receive->number, communicator.world_rank(channel.source),
      contents);
  if (keeps_message(receive->number)) return keep(message);
  add(lock, event_of(message, {&communicator.from(channel), receive->number,
                               receive->number == 0 ? receive : nullptr, message.peer}));
  note_wildcard(*receive);
}

/// In the memory of the event before.
MpiEvent& MpiProcess::event_of(const MpiMessage& message, const MessageName& name) {
  const bool sends = message.kind == Kind::send;
  event_.kind = message.kind;
  event_.labels = message.labels;
  event_.sends = sends ? std::optional(name) : std::nullopt;
  event_.takes.assign(sends ? 0 : 1, name);
  event_.to.assign(sends ? 1 : 0, message.peer);
  event_.contents = message.contents;
  return event_;
}

void MpiProcess::received_next(const char* call, Communicator& communicator, int source, int tag,
                               const MPI_Status& status, const Buffer& buffer) {
  const Channel channel{status.MPI_SOURCE, status.MPI_TAG};
  const bool any_source = source == MPI_ANY_SOURCE, any_tag = tag == MPI_ANY_TAG;
  const ContentsNote contents = keeps_digests() ? note_of(buffer, status) : ContentsNote();
  std::unique_lock lock(mutex_);
  if (any_source || any_tag) {
    recorder_->matched_next(channel.source, channel.tag);
    ++entries_;
  }
  MpiMessage message(Kind::receive, {call, &communicator.name(), channel.tag, any_source, any_tag},
                     communicator.spell_from(channel), communicator.posted.count(channel),
                     communicator.world_rank(channel.source), contents);
  if (keeps_message(message.number)) return keep(message);
  add(lock,
      event_of(message, {&communicator.from(channel), message.number, nullptr, message.peer}));
}

/// For `leave_out_matches`, which is called when all processes have ended.
void MpiProcess::note_wildcard(const Receive& receive) {
  if (!notes_wildcards_ || !receive.choice) return;
  WireWriter wire;
  wire.number(receive.begun);
  wire.number(events_);
  recorder_->add(KeptContents{KeptContents::What::awaited, *receive.choice, wire.bytes()});
  ++entries_;
}

void MpiProcess::sent(const char* call, Communicator& communicator, int rank, int tag,
                      const Buffer& data) {
  const ContentsNote contents = keeps_digests() ? note_of(data) : ContentsNote();
  std::unique_lock lock(mutex_);
  const std::uint64_t number = ++communicator.sent[{rank, tag}];
  MpiMessage message(Kind::send, {call, &communicator.name(), tag},
                     communicator.spell_to(rank, tag), number, communicator.world_rank(rank),
                     contents);
  if (keeps_message(number)) return keep(message);
  add(lock, event_of(message, {&communicator.to(rank, tag), number}));
}

}  // namespace lightcone::mpi
