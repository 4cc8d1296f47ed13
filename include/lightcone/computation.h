// A distributed computation: immutable, one array per field, processes as ranges of events.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

/// An index into a Names table. A distinct type, so that it is never taken for an integer value.
enum class NameIndex : std::uint32_t { none = UINT32_MAX };

using ProcessIndex = std::uint32_t;
using EventIndex = std::uint32_t;  ///< events of one process are consecutive, in its order
using MessageIndex = std::uint32_t;
using Rank = std::uint32_t;  ///< the k-th event of a process has rank k; 0: initial state
inline constexpr std::uint32_t none = UINT32_MAX;

enum class Kind : std::uint8_t { internal, send, receive, initial };

/// The event of this rank of a process; rank 0: its initial state.
struct EventPlace {
  ProcessIndex process = 0;
  Rank rank = 0;
  friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
};

/// An index into a NameSets table; set 0 is the empty set.
using NameSetIndex = std::uint32_t;

/// Distinct strings at stable addresses: of processes, labels, variables, texts.
class Names {
 public:
  /// The index of this name, which is added if it is new.
  NameIndex intern(std::string_view name);
  /// The index of this name, or none.
  [[nodiscard]] NameIndex find(std::string_view name) const;
  [[nodiscard]] std::string_view operator[](NameIndex index) const {
    return views_[static_cast<std::uint32_t>(index)];
  }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Lookup;
  struct Free {
    void operator()(Lookup* lookup) const;
  };

  std::string_view store(std::string_view name);
  NameIndex intern_slowly(std::string_view name);

  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_used_ = 0;
  std::size_t chunk_size_ = 0;
  std::size_t stored_ = 0;
  std::vector<std::string_view> views_;
  std::unique_ptr<Lookup, Free> lookup_;  // made with the first name
};

/// Distinct sequences of names (the labels of an event, the receivers of a message).
class NameSets {
 public:
  NameSetIndex intern(std::span<const NameIndex> names);
  [[nodiscard]] std::span<const NameIndex> operator[](NameSetIndex set) const {
    return {members_.data() + begin_[set], begin_[set + 1] - begin_[set]};
  }
  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }

 private:
  struct Lookup;
  struct Free {
    void operator()(Lookup* lookup) const;
  };

  std::vector<NameIndex> members_;
  std::vector<std::uint32_t> begin_{0, 0};
  std::unique_ptr<Lookup, Free> lookup_;  // made with the first set that is not empty
};

/// The value of a variable: a boolean, an integer, a real, or a string (as an index into the names
/// of the computation).
using Value = std::variant<bool, std::int64_t, double, NameIndex>;

/// The same before its strings have been interned.
using SpelledValue = std::variant<bool, std::int64_t, double, std::string_view>;

/// `variable := value`, done by one event or by the initial state.
struct Assignment {
  NameIndex variable;
  Value value;
  friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// A row of the attribute columns: an event, or the initial state of a process.
using Row = std::uint32_t;

/// What an event or initial state has besides its place in the order; one array per field. The
/// arrays that a trace does not use stay empty.
struct Attributes {
  std::vector<NameSetIndex> labels;
  std::vector<std::uint32_t> assignments_begin;  ///< rows + 1 offsets, or empty
  std::vector<Assignment> assignments;
  std::vector<NameSetIndex> to;  ///< the receivers that a send names
  std::vector<double> time;      ///< not-a-number if there is none
  std::vector<NameIndex> text;
  std::vector<NameIndex> source;
  std::vector<std::uint64_t> digest;  ///< of the contents sent or received; 0 if there is none
  std::vector<NameIndex> extra;       ///< the members unknown to Lightcone, as JSON text
};

/// The columns of a computation, one array per field.
struct Columns {
  std::vector<EventIndex> first{0};  ///< of each process, and the end of the last
  std::vector<ProcessIndex> process_of;
  std::vector<Kind> kinds;
  std::vector<MessageIndex> sends;
  std::vector<std::uint32_t> takes_begin{0};  ///< of each event, and the end of the last
  std::vector<MessageIndex> takes;
  std::vector<EventIndex> duplicates;  ///< sorted
  std::vector<EventIndex> order;
  std::vector<bool> has_initial;    ///< indexed by process
  std::vector<EventIndex> sent_by;  ///< indexed by message
  Attributes attributes;
};

/// The names of messages; indexed by message.
struct MessageNames {
  std::vector<NameIndex> prefix;
  std::vector<std::uint64_t> number;
};

/// What happened. A Builder makes it. It never changes.
class Computation {
 public:
  Computation() = default;

  [[nodiscard]] std::uint32_t process_count() const {
    return static_cast<std::uint32_t>(process_names_.size());
  }
  [[nodiscard]] std::uint32_t event_count() const {
    return static_cast<std::uint32_t>(c_.kinds.size());
  }
  [[nodiscard]] std::uint32_t message_count() const {
    return static_cast<std::uint32_t>(c_.sent_by.size());
  }
  /// Returns the number of pairs of a sending event and an event that receives from it.
  [[nodiscard]] std::size_t edge_count() const { return c_.takes.size(); }

  [[nodiscard]] std::string_view process_name(ProcessIndex p) const {
    return names_[process_names_[p]];
  }
  [[nodiscard]] std::optional<ProcessIndex> find_process(std::string_view name) const;

  [[nodiscard]] EventIndex first_event(ProcessIndex p) const { return c_.first[p]; }
  [[nodiscard]] EventIndex end_event(ProcessIndex p) const { return c_.first[p + 1]; }
  [[nodiscard]] Rank last_rank(ProcessIndex p) const { return c_.first[p + 1] - c_.first[p]; }
  /// Returns the event of rank `k >= 1`.
  [[nodiscard]] EventIndex event(ProcessIndex p, Rank k) const { return c_.first[p] + k - 1; }
  [[nodiscard]] ProcessIndex process_of(EventIndex e) const { return c_.process_of[e]; }
  [[nodiscard]] Rank rank_of(EventIndex e) const { return e - c_.first[c_.process_of[e]] + 1; }

  [[nodiscard]] Kind kind(EventIndex e) const { return c_.kinds[e]; }
  /// Returns the messages that this event receives: several for a batch or a collective operation.
  [[nodiscard]] std::span<const MessageIndex> takes(EventIndex e) const {
    return {c_.takes.data() + c_.takes_begin[e], c_.takes_begin[e + 1] - c_.takes_begin[e]};
  }
  /// Returns the message that leaves at this event, or `none`.
  [[nodiscard]] MessageIndex sends(EventIndex e) const { return c_.sends[e]; }
  [[nodiscard]] EventIndex sent_by(MessageIndex m) const { return c_.sent_by[m]; }
  [[nodiscard]] std::string message_name(MessageIndex m) const;
  /// Returns whether the trace says that this receive is a redelivery.
  [[nodiscard]] bool is_duplicate(EventIndex e) const;

  /// Returns a linear extension of happened-before, close to the order in which events were read.
  [[nodiscard]] std::span<const EventIndex> order() const { return c_.order; }

  [[nodiscard]] Row initial_row(ProcessIndex p) const { return event_count() + p; }
  [[nodiscard]] std::size_t row_count() const { return event_count() + process_count(); }
  /// Returns whether the trace describes this process's initial state.
  [[nodiscard]] bool has_initial(ProcessIndex p) const { return c_.has_initial[p]; }
  [[nodiscard]] std::span<const NameIndex> labels(Row row) const;
  [[nodiscard]] std::span<const Assignment> assignments(Row row) const;
  [[nodiscard]] std::span<const NameIndex> to(EventIndex e) const;
  [[nodiscard]] std::optional<double> time(Row row) const;
  [[nodiscard]] std::optional<std::string_view> text(Row row) const;
  [[nodiscard]] std::optional<std::string_view> source(Row row) const;
  /// Returns the digest of the contents that the event sends or receives, if it was recorded.
  [[nodiscard]] std::optional<std::uint64_t> digest(Row row) const;
  [[nodiscard]] std::string_view extra(Row row) const;
  /// Returns the unknown members of the header line, as JSON text.
  [[nodiscard]] std::string_view header_extra() const { return header_extra_; }

  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] const NameSets& name_sets() const { return name_sets_; }
  [[nodiscard]] const Attributes& attributes() const { return c_.attributes; }
  /// All columns as they are, for those who look at whole arrays.
  [[nodiscard]] const Columns& columns() const { return c_; }
  [[nodiscard]] const MessageNames& message_names() const { return message_names_; }

  /// Returns the memory that all columns and names take.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class Builder;
  [[nodiscard]] std::optional<std::string_view> named(const std::vector<NameIndex>& column,
                                                      Row row) const;

  Names names_;
  NameSets name_sets_;
  std::vector<NameIndex> process_names_;
  MessageNames message_names_;
  Columns c_;
  std::string header_extra_;
};

}  // namespace lightcone
