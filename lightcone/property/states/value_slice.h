// The slices of a computation that `for each` asks about: one per value of a variable.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/states/datum.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

/// A value with a text of its own. Whole numbers below 2^63 are integers.
using OwnedValue = std::variant<std::int64_t, double, std::string>;

/// A value that is not null.
[[nodiscard]] OwnedValue owned(const Datum& value);

/// The value that assignments give to a variable, in its one form; null where they give none.
[[nodiscard]] Datum assigned_value(std::span<const Assignment> assignments, NameIndex variable,
                                   const Names& names);

/// Numbers values in the order in which they come.
class ValueNumbers {
 public:
  /// The number of a value, which is added if it is new; `none` if it is, and there are so many.
  [[nodiscard]] std::uint32_t find_or_add(OwnedValue value, std::uint64_t most);
  [[nodiscard]] const OwnedValue& operator[](std::uint32_t number) const {
    return by_number_[number]->first;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(by_number_.size()); }

 private:
  using Numbers = std::map<OwnedValue, std::uint32_t>;
  Numbers numbers_;
  std::vector<Numbers::const_iterator> by_number_;
};

/// The values that events assign to a variable, each once, in the order in which `order()` has
/// their first events. Initial states make no values.
class AssignedValues {
 public:
  /// The computation must outlive this.
  AssignedValues(const Computation& computation, std::string_view variable);

  [[nodiscard]] const std::string& variable() const { return variable_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  [[nodiscard]] const Datum& operator[](std::uint32_t value) const { return values_[value]; }
  /// The number of a value; `none` if no event assigns it.
  [[nodiscard]] std::uint32_t find(const Datum& value) const;
  /// Which value an event assigns; `none` if it assigns none.
  [[nodiscard]] std::uint32_t of(EventIndex e) const { return value_of_[e]; }
  /// The events that assign a value, by process and rank.
  [[nodiscard]] std::span<const EventIndex> events(std::uint32_t value) const {
    return {events_.data() + begin_[value], begin_[value + 1] - begin_[value]};
  }

 private:
  std::string variable_;
  std::vector<Datum> values_;
  std::vector<std::uint32_t> value_of_;
  std::vector<std::size_t> begin_;
  std::vector<EventIndex> events_;
};

/// The computation in which only the events that assign one value carry labels, assign variables,
/// and have a text and a source. Initial states keep theirs.
struct ValueSlice {
  const AssignedValues* values = nullptr;  ///< nullptr: the whole computation
  std::uint32_t value = 0;                 ///< `none`: one that no event assigns

  [[nodiscard]] bool keeps(EventIndex e) const {
    return values == nullptr || (value != none && values->of(e) == value);
  }
};

}  // namespace lightcone
