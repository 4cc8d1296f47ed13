// Builds a computation from events in the order in which a reader meets them.
#pragma once

#include <lightcone/causal/computation.h>
#include <lightcone/causal/error.h>
#include <lightcone/causal/message_table.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// One event as a reader meets it, or (Kind::initial) the initial state of a process.
struct Arrival {
  ProcessIndex process = 0;
  Kind kind = Kind::internal;
  std::uint32_t line = 0;                    ///< for error messages; 0 where there are no lines
  std::span<const MessageIndex> takes = {};  ///< the messages it receives
  MessageIndex sends = none;
  bool duplicate = false;  ///< it says that it receives a message again
};

/// How a Builder treats a receive whose message is never sent.
enum class Unsent { error, make_internal };

/// Collects events, process by process in order, processes interleaved in any way; `build` checks
/// that they form a computation. The setters speak of the event added last.
class Builder {
 public:
  explicit Builder(std::string file = {}) : file_(std::move(file)) {}

  /// The process of this name, which is added if it is new.
  ProcessIndex process(std::string_view name);
  /// The message of this name, which is added if it is new.
  MessageIndex message(std::string_view name) { return message(split_name(name)); }
  MessageIndex message(SplitName name);
  /// A message no one else will refer to by name, so that it need not be looked up.
  MessageIndex fresh_message(NameIndex prefix, std::uint64_t number);
  NameIndex name(std::string_view text) { return built_.names_.intern(text); }
  NameSetIndex name_set(std::span<const NameIndex> members) {
    return built_.name_sets_.intern(members);
  }

  [[nodiscard]] Expected<void> add(const Arrival& arrival);
  void set_labels(NameSetIndex labels) { place(attributes_.labels, labels, 0U); }
  void assign(NameIndex variable, Value value);
  void set_to(NameSetIndex receivers) { place(attributes_.to, receivers, 0U); }
  void set_time(double seconds);
  void set_text(NameIndex text) { place(attributes_.text, text, NameIndex::none); }
  void set_source(NameIndex source) { place(attributes_.source, source, NameIndex::none); }
  void set_extra(NameIndex json) { place(attributes_.extra, json, NameIndex::none); }
  void set_header_extra(std::string json) { built_.header_extra_ = std::move(json); }

  [[nodiscard]] std::size_t arrival_count() const { return process_.size(); }
  [[nodiscard]] std::size_t process_count() const { return built_.process_names_.size(); }

  /// Checks and orders what has been added; the builder is empty afterwards.
  [[nodiscard]] Expected<Computation> build(Unsent unsent = Unsent::error);
  /// How many receives the last build turned into internal events.
  [[nodiscard]] std::size_t made_internal() const { return made_internal_; }

 private:
  using ArrivalIndex = std::uint32_t;

  template <class T>
  void place(std::vector<T>& column, T value, T absent);
  template <class T>
  [[nodiscard]] std::vector<T> settle(std::vector<T>& column, T absent) const;

  [[nodiscard]] Error at(ArrivalIndex arrival, std::string what, std::string hint = {}) const;
  [[nodiscard]] std::string place_of(ArrivalIndex arrival) const;
  void lay_out();
  [[nodiscard]] Expected<void> drop_unsent(Unsent unsent);
  void forget_unsent_messages();
  [[nodiscard]] Expected<void> check_duplicates() const;
  void settle_messages();
  void settle_attributes();
  [[nodiscard]] Expected<void> settle_order();
  [[nodiscard]] Error cycle_error(std::span<const EventIndex> cycle) const;

  std::string file_;
  Computation built_;
  std::size_t made_internal_ = 0;

  // One entry an arrival.
  std::vector<ProcessIndex> process_;
  std::vector<Kind> kind_;
  std::vector<std::uint32_t> line_;  // empty where there are no lines
  std::vector<MessageIndex> sends_;
  std::vector<ArrivalIndex> duplicates_;
  std::vector<Row> row_;  // where the arrival ends up

  // One entry a reception, in the order of arrival.
  std::vector<ArrivalIndex> take_arrival_;
  std::vector<MessageIndex> take_message_;

  Attributes attributes_;  // indexed by arrival, each array as long as it had to be
  std::vector<ArrivalIndex> assignment_arrival_;

  std::vector<ArrivalIndex> sent_at_;  // indexed by message
  std::vector<bool> has_events_;       // indexed by process
  std::vector<ProcessIndex> process_of_name_;
  MessageTable message_table_;
};

}  // namespace lightcone
