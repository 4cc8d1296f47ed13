// Hands each global property to the cheapest algorithm that decides it.
#include <lightcone/check/global_answers.h>

#include <lightcone/causal/consistent_prefix.h>
#include <lightcone/riders/certainty.h>

namespace lightcone {
namespace {

/// The part of an incomplete trace in whose past nothing is lost, and the properties on it.
class CertainPart {
 public:
  explicit CertainPart(const Reading& reading) : whole_(reading.computation) {
    const Certainty certainty(reading);
    if (!certainty.knows_initial_states()) return;
    part_ = prefix_of(whole_, certainty.exact_ranks());
  }

  /// A decision about the part in terms of the whole, if it is true of that: what was found is.
  [[nodiscard]] std::optional<Decision> decide_on(const Properties& properties,
                                                  const Global& global, const Effort& effort,
                                                  ValueSlice slice) const {
    if (!part_ || global.modality != Global::Modality::possibly) return std::nullopt;
    std::optional<AssignedValues> values;
    if (slice.values != nullptr) values.emplace(*part_, slice.values->variable());
    const ValueSlice slice_of_part =
        values ? ValueSlice{&*values, values->find((*slice.values)[slice.value])} : ValueSlice{};
    const GlobalPredicate predicate(
        *part_, properties, global.expression, [&] { return effort.budget.has_time(); },
        slice_of_part);
    Decision decision = decide(global.modality, predicate, *part_, effort);
    if (!decision.found) return decision;
    if (!*decision.found) return std::nullopt;
    for (EventIndex& e : decision.observation) {
      e = whole_.event(part_->process_of(e), part_->rank_of(e));
    }
    return decision;
  }

 private:
  const Computation& whole_;
  std::optional<Computation> part_;
};

}  // namespace

GlobalAnswer answer_global(const Properties& properties, const Global& global,
                           const Reading& reading, const GlobalEffort& effort, ValueSlice slice) {
  Budget budget(effort.limits);
  const Effort allowed{budget, effort.progress, effort.witnesses, effort.workers};
  GlobalPredicate predicate(
      reading.computation, properties, global.expression, [&] { return budget.has_time(); }, slice);
  std::optional<Decision> decision;
  if (!reading.incomplete) {
    decision = decide(global.modality, predicate, reading.computation, allowed);
  } else {
    decision = CertainPart(reading).decide_on(properties, global, allowed, slice);
  }
  if (!decision) {
    decision.emplace().method = "not decided: the lost events could decide it";
    decision->lost = true;
  }
  return {std::move(predicate), std::move(*decision)};
}

GlobalAnswers answer_globals(const Properties& properties, const Reading& reading,
                             const GlobalEffort& effort) {
  GlobalAnswers answers(properties.properties.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Property& property = properties.properties[i];
    const auto* global = std::get_if<Global>(&property.question);
    if (global == nullptr || !property.each.empty()) continue;
    answers[i].emplace(answer_global(properties, *global, reading, effort));
  }
  return answers;
}

}  // namespace lightcone
