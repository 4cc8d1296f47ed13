// Clauses in one direction only: a literal that says that a part holds need not say when it does
// not, since negations are in the tables and relations.
#include <lightcone/lattice/sat/condition_encoding.h>

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/sat/sum_encoding.h>

#include <algorithm>
#include <map>
#include <set>

namespace lightcone {
namespace {

using Form = Condition::Form;

/// A term over at most so many combinations of values is written out.
constexpr std::uint64_t most_combinations = std::uint64_t{1} << 12;

}  // namespace

/// Not this combination of values where the term must hold.
std::vector<Literal> ConditionEncoding::clause_against(const ReadTerm& term,
                                                       const std::vector<std::uint32_t>& classes) {
  std::vector<Literal> clause{-term.when};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    clause.push_back(-term.chains[i].literals[classes[i]]);
  }
  return clause;
}

void ConditionEncoding::require(const Condition& condition, Literal when) {
  SatSolver& solver = cut_->solver();
  switch (condition.form) {
    case Form::constant:
      if (!condition.truth) solver.add({-when});
      return;
    case Form::local: require_local(condition.local, when); return;
    case Form::sum:
      require_sum(*cut_, condition.sum, condition.relation, condition.bound, when);
      return;
    case Form::term: require_term(condition, when); return;
    case Form::all:
      for (const Condition& part : condition.parts) require(part, when);
      return;
    case Form::any: require_any(condition, when); return;
  }
}

void ConditionEncoding::require_local(const Condition::Local& local, Literal when) {
  SatSolver& solver = cut_->solver();
  if (local.chain == none) {
    if (local.values[0] == 0) solver.add({-when});
    return;
  }
  const Rank highest = cut_->highest(local.chain);
  for (Rank k = cut_->lowest(local.chain); k <= highest; ++k) {
    if (local.values[k] != 0) continue;
    Rank end = k + 1;
    while (end <= highest && local.values[end] == 0) ++end;
    solver.add({-when, -cut_->at_least(local.chain, k), cut_->at_least(local.chain, end)});
    k = end;
  }
}

void ConditionEncoding::require_any(const Condition& condition, Literal when) {
  std::vector<Literal> clause{-when};
  for (const Condition& part : condition.parts) {
    clause.push_back(cut_->solver().new_variable());
    require(part, clause.back());
  }
  cut_->solver().add(clause);
}

void ConditionEncoding::require_term(const Condition& condition, Literal when) {
  ReadTerm term{&condition, when, {}};
  std::set<std::uint32_t> chains;
  for (const auto& column : condition.other->columns) {
    if (column.chain != none) chains.insert(column.chain);
  }
  std::uint64_t combinations = 1;
  for (const std::uint32_t chain : chains) {
    term.chains.push_back(read(*condition.other, chain));
    combinations *= term.chains.back().state_of.size();
    combinations = std::min(combinations, most_combinations + 1);
  }
  if (combinations > most_combinations) {
    terms_.push_back(std::move(term));
    return;
  }
  Cut states(cut_->level().chains());
  std::vector<std::uint32_t> classes;
  write_out(term, states, classes);
}

ConditionEncoding::ReadChain ConditionEncoding::read(const Condition::Other& other,
                                                     std::uint32_t chain) const {
  ReadChain read;
  read.chain = chain;
  std::map<std::vector<Datum>, std::uint32_t> numbers;
  for (Rank k = cut_->lowest(chain); k <= cut_->highest(chain); ++k) {
    std::vector<Datum> values;
    for (const auto& column : other.columns) {
      if (column.chain == chain) values.push_back(column.values[k]);
    }
    const auto [at, is_new] =
        numbers.try_emplace(std::move(values), static_cast<std::uint32_t>(numbers.size()));
    if (is_new) read.state_of.push_back(k);
    read.class_of.resize(k + std::size_t{1});
    read.class_of[k] = at->second;
  }
  read.literals = cut_->classes(chain, read.class_of);
  return read;
}

/// Goes through all combinations from those of the first `classes.size()` chains on.
void ConditionEncoding::write_out(const ReadTerm& term, Cut& states,
                                  std::vector<std::uint32_t>& classes) {
  if (classes.size() == term.chains.size()) {
    if (!term.condition->holds(states)) cut_->solver().add(clause_against(term, classes));
    return;
  }
  const ReadChain& next = term.chains[classes.size()];
  for (std::uint32_t i = 0; i < next.state_of.size(); ++i) {
    states[next.chain] = next.state_of[i];
    classes.push_back(i);
    write_out(term, states, classes);
    classes.pop_back();
  }
}

std::vector<std::vector<Literal>> ConditionEncoding::objections() const {
  std::vector<std::vector<Literal>> clauses;
  if (terms_.empty()) return clauses;
  const Cut cut = cut_->found();
  for (const ReadTerm& term : terms_) {
    if (!cut_->solver().is_true(term.when) || term.condition->holds(cut)) continue;
    std::vector<std::uint32_t> classes;
    for (const ReadChain& chain : term.chains) classes.push_back(chain.class_of[cut[chain.chain]]);
    clauses.push_back(clause_against(term, classes));
  }
  return clauses;
}

}  // namespace lightcone
