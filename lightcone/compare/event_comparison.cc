// Compares two events field by field.
#include <lightcone/compare/event_comparison.h>

#include <algorithm>
#include <bit>
#include <type_traits>

namespace lightcone {

EventComparison::EventComparison(const Computation& a, const Computation& b,
                                 const DiffOptions& options)
    : options_(options), a_(a, shared_), b_(b, shared_) {}

void EventComparison::OneRun::take(EventIndex e) {
  taken.clear();
  for (const MessageIndex m : computation.takes(e)) taken.push_back(numbers.messages[m]);
  if (taken.size() > 1) std::sort(taken.begin(), taken.end());
}

/// If a variable is assigned twice, the last value counts.
void EventComparison::OneRun::assign(Row row) {
  assigned.clear();
  for (const Assignment& assignment : computation.assignments(row)) {
    SharedValue value{numbers.name(assignment.variable), assignment.value.index()};
    std::visit(
        [&](auto known) {
          using Known = decltype(known);
          if constexpr (std::is_same_v<Known, double>) {
            value.bits = std::bit_cast<std::uint64_t>(known);
          } else if constexpr (std::is_same_v<Known, NameIndex>) {
            value.bits = numbers.name(known);
          } else {
            value.bits = static_cast<std::uint64_t>(known);
          }
        },
        assignment.value);
    const auto same = std::ranges::find(assigned, value.variable, &SharedValue::variable);
    if (same == assigned.end()) {
      assigned.push_back(value);
    } else {
      *same = value;
    }
  }
  std::sort(assigned.begin(), assigned.end());
}

std::uint32_t EventComparison::OneRun::set(const std::vector<NameSetIndex>& column, Row row) const {
  return numbers.sets[column.empty() ? 0 : column[row]];
}

std::uint32_t EventComparison::OneRun::text(Row row) const {
  const std::vector<NameIndex>& texts = computation.attributes().text;
  if (texts.empty() || texts[row] == NameIndex::none) return none;
  return numbers.name(texts[row]);
}

bool EventComparison::has_same_messages(EventIndex in_a, EventIndex in_b) {
  if (a_.computation.is_duplicate(in_a) != b_.computation.is_duplicate(in_b)) return false;
  a_.take(in_a);
  b_.take(in_b);
  return a_.taken == b_.taken;
}

bool EventComparison::assigns_the_same(Row in_a, Row in_b) {
  a_.assign(in_a);
  b_.assign(in_b);
  return a_.assigned == b_.assigned;
}

bool EventComparison::compares_contents(Row in_a, Row in_b) const {
  return options_.contents && a_.computation.digest(in_a) && b_.computation.digest(in_b);
}

Unlike EventComparison::attributes(Row in_a, Row in_b) {
  const Attributes& a = a_.computation.attributes();
  const Attributes& b = b_.computation.attributes();
  Unlike unlike;
  unlike.labels = options_.labels && a_.set(a.labels, in_a) != b_.set(b.labels, in_b);
  unlike.variables = options_.variables && !assigns_the_same(in_a, in_b);
  unlike.text = options_.text && a_.text(in_a) != b_.text(in_b);
  unlike.contents =
      compares_contents(in_a, in_b) && a_.computation.digest(in_a) != b_.computation.digest(in_b);
  return unlike;
}

Unlike EventComparison::events(EventIndex in_a, EventIndex in_b) {
  Unlike unlike = attributes(in_a, in_b);
  unlike.kind = a_.computation.kind(in_a) != b_.computation.kind(in_b) ||
                (a_.computation.sends(in_a) == none) != (b_.computation.sends(in_b) == none);
  unlike.message = !has_same_messages(in_a, in_b);
  unlike.to =
      a_.set(a_.computation.attributes().to, in_a) != b_.set(b_.computation.attributes().to, in_b);
  return unlike;
}

}  // namespace lightcone
