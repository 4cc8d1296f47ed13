// Rides through a computation that is still growing, and tells what it finds as events arrive.
#pragma once

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/longest_flow_rider.h>
#include <lightcone/riders/lrdag_rider.h>

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// An event of a growing computation, or (Kind::initial) the initial state of a process. A call
/// copies what it needs.
struct GrowingEvent {
  std::string_view process;
  Kind kind = Kind::internal;
  std::span<const std::string_view> labels = {};
  std::span<const std::pair<std::string_view, SpelledValue>> variables = {};
  std::span<const std::string_view> takes = {};  ///< the messages it receives
  std::string_view sends = {};                   ///< a view without data: none
};

/// A place at which a property was found; of a `require`, at which it is missing.
struct Sighting {
  std::uint32_t property = 0;
  std::string_view process;
  Rank rank = 0;  ///< 0: the initial state
  std::vector<std::string_view> labels;
};

/// Riders for every process, which are told of events in the order of each process, processes
/// interleaved in any way. An event that takes a message whose send has not been told of yet waits,
/// and its process with it. Whether all this is a computation is for a Builder to find out: here,
/// what can never happen waits for ever, only the first of several sends of a message counts, and
/// an initial state after an event is ignored. The tags of all messages are kept, since any may be
/// received once more.
class GrowingRide {
 public:
  using Tell = std::function<void(const Sighting&)>;

  GrowingRide(CompiledProperties properties, Tell tell);

  /// Names a process before its first event.
  void add_process(std::string_view name) { (void)process(name); }
  void add(const GrowingEvent& event);
  /// No event follows: processes without any show their initial states. Where `lenient`, receives
  /// of messages that were never sent become internal events.
  void finish(bool lenient = false);

  [[nodiscard]] const CompiledProperties& properties() const { return properties_; }
  /// Returns how many events wait for a message.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

 private:
  /// What an event says, with its names looked up.
  struct Event {
    Kind kind = Kind::internal;
    NameSetIndex label_set = 0;
    std::vector<Assignment> assignments;
    std::vector<MessageIndex> takes;
    MessageIndex sends = none;
  };
  struct Process {
    Process(std::string_view its_name, Lrdag& equations) : name(its_name), lrdag(equations) {}
    std::string_view name;
    LrdagRider lrdag;
    std::vector<LongestFlowRider> longest;  // one per alphabet
    bool started = false;
    Rank rank = 0;
    std::deque<Event> queue;  // the first waits for a message, the others for the first
  };
  struct Message {
    bool sent = false;
    LrdagTag lrdag;
    std::vector<LongestFlowTag> longest;
    std::vector<ProcessIndex> waiting;  // their first events do
  };

  [[nodiscard]] ProcessIndex process(std::string_view name);
  [[nodiscard]] MessageIndex message(std::string_view name);
  [[nodiscard]] Event looked_up(const GrowingEvent& event);
  void advance(ProcessIndex first);
  [[nodiscard]] bool must_wait(ProcessIndex index);
  [[nodiscard]] Scene scene_of(ProcessIndex index, const Event& event);
  void start(ProcessIndex index, const Event& event);
  void step(ProcessIndex index, const Event& event);
  void send(const Process& from, MessageIndex index);
  void forget_unsent();
  void look_at_lrdag(const Process& at, Scene scene, NameSetIndex labels);
  void look_at_longest(const Process& at, Scene scene, NameSetIndex labels);
  void tell(std::uint32_t property, bool found, const Process& at, NameSetIndex labels) const;

  CompiledProperties properties_;
  Tell tell_;
  Names names_;  // of labels, variables and texts
  NameSets label_sets_;
  Observer observer_;
  Lrdag lrdag_;
  std::vector<std::unique_ptr<LongestFlows>> flows_;  // outlive all riders and tags
  Names process_names_, message_names_;
  std::deque<Process> processes_;
  std::deque<Message> messages_;
  std::vector<ProcessIndex> ready_;
  std::size_t waiting_ = 0;
};

}  // namespace lightcone
