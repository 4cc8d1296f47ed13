// The memory of timestamps, one row per event, and the one pass that fills it.
#pragma once

#include <lightcone/causal/computation.h>
#include <lightcone/causal/selection.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace lightcone {

/// Rows of 32-bit entries, aligned and padded with zeros for the vector units.
class TimestampTable {
 public:
  /// Rows are whole multiples of this.
  static constexpr std::size_t lanes = 8;

  TimestampTable(std::size_t rows, std::uint32_t columns);

  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] std::uint32_t* row(std::size_t r) { return entries_.get() + r * stride_; }
  [[nodiscard]] const std::uint32_t* row(std::size_t r) const {
    return entries_.get() + r * stride_;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::uint32_t* memory) const { std::free(memory); }
  };

  std::uint32_t columns_;
  std::size_t stride_;
  std::size_t bytes_;
  std::unique_ptr<std::uint32_t[], Free> entries_;  // not filled
};

/// The timestamps of all events, row e for event e. The entry of process p stands in `column_of[p]`
/// (`none`: it has no column) and counts the events of p that are in the past, or only the
/// `relevant` ones.
[[nodiscard]] TimestampTable timestamp_table(const Computation& computation, std::uint32_t columns,
                                             std::span<const std::uint32_t> column_of,
                                             const Selection* relevant = nullptr);

}  // namespace lightcone
