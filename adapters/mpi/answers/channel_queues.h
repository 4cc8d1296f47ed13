// Messages that wait for their turn, by the channels that they came from.
#pragma once

#include <cstdint>
#include <list>
#include <utility>

#include "calls/posted_receives.h"

namespace lightcone::mpi {

/// Keeps messages until they are asked for. Those of one channel are given in the order in which
/// they came, and so are those of several channels to one who asks for any of them.
template <class Message>
class ChannelQueues {
 public:
  /// Returns the message where it stays until it is taken.
  Message& add(const Channel& from, Message message) {
    Queue& queue = by_channel_.try_emplace(from.key(), Queue{from, {}}).first.value();
    queue.entries.push_back({++came_, std::move(message)});
    return queue.entries.back().message;
  }
  /// The message that came first of those from there; null if there is none. Either may be `any`.
  [[nodiscard]] Message* find(int source, int tag) {
    Queue* const queue = queue_of(source, tag);
    return queue == nullptr ? nullptr : &queue->entries.front().message;
  }
  /// Takes out what `find` finds, which is there.
  [[nodiscard]] Message take(int source, int tag) {
    Queue& queue = *queue_of(source, tag);
    Message message = std::move(queue.entries.front().message);
    queue.entries.pop_front();
    if (queue.entries.empty() && by_channel_.size() > most_empty) {
      by_channel_.erase(queue.from.key());
    }
    return message;
  }

 private:
  static constexpr std::size_t most_empty = 64;
  struct Entry {
    std::uint64_t number;  // in the order in which they came
    Message message;
  };
  struct Queue {
    Channel from;
    std::list<Entry> entries;
  };

  [[nodiscard]] Queue* queue_of(int source, int tag) {
    if (source != any && tag != any) {
      const auto place = by_channel_.find(Channel{source, tag}.key());
      const bool is_there = place != by_channel_.end() && !place->second.entries.empty();
      return is_there ? &place.value() : nullptr;
    }
    const Receive wanted{source, tag};
    Queue* first = nullptr;
    for (auto place = by_channel_.begin(); place != by_channel_.end(); ++place) {
      Queue& queue = place.value();
      if (queue.entries.empty() || !wanted.accepts(queue.from)) continue;
      const bool is_first =
          first == nullptr || queue.entries.front().number < first->entries.front().number;
      if (is_first) first = &queue;
    }
    return first;
  }

  tsl::robin_map<std::uint64_t, Queue, KeyHash> by_channel_;
  std::uint64_t came_ = 0;
};

}  // namespace lightcone::mpi
