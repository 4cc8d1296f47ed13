// The slices of a computation that `for each` asks about: one per value of a variable.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/states/datum.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lightcone {

/// The values that events assign to a variable, each once, in the order in which `order()` has
/// their first events. Initial states make no values.
class AssignedValues {
 public:
  /// The computation must outlive this.
  AssignedValues(const Computation& computation, std::string_view variable);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  [[nodiscard]] const Datum& operator[](std::uint32_t value) const { return values_[value]; }
  /// Which value an event assigns; `none` if it assigns none.
  [[nodiscard]] std::uint32_t of(EventIndex e) const { return value_of_[e]; }
  /// The events that assign a value, by process and rank.
  [[nodiscard]] std::span<const EventIndex> events(std::uint32_t value) const {
    return {events_.data() + begin_[value], begin_[value + 1] - begin_[value]};
  }

 private:
  std::vector<Datum> values_;
  std::vector<std::uint32_t> value_of_;
  std::vector<std::size_t> begin_;
  std::vector<EventIndex> events_;
};

/// The computation in which only the events that assign one value carry labels, assign variables,
/// and have a text and a source. Initial states keep theirs.
struct ValueSlice {
  const AssignedValues* values = nullptr;  ///< nullptr: the whole computation
  std::uint32_t value = 0;

  [[nodiscard]] bool keeps(EventIndex e) const {
    return values == nullptr || values->of(e) == value;
  }
};

}  // namespace lightcone
