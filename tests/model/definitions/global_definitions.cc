// Global predicates by brute force: all combinations of local states, those that are consistent.
#include "model/definitions/global_definitions.h"

#include <algorithm>
#include <set>

namespace lightcone::definition {
namespace {

using ExpressionKind = Expression::Kind;
using Aggregate = Expression::Aggregate;

[[nodiscard]] bool is_null(const Scalar& value) {
  return std::holds_alternative<std::monostate>(value);
}

[[nodiscard]] bool are_same(const Scalar& a, const Scalar& b) {
  return (is_null(a) && is_null(b)) || compare(ExpressionKind::equal, a, b);
}

[[nodiscard]] bool reads_truth(Aggregate aggregate) {
  return aggregate == Aggregate::count || aggregate == Aggregate::all ||
         aggregate == Aggregate::any;
}

/// What is no number is passed over.
[[nodiscard]] std::vector<Scalar> numbers_of(std::vector<Scalar> values) {
  std::erase_if(values, [](const Scalar& value) { return !is_number(value); });
  return values;
}

/// The first that none of the others is better than; null if there are none.
[[nodiscard]] Scalar best_of(const std::vector<Scalar>& numbers, ExpressionKind better) {
  for (const Scalar& number : numbers) {
    if (std::none_of(numbers.begin(), numbers.end(),
                     [&](const Scalar& other) { return compare(better, other, number); })) {
      return number;
    }
  }
  return {};
}

[[nodiscard]] Scalar aggregate_of(Aggregate aggregate, const std::vector<Scalar>& values) {
  const std::int64_t count = std::count_if(values.begin(), values.end(), is_true);
  switch (aggregate) {
    case Aggregate::count: return number(count);
    case Aggregate::all: return number(count == std::ssize(values) ? 1 : 0);
    case Aggregate::any: return number(count > 0 ? 1 : 0);
    case Aggregate::sum: return sum_of(numbers_of(values));
    case Aggregate::min: return best_of(numbers_of(values), ExpressionKind::less);
    case Aggregate::max: break;
  }
  return best_of(numbers_of(values), ExpressionKind::greater);
}

}  // namespace

GlobalExpression::GlobalExpression(const Computation& computation, const Properties& properties,
                                   const Expression& expression)
    : computation_(computation),
      properties_(properties),
      expression_(expression),
      relevant_(computation.event_count(), false) {
  read(expression);
  find_relevant_events();
}

void GlobalExpression::read(const Expression& e) {
  if (e.kind == ExpressionKind::process_variable) {
    const bool is_label = properties_.find_label(e.name).has_value();
    Expression local;
    local.kind = is_label ? ExpressionKind::label : ExpressionKind::variable;
    local.name = e.name;
    read(e, *computation_.find_process(e.who), local, is_label);
  } else if (e.kind == ExpressionKind::aggregate) {
    readings_[&e] = {};
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (!e.who.empty() && !is_called(properties_, computation_, p, e.who)) continue;
      read(e, p, e.parts[0], reads_truth(e.aggregate));
    }
  } else {
    for (const Expression& part : e.parts) read(part);
  }
}

void GlobalExpression::read(const Expression& leaf, ProcessIndex process, const Expression& local,
                            bool truth) {
  Reading reading{process, {}};
  for (Rank k = 0; k <= computation_.last_rank(process); ++k) {
    Scalar value = value_of(local, properties_, computation_, {process, k});
    if (truth) value = number(is_true(value) ? 1 : 0);
    reading.values.push_back(std::move(value));
  }
  readings_[&leaf].push_back(std::move(reading));
}

void GlobalExpression::find_relevant_events() {
  for (const auto& [leaf, readings] : readings_) {
    for (const Reading& reading : readings) {
      for (Rank k = 1; k < reading.values.size(); ++k) {
        if (are_same(reading.values[k - 1], reading.values[k])) continue;
        relevant_[computation_.event(reading.process, k)] = true;
      }
    }
  }
}

Scalar GlobalExpression::value_of_leaf(const Expression& leaf, const GlobalState& state) const {
  std::vector<Scalar> values;
  for (const auto& [process, by_rank] : readings_.at(&leaf)) {
    Rank k = state[process];
    while (k > 0 && !relevant_[computation_.event(process, k)]) --k;
    values.push_back(by_rank[k]);
  }
  return leaf.kind == ExpressionKind::aggregate ? aggregate_of(leaf.aggregate, values)
                                                : values.front();
}

Scalar GlobalExpression::value_at(const GlobalState& state) const {
  return evaluate(expression_, [&](const Expression& leaf) { return value_of_leaf(leaf, state); });
}

bool GlobalExpression::is_satisfying_cut(const HappenedBefore& before,
                                         const GlobalState& state) const {
  if (state.size() != computation_.process_count()) return false;
  for (ProcessIndex p = 0; p < state.size(); ++p) {
    if (state[p] > computation_.last_rank(p)) return false;
  }
  const auto has_happened = [&](EventIndex e) {
    return computation_.rank_of(e) <= state[computation_.process_of(e)];
  };
  for (EventIndex cause = 0; cause < computation_.event_count(); ++cause) {
    for (EventIndex e = 0; e < computation_.event_count(); ++e) {
      if (before(cause, e) && has_happened(e) && !has_happened(cause)) return false;
    }
  }
  return holds_at(state);
}

bool GlobalExpression::is_avoiding_observation(const HappenedBefore& before,
                                               std::span<const EventIndex> sequence) const {
  const std::set<EventIndex> observed(sequence.begin(), sequence.end());
  if (observed.size() != sequence.size()) return false;
  for (EventIndex e = 0; e < computation_.event_count(); ++e) {
    if (relevant_[e] != observed.contains(e)) return false;
  }
  GlobalState state(computation_.process_count(), 0);
  if (holds_at(state)) return false;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    for (std::size_t j = i + 1; j < sequence.size(); ++j) {
      if (before(sequence[j], sequence[i])) return false;
    }
    state[computation_.process_of(sequence[i])] = computation_.rank_of(sequence[i]);
    if (holds_at(state)) return false;
  }
  return true;
}

ConsistentCuts::ConsistentCuts(const Computation& computation, const HappenedBefore& before,
                               const std::function<bool(EventIndex)>& is_relevant)
    : ranks_(computation.process_count(), {0}) {
  std::vector<EventIndex> relevant;
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    if (!is_relevant(e)) continue;
    relevant.push_back(e);
    ranks_[computation.process_of(e)].push_back(computation.rank_of(e));
  }
  std::vector<std::pair<EventIndex, EventIndex>> causes;
  for (const EventIndex e : relevant) {
    for (const EventIndex f : relevant) {
      if (before(e, f)) causes.emplace_back(e, f);
    }
  }
  const auto is_consistent = [&](const GlobalState& cut) {
    const auto has_happened = [&](EventIndex e) {
      return computation.rank_of(e) <= cut[computation.process_of(e)];
    };
    return std::none_of(causes.begin(), causes.end(), [&](const auto& pair) {
      return has_happened(pair.second) && !has_happened(pair.first);
    });
  };
  GlobalState cut(computation.process_count(), 0);
  const auto combine = [&](const auto& self, ProcessIndex p) -> void {
    if (p == cut.size()) {
      if (is_consistent(cut)) cuts_.push_back(cut);
      return;
    }
    for (const Rank rank : ranks_[p]) {
      cut[p] = rank;
      self(self, p + 1);
    }
  };
  combine(combine, 0);
  std::stable_sort(cuts_.begin(), cuts_.end(), [&](const GlobalState& a, const GlobalState& b) {
    return size_of(a) < size_of(b);
  });
  for (const GlobalState& found : cuts_) ++cuts_of_size_[size_of(found)];
}

std::size_t ConsistentCuts::size_of(const GlobalState& cut) const {
  std::size_t size = 0;
  for (std::size_t p = 0; p < cut.size(); ++p) {
    size += static_cast<std::size_t>(std::count_if(
        ranks_[p].begin(), ranks_[p].end(), [&](Rank rank) { return rank > 0 && rank <= cut[p]; }));
  }
  return size;
}

bool ConsistentCuts::is_inevitable(const GlobalState& cut) const {
  return cuts_of_size_.at(size_of(cut)) == 1;
}

bool ConsistentCuts::possibly(const Holds& holds) const {
  return std::any_of(cuts_.begin(), cuts_.end(), holds);
}

GlobalState ConsistentCuts::without_last(GlobalState cut, ProcessIndex process) const {
  const std::vector<Rank>& ranks = ranks_[process];
  cut[process] = *std::prev(std::find(ranks.begin(), ranks.end(), cut[process]));
  return cut;
}

bool ConsistentCuts::definitely(const Holds& holds) const {
  std::set<GlobalState> avoided;  // reached from the initial cut through such as do not satisfy it
  for (const GlobalState& cut : cuts_) {
    if (holds(cut)) continue;
    bool is_reached = cut == cuts_.front();
    for (ProcessIndex p = 0; p < cut.size() && !is_reached; ++p) {
      is_reached = cut[p] > 0 && avoided.contains(without_last(cut, p));
    }
    if (is_reached) avoided.insert(cut);
  }
  return !avoided.contains(cuts_.back());
}

bool ConsistentCuts::properly(const Holds& holds) const {
  return std::any_of(cuts_.begin(), cuts_.end(),
                     [&](const GlobalState& cut) { return is_inevitable(cut) && holds(cut); });
}

bool ConsistentCuts::answer(Global::Modality modality, const Holds& holds) const {
  switch (modality) {
    case Global::Modality::possibly: return possibly(holds);
    case Global::Modality::definitely: return definitely(holds);
    case Global::Modality::properly: break;
  }
  return properly(holds);
}

bool is_found(const Global& global, const Properties& properties, const Computation& computation) {
  const GlobalExpression expression(computation, properties, global.expression);
  const ConsistentCuts cuts(computation, HappenedBefore(computation),
                            [&](EventIndex e) { return expression.is_relevant(e); });
  return cuts.answer(global.modality,
                     [&](const GlobalState& cut) { return expression.holds_at(cut); });
}

}  // namespace lightcone::definition
