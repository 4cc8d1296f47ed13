// Numbers the values of a variable; values that are equal in expressions are one.
#include <lightcone/property/states/value_slice.h>

#include <algorithm>
#include <map>

namespace lightcone {

OwnedValue owned(const Datum& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* wide = std::get_if<WideInteger>(&value)) {
    return static_cast<double>(integer_of(*wide));
  }
  return std::string(std::get<std::string_view>(value));
}

Datum assigned_value(std::span<const Assignment> assignments, NameIndex variable,
                     const Names& names) {
  for (const Assignment& assignment : assignments) {
    if (assignment.variable != variable) continue;
    if (const auto* truth = std::get_if<bool>(&assignment.value)) return std::int64_t{*truth};
    if (const auto* integer = std::get_if<std::int64_t>(&assignment.value)) return *integer;
    if (const auto* real = std::get_if<double>(&assignment.value)) return datum_of(*real);
    return names[std::get<NameIndex>(assignment.value)];
  }
  return {};
}

std::uint32_t ValueNumbers::find_or_add(OwnedValue value, std::uint64_t most) {
  if (const auto found = numbers_.find(value); found != numbers_.end()) return found->second;
  if (size() >= most) return none;
  by_number_.push_back(numbers_.emplace(std::move(value), size()).first);
  return size() - 1;
}

AssignedValues::AssignedValues(const Computation& computation, std::string_view variable)
    : variable_(variable), value_of_(computation.event_count(), none) {
  const NameIndex name = computation.names().find(variable);
  std::map<Datum, std::uint32_t> index;
  std::vector<std::size_t> counts;
  if (name != NameIndex::none) {
    for (const EventIndex e : computation.order()) {
      const Datum value = assigned_value(computation.assignments(e), name, computation.names());
      if (std::holds_alternative<std::monostate>(value)) continue;
      const auto [place, is_new] = index.try_emplace(value, size());
      if (is_new) {
        values_.push_back(value);
        counts.push_back(0);
      }
      value_of_[e] = place->second;
      ++counts[place->second];
    }
  }
  begin_.assign(1, 0);
  for (const std::size_t count : counts) begin_.push_back(begin_.back() + count);
  events_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    if (value_of_[e] != none) events_[next[value_of_[e]]++] = e;
  }
}

std::uint32_t AssignedValues::find(const Datum& value) const {
  const auto at = std::ranges::find(values_, value);
  return at == values_.end() ? none : static_cast<std::uint32_t>(at - values_.begin());
}

}  // namespace lightcone
