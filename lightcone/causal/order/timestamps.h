// Vector timestamps, as many columns at a time as there is memory for.
#pragma once

#include <lightcone/causality.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace lightcone {

/// The timestamps of all events, row e for event e. The entry of process p stands in `column_of[p]`
/// (`none`: it has no column) and counts the events of p that are in the past, or only the
/// `relevant` ones.
[[nodiscard]] TimestampTable timestamp_table(const Computation& computation, std::uint32_t columns,
                                             std::span<const std::uint32_t> column_of,
                                             const Selection* relevant = nullptr);

/// What for_each_column_range may use unless told otherwise.
inline constexpr std::size_t default_timestamp_bytes = std::size_t{2} << 30;

/// Returns how many columns to compute at a time with so many bytes. If all take much memory, as
/// few as stay in the caches: they are filled several times faster, and memory is used again. But
/// each range goes through all events once more, so that there are some columns in each.
[[nodiscard]] std::uint32_t columns_at_a_time(const Computation& computation, std::size_t budget);

/// Computes all timestamps, but never holds more of them than `budget` bytes: calls `visit` with
/// the timestamps for one range of processes after the other. Columns do not depend on each
/// other, so that this costs no more than computing all at once.
void for_each_column_range(const Computation& computation,
                           const std::function<void(const Timestamps&)>& visit,
                           const Progress& progress = {},
                           std::size_t budget = default_timestamp_bytes);

}  // namespace lightcone
