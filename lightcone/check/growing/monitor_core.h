// Behind Monitor: what is known of each process and message of a computation that grows.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/check/growing/first_places.h>
#include <lightcone/check/growing/growing_global.h>
#include <lightcone/check/growing/growing_messages.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/monitor.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/inspection.h>
#include <tsl/robin_set.h>

#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Lets each event happen when the messages that it takes have been sent, and tells all riders.
class Monitor::Core {
 public:
  Core(PropertyFile properties, MonitorOptions options);

  void add_process(std::string_view name) { (void)process(name); }
  void close_processes();
  [[nodiscard]] Expected<void> add(const MonitoredEvent& event);
  [[nodiscard]] Expected<Report> finish(const MonitorEnd& end);
  [[nodiscard]] const PropertyFile& properties() const { return file_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  [[nodiscard]] std::size_t messages_kept() const { return messages_.kept(); }
  [[nodiscard]] std::vector<MonitorWait> waits() const;

 private:
  using MessageSlot = GrowingMessages::Index;
  static constexpr MessageSlot no_message = GrowingMessages::forgotten;

  /// What is read only by local predicates about the event itself.
  struct EventWords {
    std::optional<std::string> text = {}, source = {};
    double time = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> messages = {};
  };
  /// What an event says, with its names looked up.
  struct Event {
    Kind kind = Kind::internal;
    std::uint32_t line = 0;
    NameSetIndex label_set = 0;
    std::vector<Assignment> assignments = {};
    std::vector<NameIndex> new_variables = {};  // that no event before has assigned
    std::vector<MessageSlot> takes = {};
    MessageSlot sends = no_message;
    std::vector<std::string> to = {};
    bool lost_a_message = false;
    bool assigns_text = false;
    std::unique_ptr<EventWords> words = {};  // where they are read
  };
  struct Process {
    Process(std::string_view its_name, ProcessIndex index, Lrdag& equations)
        : name(its_name), lrdag(equations), clock(index) {}
    std::string_view name;
    LrdagRider lrdag;
    std::vector<LongestFlowRider> longest = {};  // one per alphabet
    VectorClockRider clock;
    bool is_exact = true;  // nothing is lost in its past
    bool has_started = false;
    bool has_spoken = false;
    Rank rank = 0;
    std::deque<Event> queue = {};  // the first waits for a message, the others for the first
  };

  [[nodiscard]] ProcessIndex process(std::string_view name);
  [[nodiscard]] Event looked_up(const MonitoredEvent& event);
  [[nodiscard]] Expected<void> look_up_messages(const MonitoredEvent& event, ProcessIndex index,
                                                Event& known);
  void advance(ProcessIndex first);
  [[nodiscard]] bool must_wait(ProcessIndex index);
  void note_names(const Event& event);
  [[nodiscard]] static std::unique_ptr<EventWords> words_of(const MonitoredEvent& event);
  [[nodiscard]] StateContent content_of(const Event& event);
  [[nodiscard]] bool is_given_up(std::uint32_t property) const;
  void start(ProcessIndex index, const Event& event);
  void step(ProcessIndex index, const Event& event);
  void send(ProcessIndex index, const Event& event);
  void take(ProcessIndex index, const Event& event);
  void look_at_lrdag(ProcessIndex index, Scene scene, NameSetIndex labels);
  void look_at_longest(ProcessIndex index, Scene scene, NameSetIndex labels);
  void note(std::uint32_t property, bool found, ProcessIndex index, NameSetIndex labels);
  void step_globals(ProcessIndex index, const Event& event);
  void tell_of_globals();

  [[nodiscard]] Expected<void> end_waiting(const MonitorEnd& end);
  [[nodiscard]] Expected<void> check_waiting(Unsent unsent) const;
  void forget_unsent();
  [[nodiscard]] TraceNames trace_names() const;
  [[nodiscard]] GlobalFinding finding_of(const GrowingGlobal& global) const;
  [[nodiscard]] PropertyReport report_of(std::uint32_t index);

  PropertyFile file_;
  CompiledProperties properties_;
  MonitorOptions options_;
  Names names_;        // of labels, variables and texts
  std::size_t named_;  // so many of them are of the properties
  NameSets label_sets_;
  Observer observer_;
  Lrdag lrdag_;
  std::vector<std::unique_ptr<LongestFlows>> flows_;  // outlive all riders and tags
  Names process_names_;
  std::deque<Process> processes_;
  GrowingMessages messages_;
  std::vector<ProcessIndex> ready_;
  std::size_t waiting_ = 0;
  std::uint64_t events_ = 0;
  std::vector<FoundPlaces> found_;                       // by property
  std::vector<std::unique_ptr<GrowingGlobal>> globals_;  // by property; null for others
  bool has_globals_ = false;
  bool reads_words_ = false;
  std::vector<std::string_view> message_views_;     // of the state that is looked at
  std::set<std::string> members_;                   // what is said of unknown members
  std::set<NameIndex> labels_, variables_, texts_;  // of states that have happened
  tsl::robin_set<NameSetIndex> happened_sets_;      // of their labels
  ReceivesWithoutSend without_send_;                // places are not told apart
  std::size_t received_too_late_ = 0;               // of messages that had been forgotten
  Report report_;
};

}  // namespace lightcone
