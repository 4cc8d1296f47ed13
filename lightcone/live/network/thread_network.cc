// Queues under one lock.
#include <lightcone/network.h>

#include <utility>

namespace lightcone {

ThreadNetwork::ThreadNetwork(std::optional<std::uint64_t> unruly) {
  if (unruly) random_.emplace(*unruly);
}

std::deque<Parcel>& ThreadNetwork::mailbox(std::string_view name) {
  if (last_ == nullptr || last_->first != name) {
    auto known = mailboxes_.find(name);
    if (known == mailboxes_.end()) known = mailboxes_.try_emplace(std::string(name)).first;
    last_ = &*known;
  }
  return last_->second;
}

void ThreadNetwork::send(std::string_view to, Parcel parcel) {
  {
    const std::lock_guard lock(mutex_);
    mailbox(to).push_back(std::move(parcel));
  }
  arrived_.notify_all();
}

/// The next parcel, if there is one.
std::optional<Parcel> ThreadNetwork::take(std::deque<Parcel>& mailbox) {
  if (mailbox.empty()) return std::nullopt;
  const std::size_t chosen = random_ ? (*random_)() % mailbox.size() : 0;
  if (chosen != 0) std::swap(mailbox.front(), mailbox[chosen]);
  std::optional<Parcel> parcel(std::move(mailbox.front()));
  mailbox.pop_front();
  return parcel;
}

std::optional<Parcel> ThreadNetwork::receive(std::string_view receiver) {
  std::unique_lock lock(mutex_);
  std::deque<Parcel>& waiting = mailbox(receiver);
  arrived_.wait(lock, [&] { return closed_ || !waiting.empty(); });
  return take(waiting);
}

std::optional<Parcel> ThreadNetwork::receive_within(std::chrono::nanoseconds patience,
                                                    std::string_view receiver) {
  std::unique_lock lock(mutex_);
  std::deque<Parcel>& waiting = mailbox(receiver);
  arrived_.wait_for(lock, patience, [&] { return closed_ || !waiting.empty(); });
  return take(waiting);
}

std::optional<Parcel> ThreadNetwork::try_receive(std::string_view receiver) {
  const std::lock_guard lock(mutex_);
  return take(mailbox(receiver));
}

void ThreadNetwork::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  arrived_.notify_all();
}

}  // namespace lightcone
