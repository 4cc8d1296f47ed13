// What spans of one trace mean, written out by brute force.
#pragma once

#include <lightcone/trace/spans/span_forest.h>
#include <lightcone/trace/spans/span_processes.h>
#include <lightcone/trace/spans/span_table.h>

#include <string>
#include <vector>

namespace lightcone::definition {

/// The events of spans: for each process its own, in its order; what happened before what; and what
/// was left out.
struct SpanOrder {
  /// An event: a span, and the number of its part (0 the start, then its events, then the end).
  struct Event {
    std::size_t span = 0;  ///< an index into the table
    std::size_t part = 0;
    std::string process;
  };
  std::vector<Event> events;              ///< process by process
  std::vector<std::vector<bool>> before;  ///< the closure of local steps and messages
  SpanLosses losses;
};

/// All spans of the table must be of one trace.
[[nodiscard]] SpanOrder order_of_spans(const SpanTable& table, ProcessBy by);

}  // namespace lightcone::definition
