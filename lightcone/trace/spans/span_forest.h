// The spans of one trace with what orders them: parents, links, processes and clocks.
#pragma once

#include <lightcone/trace/spans/acyclic_messages.h>
#include <lightcone/trace/spans/span_processes.h>
#include <lightcone/trace/spans/span_table.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// What was left out of the spans of a trace.
struct SpanLosses {
  std::uint64_t missing_parents = 0;    ///< spans whose parent is not in the trace
  std::uint64_t repeated_spans = 0;     ///< spans whose id another one had before
  std::uint64_t other_links = 0;        ///< links to spans of other traces, or to missing ones
  std::uint64_t dropped_responses = 0;  ///< not waited for: they would close a cycle
  std::uint64_t dropped_requests = 0;   ///< the clock of a process contradicts them
};

/// An event that spans tell of.
struct SpanMoment {
  std::uint32_t span = 0;  ///< counted within the forest
  std::uint32_t part = 0;  ///< 0: its start; then its events; then its end
};

/// The events of one trace by process, and their messages, without a cycle.
///
/// - The events of a process are ordered by time. A span's end is not before its start, and its
///   events lie between. If all spans of a process start at whole milliseconds, its clock shows no
///   more than that, and the times of its other events are rounded down to them. At the same time
///   come first: events and then ends of spans that have begun before, the deepest first; starts,
///   the least deep first; events and ends of spans that begin at this time, the deepest end first.
///   The depth of a span is its distance from a root, or from a cycle of parents.
/// - A start receives from the start of the parent, and of each linked span, that is of another
///   process. An end of a client's span receives from the ends of the server's spans that are its
///   children in other processes.
/// - Messages are taken in this order: those of starts, by span, the parent's first; then those of
///   ends. One that closes a cycle with those before it is dropped.
class SpanForest {
 public:
  /// The spans of one trace, as indices into the table. Nothing if they have too many cycles.
  [[nodiscard]] static std::optional<SpanForest> make(const SpanTable& table,
                                                      std::span<const std::uint32_t> spans,
                                                      const SpanProcesses& processes);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(spans_.size()); }
  /// The index in the table.
  [[nodiscard]] std::uint32_t span(std::uint32_t i) const { return spans_[i]; }
  [[nodiscard]] const std::vector<std::string>& processes() const { return process_names_; }
  [[nodiscard]] std::uint32_t process_of(std::uint32_t span) const { return process_of_[span]; }
  /// The first event of each process, and the end of the last.
  [[nodiscard]] std::span<const std::uint32_t> first() const { return first_; }
  [[nodiscard]] const SpanMoment& moment(std::uint32_t event) const { return moments_[event]; }
  /// The messages: of starts, and after them of ends.
  [[nodiscard]] std::span<const EventEdge> messages() const { return messages_; }
  /// All events; none stands before one that it waits for.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  [[nodiscard]] const SpanLosses& losses() const { return losses_; }

 private:
  explicit SpanForest(const SpanTable& table) : table_(&table) {}
  void choose(std::span<const std::uint32_t> spans);
  void find_parents();
  void find_processes(const SpanProcesses& processes);
  void measure_depths();
  [[nodiscard]] std::vector<bool> coarse_clocks() const;
  void lay_out();
  void add_messages();
  [[nodiscard]] bool drop_cycles();
  [[nodiscard]] const Span& at(std::uint32_t span) const { return table_->spans[spans_[span]]; }
  [[nodiscard]] std::uint32_t find(SpanId id) const;

  /// The spans that have one id: the client's half, or the only one; and the server's half.
  struct Halves {
    std::uint32_t first = none;
    std::uint32_t shared = none;
  };

  const SpanTable* table_;
  std::vector<std::uint32_t> spans_;
  tsl::robin_map<SpanId, Halves, SpanIdHash> by_id_;
  std::vector<std::uint32_t> parents_, depths_, process_of_;
  std::vector<std::string> process_names_;
  std::vector<std::uint32_t> first_{0};
  std::vector<SpanMoment> moments_;
  std::vector<std::uint32_t> starts_, ends_;  // the events of each span
  std::vector<EventEdge> messages_;
  std::size_t requests_ = 0;  // the first messages
  std::vector<std::uint32_t> order_;
  SpanLosses losses_;
};

}  // namespace lightcone
