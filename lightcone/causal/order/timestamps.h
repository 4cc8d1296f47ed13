// Vector timestamps: how much of each process lies in an event's causal past.
#pragma once

#include <lightcone/base/progress.h>
#include <lightcone/causal/computation.h>
#include <lightcone/causal/order/timestamp_table.h>

#include <cstdint>
#include <functional>
#include <span>

namespace lightcone {

/// A range of processes: the columns of a table of timestamps.
struct ProcessRange {
  ProcessIndex first = 0;
  std::uint32_t count = 0;
  [[nodiscard]] bool contains(ProcessIndex p) const { return p - first < count; }
};

/// The timestamps of all events, for a range of processes. Entry p of event e is the rank of the
/// last event of p in e's causal past; e belongs to its own past. 4 bytes per entry.
class Timestamps {
 public:
  Timestamps(const Computation& computation, ProcessRange columns);

  [[nodiscard]] ProcessRange columns() const { return columns_; }
  [[nodiscard]] std::uint32_t at(EventIndex e, ProcessIndex p) const {
    return table_.row(e)[p - columns_.first];
  }
  /// The entries of the columns, in order.
  [[nodiscard]] std::span<const std::uint32_t> of(EventIndex e) const {
    return {table_.row(e), columns_.count};
  }
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }

 private:
  ProcessRange columns_;
  TimestampTable table_;
};

/// The timestamps of all events for all processes.
[[nodiscard]] Timestamps timestamps(const Computation& computation);

/// What for_each_column_range may use unless told otherwise.
inline constexpr std::size_t default_timestamp_bytes = std::size_t{2} << 30;

/// Computes all timestamps, but never holds more of them than `budget` bytes: calls `visit` with
/// the timestamps for one range of processes after the other. Columns do not depend on each
/// other, so that this costs no more than computing all at once.
void for_each_column_range(const Computation& computation,
                           const std::function<void(const Timestamps&)>& visit,
                           const Progress& progress = {},
                           std::size_t budget = default_timestamp_bytes);

}  // namespace lightcone
