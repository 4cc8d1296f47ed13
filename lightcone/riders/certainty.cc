// States before anything that is lost have their true pasts; paths need less.
#include <lightcone/riders/certainty.h>

#include <lightcone/causal/consistent_prefix.h>
#include <lightcone/property/language/property_reads.h>

#include <algorithm>

namespace lightcone {

Certainty::Certainty(const Reading& reading)
    : computation_(reading.computation),
      knows_initial_(!reading.doubts.at_start),
      paths_(ranks_without(reading.computation, reading.doubts.gaps)) {
  std::vector<EventPlace> all = reading.doubts.receives;
  all.insert(all.end(), reading.doubts.gaps.begin(), reading.doubts.gaps.end());
  exact_ = ranks_without(reading.computation, all);
}

bool Certainty::is_within(const std::vector<Rank>& ranks, Row row) const {
  if (!knows_initial_) return false;
  if (row >= computation_.event_count()) return true;
  return computation_.rank_of(row) <= ranks[computation_.process_of(row)];
}

bool Certainty::holds(const Properties& properties, const Property& property, Row row,
                      bool found) const {
  return is_exact(row) ||
         (has_true_paths(row) && rests_on_one_true_path(properties, property, found));
}

void forget_uncertain(const Reading& reading, Inspection& inspection) {
  if (!reading.incomplete) return;
  const Certainty certainty(reading);
  const Properties& properties = inspection.properties().source();
  inspection.keep_answers([&](std::uint32_t property, Row row, bool found) {
    return certainty.holds(properties, properties.properties[property], row, found);
  });
}

bool rests_on_one_path(const Property& property, bool found) {
  const auto* flow = std::get_if<Flow>(&property.question);
  return flow != nullptr && !flow->longest && found != flow->every;
}

bool rests_on_one_true_path(const Properties& properties, const Property& property, bool found) {
  return rests_on_one_path(property, found) && !reads_kinds_or_messages(properties, property);
}

bool bears_more_processes(const Expression& expression) {
  using Form = Expression::Kind;
  const auto bears = [](const Expression& part) { return bears_more_processes(part); };
  const auto counts = [&](const Expression& part) {
    return part.kind == Form::aggregate && part.aggregate == Expression::Aggregate::count;
  };
  switch (expression.kind) {
    case Form::aggregate: return expression.aggregate == Expression::Aggregate::any;
    case Form::at_least:
    case Form::greater:
      if (counts(expression.parts.front())) return bears(expression.parts.back());
      break;
    case Form::at_most:
    case Form::less:
      if (counts(expression.parts.back())) return bears(expression.parts.front());
      break;
    case Form::conjunction:
    case Form::disjunction: return std::ranges::all_of(expression.parts, bears);
    default: break;
  }
  // Elsewhere an `any` may stand below a `not`, so that no aggregate is allowed at all.
  const auto is_plain = [](const auto& self, const Expression& part) -> bool {
    return part.kind != Form::aggregate &&
           std::ranges::all_of(part.parts, [&](const Expression& p) { return self(self, p); });
  };
  return is_plain(is_plain, expression);
}

}  // namespace lightcone
