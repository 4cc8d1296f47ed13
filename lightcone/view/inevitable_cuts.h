// The inevitable global states of a computation, one after the other.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// The cuts that every observation passes through, when all events are relevant. It keeps four
/// bytes per cut. The computation must outlive it.
class InevitableCuts {
 public:
  explicit InevitableCuts(const Computation& computation);

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// Returns whether a consistent cut is inevitable.
  [[nodiscard]] bool contains(std::span<const Rank> consistent_cut) const;
  /// Returns the greatest inevitable cut with fewer events, or the least one with more; nothing
  /// where there is none.
  [[nodiscard]] std::optional<std::vector<Rank>> before(std::uint64_t events) const;
  [[nodiscard]] std::optional<std::vector<Rank>> after(std::uint64_t events) const;

 private:
  [[nodiscard]] std::vector<Rank> cut_of(std::uint32_t events) const;

  const Computation* computation_;
  std::vector<std::uint32_t> sizes_;  // events in each, in ascending order
};

}  // namespace lightcone
