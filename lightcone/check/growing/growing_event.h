// Events of a growing computation, with their names looked up.
#pragma once

#include <lightcone/check/growing/growing_messages.h>
#include <lightcone/monitor.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/states/local_expressions.h>
#include <tsl/robin_set.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What an event says.
struct GrowingEvent {
  static constexpr GrowingMessages::Index no_message = GrowingMessages::forgotten;

  /// What is read only by local predicates about the event itself.
  struct Words {
    std::optional<std::string> text = {}, source = {};
    std::vector<std::string> messages = {};
  };

  Kind kind = Kind::internal;
  std::uint32_t line = 0;
  NameSetIndex label_set = 0;
  std::vector<Assignment> assignments = {};
  std::vector<NameIndex> new_variables = {};  ///< that no event before has assigned
  std::vector<GrowingMessages::Index> takes = {};
  GrowingMessages::Index sends = no_message;
  std::vector<std::string> to = {};
  bool lost_a_message = false;
  bool assigns_text = false;
  double time = std::numeric_limits<double>::quiet_NaN();
  std::shared_ptr<const Words> words = {};  ///< where they are read
};

/// The names of labels, variables and texts that events use.
class EventNames {
 public:
  /// Only what these names read is kept of variables.
  explicit EventNames(Names names) : names_(std::move(names)), named_(names_.size()) {}
  EventNames(const EventNames&) = delete;
  EventNames& operator=(const EventNames&) = delete;

  /// From now on texts, sources and names of messages are read.
  void read_words() { reads_words_ = true; }
  /// The event without its messages.
  [[nodiscard]] GrowingEvent looked_up(const MonitoredEvent& event);
  /// What the state of an event says. It holds until the next call.
  [[nodiscard]] StateContent content_of(const GrowingEvent& event);
  /// Notes the names of a state that has happened.
  void note(const GrowingEvent& event);

  /// The names of all states that have happened; without those of processes.
  [[nodiscard]] TraceNames happened() const;
  /// What is said of members that Lightcone does not know.
  [[nodiscard]] const std::set<std::string>& members() const { return members_; }
  [[nodiscard]] const Names& names() const { return names_; }
  /// About how much memory they take.
  [[nodiscard]] std::size_t bytes() const {
    constexpr std::size_t of_name = 48, of_set = 160;
    return names_.bytes() + names_.size() * of_name + label_sets_.size() * of_set;
  }
  [[nodiscard]] std::vector<std::string_view> labels(NameSetIndex set) const;

 private:
  Names names_;
  std::size_t named_;  // so many of them are of the properties
  NameSets label_sets_;
  bool reads_words_ = false, has_times_ = false;
  std::vector<std::string_view> message_views_;  // of the state that is looked at
  std::set<std::string> members_;
  std::set<NameIndex> labels_, variables_, texts_;  // of states that have happened
  tsl::robin_set<NameSetIndex> happened_sets_;      // of their labels
};

}  // namespace lightcone
