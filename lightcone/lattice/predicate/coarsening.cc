// Finds the events that a condition can do without, and places conditions on levels.
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>

#include <utility>

namespace lightcone {
namespace {

/// Calls `visit` with every table of a condition.
template <class Visit>
void for_each_table(Condition& condition, const Visit& visit) {
  if (condition.form == Condition::Form::local) visit(condition.local);
  for (Condition::Summand& summand : condition.sum) visit(summand);
  if (condition.other != nullptr) {
    auto copy = std::make_shared<Condition::Other>(*condition.other);
    for (StateTable<Datum>& column : copy->columns) visit(column);
    condition.other = std::move(copy);
  }
  for (Condition& part : condition.parts) for_each_table(part, visit);
}

template <class T>
[[nodiscard]] StateTable<T> between(const Cut& lower, const Cut& upper,
                                    const StateTable<T>& table) {
  if (table.chain == none) return table;
  const auto begin = table.values.begin();
  return {table.process, {begin + lower[table.chain], begin + upper[table.chain] + 1}, table.chain};
}

}  // namespace

Question coarsened(const Condition& condition, const Selection& relevant,
                   const Computation& computation) {
  Condition copy = condition;
  // By process and local state: whether some table has another value than in the state before.
  std::vector<std::vector<bool>> changes(computation.process_count());
  for_each_table(copy, [&](const auto& table) {
    std::vector<bool>& change = changes[table.process];
    if (change.empty()) change.assign(relevant.count(table.process) + std::size_t{1}, false);
    for (std::size_t k = 1; k < table.values.size(); ++k) {
      if (table.values[k] != table.values[k - 1]) change[k] = true;
    }
  });
  std::vector<bool> kept(computation.event_count(), false);
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (changes[p].empty()) continue;
    Rank k = 0;
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      if (relevant.contains(e) && changes[p][++k]) kept[e] = true;
    }
  }
  for_each_table(copy, [&](auto& table) {
    const std::vector<bool>& change = changes[table.process];
    std::size_t states = 1;
    for (std::size_t k = 1; k < table.values.size(); ++k) {
      if (change[k]) table.values[states++] = table.values[k];
    }
    table.values.resize(states);
  });
  return {std::move(copy), Selection(computation, [&](EventIndex e) { return kept[e]; })};
}

void place_on(const Level& level, Condition& condition) {
  for_each_table(condition, [&](auto& table) { table.chain = level.chain_of(table.process); });
}

// Nothing is copied that lies outside: there may be as many such parts as events.
Condition between(const Cut& lower, const Cut& upper, const Condition& condition) {
  Condition part;
  part.form = condition.form;
  part.truth = condition.truth;
  part.relation = condition.relation;
  part.bound = condition.bound;
  if (condition.form == Condition::Form::local) part.local = between(lower, upper, condition.local);
  for (const Condition::Summand& summand : condition.sum) {
    part.sum.push_back(between(lower, upper, summand));
  }
  if (condition.other != nullptr) {
    Condition::Other other{condition.other->term, {}};
    for (const auto& column : condition.other->columns) {
      other.columns.push_back(between(lower, upper, column));
    }
    part.other = std::make_shared<const Condition::Other>(std::move(other));
  }
  for (const Condition& inner : condition.parts) {
    part.parts.push_back(between(lower, upper, inner));
  }
  return part;
}

}  // namespace lightcone
