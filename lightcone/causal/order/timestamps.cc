// Timestamps in causal order, a row per event; all columns, or as many at a time as memory allows.
#include <lightcone/causal/order/timestamps.h>

#include <lightcone/causal/order/vector_code.h>
#include <lightcone/error.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace lightcone {
namespace {

constexpr std::size_t lanes = TimestampTable::lanes;
constexpr std::size_t row_alignment = 64;
constexpr std::size_t look_ahead = 12;

/// One pass over the events in causal order: a row is the row before it in its process, joined
/// with the rows of the sends it takes from.
LIGHTCONE_VECTOR_CODE
void fill(const Computation& computation, std::span<const std::uint32_t> column_of,
          const Selection* relevant, std::size_t stride, std::uint32_t* entries) {
  const auto order = computation.order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + look_ahead < order.size()) {
      for (const MessageIndex m : computation.takes(order[i + look_ahead])) {
        __builtin_prefetch(entries + computation.sent_by(m) * stride);
      }
    }
    const EventIndex e = order[i];
    const ProcessIndex p = computation.process_of(e);
    std::uint32_t* row = entries + e * stride;
    if (e == computation.first_event(p)) {
      std::memset(row, 0, stride * sizeof *row);
    } else {
      std::memcpy(row, row - stride, stride * sizeof *row);
    }
    for (const MessageIndex m : computation.takes(e)) {
      const std::uint32_t* sent = entries + computation.sent_by(m) * stride;
      for (std::size_t at = 0; at < stride; at += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          row[at + lane] = std::max(row[at + lane], sent[at + lane]);
        }
      }
    }
    if (column_of[p] == none) continue;
    if (relevant == nullptr) {
      row[column_of[p]] = computation.rank_of(e);
    } else if (relevant->contains(e)) {
      ++row[column_of[p]];
    }
  }
}

[[nodiscard]] TimestampTable table_of(const Computation& computation, ProcessRange columns) {
  LIGHTCONE_ASSERT(columns.first + columns.count <= computation.process_count());
  std::vector<std::uint32_t> column_of(computation.process_count(), none);
  for (std::uint32_t i = 0; i < columns.count; ++i) column_of[columns.first + i] = i;
  return timestamp_table(computation, columns.count, column_of);
}

}  // namespace

std::uint32_t columns_at_a_time(const Computation& computation, std::size_t budget) {
  constexpr std::size_t much = std::size_t{1} << 30;
  constexpr std::size_t cached = std::size_t{24} << 20;
  constexpr std::size_t some = 32;
  const std::size_t n = computation.process_count();
  const std::size_t column_bytes =
      std::max<std::size_t>(computation.event_count() * sizeof(std::uint32_t), 1);
  std::size_t fitting = budget / column_bytes;
  if (n * column_bytes > much) fitting = std::min(fitting, std::max(cached / column_bytes, some));
  return static_cast<std::uint32_t>(std::min(std::max(fitting / lanes * lanes, lanes), n));
}

TimestampTable::TimestampTable(std::size_t rows, std::uint32_t columns)
    : columns_(columns),
      stride_((columns + lanes - 1) / lanes * lanes),
      bytes_((rows * stride_ * sizeof(std::uint32_t) + row_alignment - 1) / row_alignment *
             row_alignment),
      entries_(static_cast<std::uint32_t*>(
          std::aligned_alloc(row_alignment, std::max(bytes_, row_alignment)))) {
  LIGHTCONE_ASSERT(entries_ != nullptr);
}

TimestampTable timestamp_table(const Computation& computation, std::uint32_t columns,
                               std::span<const std::uint32_t> column_of,
                               const Selection* relevant) {
  TimestampTable table(computation.event_count(), columns);
  fill(computation, column_of, relevant, table.stride(), table.row(0));
  return table;
}

Timestamps::Timestamps(const Computation& computation, ProcessRange columns)
    : columns_(columns), table_(table_of(computation, columns)) {}

Timestamps timestamps(const Computation& computation) {
  return Timestamps(computation, {0, computation.process_count()});
}

void for_each_column_range(const Computation& computation,
                           const std::function<void(const Timestamps&)>& visit,
                           const Progress& progress, std::size_t budget) {
  const std::uint32_t n = computation.process_count();
  const std::uint32_t width = columns_at_a_time(computation, budget);
  for (ProcessIndex first = 0; first < n; first += width) {
    if (progress) progress("computing timestamps", first, n);
    visit(Timestamps(computation, {first, std::min(width, n - first)}));
  }
}

}  // namespace lightcone
