// A computation made ready to be shown: who receives each message, and where events stand.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/view/space_time_axis.h>

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace lightcone {

/// What pictures and answers about one computation share. Any number of threads may use it.
class SpaceTime {
 public:
  /// The computation must outlive it.
  explicit SpaceTime(const Computation& computation);

  [[nodiscard]] const Computation& computation() const { return *computation_; }
  /// All pairs of a send and a receive, by receiving event.
  [[nodiscard]] std::span<const MessageEdge> edges() const { return edges_; }
  /// Returns the edges of this message, by receiving event.
  [[nodiscard]] std::vector<MessageEdge> edges_of(MessageIndex message) const;
  /// Returns whether someone receives the message.
  [[nodiscard]] bool is_received(MessageIndex message) const {
    return edges_begin_[message] < edges_begin_[message + 1];
  }
  /// Calls `function` with each event that receives a message of this event.
  template <class Function>
  void for_each_receiver(EventIndex send, Function function) const {
    const MessageIndex message = computation_->sends(send);
    if (message == none) return;
    for (std::uint32_t i = edges_begin_[message]; i < edges_begin_[message + 1]; ++i) {
      function(edges_[by_message_[i]].receive);
    }
  }

  /// Returns whether at least one event says when it happened.
  [[nodiscard]] bool has_times() const { return has_times_; }
  /// The axis of this kind, which is computed when it is first asked for.
  [[nodiscard]] const SpaceTimeAxis& axis(AxisKind kind) const;

 private:
  const Computation* computation_;
  std::vector<MessageEdge> edges_;
  std::vector<std::uint32_t> edges_begin_;  // of each message in by_message_, and the end
  std::vector<std::uint32_t> by_message_;   // edges, by message
  bool has_times_ = false;
  mutable std::mutex mutex_;
  mutable std::array<std::unique_ptr<const SpaceTimeAxis>, 3> axes_;  // by kind
};

}  // namespace lightcone
