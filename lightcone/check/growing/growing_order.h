// Brings the events of a growing computation into a causal order.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/causal/layout.h>
#include <lightcone/check/growing/growing_event.h>
#include <lightcone/check/growing/growing_messages.h>
#include <lightcone/riders/clocks/vector_clock_rider.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Lets each event happen when the messages that it takes have been sent. Knows how far each
/// process has come, and what it knows of others.
class GrowingOrder {
 public:
  struct Process {
    Process(std::string_view its_name, ProcessIndex index) : name(its_name), clock(index) {}
    std::string_view name;
    VectorClockRider clock;
    bool is_exact = true;  ///< nothing is lost in its past
    bool has_started = false;
    bool has_spoken = false;
    Rank rank = 0;
    std::deque<GrowingEvent> queue = {};  ///< the first waits for a message, the others for it
  };
  /// An event happens, and takes messages with these tags. Returns what the riders put on the
  /// message that leaves, if one does.
  using Happens = std::function<GrowingTag(ProcessIndex, const GrowingEvent&,
                                           std::span<const GrowingTag* const> taken)>;

  /// `file` is for error messages. `messages` has none yet.
  GrowingOrder(std::string file, bool keeps_clocks, GrowingMessages messages, Happens happens);

  void add_process(std::string_view name) {
    processes_.emplace_back(name, static_cast<ProcessIndex>(processes_.size()));
  }
  /// Finds the messages, and refuses what no execution does with them.
  [[nodiscard]] Expected<void> look_up_messages(const MonitoredEvent& event, ProcessIndex index,
                                                GrowingEvent& known);
  /// Lets it happen, and what it sets free, or lets it wait.
  void add(ProcessIndex index, GrowingEvent event);

  /// At the end: what no event sends, not even one that waits, is taken by none.
  void forget_unsent();
  /// Returns whether the events that wait can be part of a computation at all.
  [[nodiscard]] Expected<void> check_waiting(Unsent unsent) const;

  [[nodiscard]] std::deque<Process>& processes() { return processes_; }
  [[nodiscard]] const std::deque<Process>& processes() const { return processes_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  /// The processes whose next events wait, each with a message that it waits for.
  [[nodiscard]] std::vector<MonitorWait> waits() const;
  [[nodiscard]] std::size_t messages_kept() const { return messages_.kept(); }
  /// Returns about how much memory messages, events that wait and processes take.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// Receives of messages that had been forgotten.
  [[nodiscard]] std::size_t received_too_late() const { return received_too_late_; }
  /// What `forget_unsent` did. Places are not told apart.
  [[nodiscard]] const ReceivesWithoutSend& without_send() const { return without_send_; }

 private:
  void advance(ProcessIndex first);
  [[nodiscard]] bool must_wait(ProcessIndex index);
  void happen(ProcessIndex index, const GrowingEvent& event);
  void learn(Process& here, const GrowingEvent& event);
  void send(const Process& from, const GrowingEvent& event, GrowingTag tag);

  std::string file_;
  bool keeps_clocks_;
  Happens happens_;
  std::deque<Process> processes_;
  GrowingMessages messages_;
  std::vector<ProcessIndex> ready_;
  std::size_t waiting_ = 0, waiting_bytes_ = 0;  // events, and bytes of their names and texts
  std::uint64_t events_ = 0;
  std::size_t received_too_late_ = 0;
  ReceivesWithoutSend without_send_;
};

/// Returns the error that a builder gives for the event, because of this message: it is sent or
/// received a second time, or the initial state comes too late.
[[nodiscard]] Error refusal(const MonitoredEvent& event, LayoutError::Why why,
                            std::string_view message, const std::string& file);

}  // namespace lightcone
