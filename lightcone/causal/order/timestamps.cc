// Timestamps of all processes, or of as many at a time as memory allows.
#include <lightcone/causal/order/timestamps.h>

#include <lightcone/error.h>

#include <algorithm>
#include <vector>

namespace lightcone {
namespace {

[[nodiscard]] TimestampTable table_of(const Computation& computation, ProcessRange columns) {
  LIGHTCONE_ASSERT(columns.first + columns.count <= computation.process_count());
  std::vector<std::uint32_t> column_of(computation.process_count(), none);
  for (std::uint32_t i = 0; i < columns.count; ++i) column_of[columns.first + i] = i;
  return timestamp_table(computation, columns.count, column_of);
}

}  // namespace

Timestamps::Timestamps(const Computation& computation, ProcessRange columns)
    : columns_(columns), table_(table_of(computation, columns)) {}

Timestamps timestamps(const Computation& computation) {
  return Timestamps(computation, {0, computation.process_count()});
}

void for_each_column_range(const Computation& computation,
                           const std::function<void(const Timestamps&)>& visit,
                           const Progress& progress, std::size_t budget) {
  const std::uint32_t n = computation.process_count();
  const std::size_t column_bytes =
      std::max<std::size_t>(computation.event_count() * sizeof(std::uint32_t), 1);
  constexpr std::size_t lanes = TimestampTable::lanes;
  const std::size_t fitting = std::max<std::size_t>(budget / column_bytes / lanes * lanes, lanes);
  const auto width = static_cast<std::uint32_t>(std::min<std::size_t>(fitting, n));
  for (ProcessIndex first = 0; first < n; first += width) {
    if (progress) progress("computing timestamps", first, n);
    visit(Timestamps(computation, {first, std::min(width, n - first)}));
  }
}

}  // namespace lightcone
