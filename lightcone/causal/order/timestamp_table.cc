// Computing timestamps in causal order, one row per event.
#include <lightcone/causal/order/timestamp_table.h>

#include <lightcone/base/error.h>
#include <lightcone/causal/order/vector_code.h>

#include <algorithm>
#include <cstring>

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

}  // namespace

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

}  // namespace lightcone
