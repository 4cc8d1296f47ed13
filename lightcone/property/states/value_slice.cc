// Numbers the values of a variable; values that are equal in expressions are one.
#include <lightcone/property/states/value_slice.h>

#include <map>
#include <optional>

namespace lightcone {
namespace {

/// The value that an event assigns to a variable, in its one form; null where it assigns none.
[[nodiscard]] Datum assigned_value(const Computation& computation, EventIndex e,
                                   NameIndex variable) {
  for (const Assignment& assignment : computation.assignments(e)) {
    if (assignment.variable != variable) continue;
    if (const auto* truth = std::get_if<bool>(&assignment.value)) return std::int64_t{*truth};
    if (const auto* integer = std::get_if<std::int64_t>(&assignment.value)) return *integer;
    if (const auto* real = std::get_if<double>(&assignment.value)) return datum_of(*real);
    return computation.names()[std::get<NameIndex>(assignment.value)];
  }
  return {};
}

}  // namespace

AssignedValues::AssignedValues(const Computation& computation, std::string_view variable)
    : value_of_(computation.event_count(), none) {
  const NameIndex name = computation.names().find(variable);
  std::map<Datum, std::uint32_t> index;
  std::vector<std::size_t> counts;
  if (name != NameIndex::none) {
    for (const EventIndex e : computation.order()) {
      const Datum value = assigned_value(computation, e, name);
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

}  // namespace lightcone
