// Makes conditions of terms: what is about one process becomes a table, what adds up a sum.
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/predicate/linear_form.h>

#include <algorithm>

namespace lightcone {
namespace {

using ExpressionKind = Expression::Kind;
using Aggregate = Expression::Aggregate;
using Relation = Condition::Relation;

/// `a OP b` is `b OP' a`.
[[nodiscard]] ExpressionKind mirrored(ExpressionKind comparison) {
  switch (comparison) {
    case ExpressionKind::less: return ExpressionKind::greater;
    case ExpressionKind::at_most: return ExpressionKind::at_least;
    case ExpressionKind::greater: return ExpressionKind::less;
    case ExpressionKind::at_least: return ExpressionKind::at_most;
    default: return comparison;
  }
}

[[nodiscard]] bool is_comparison(ExpressionKind kind) {
  return kind >= ExpressionKind::equal && kind <= ExpressionKind::at_least;
}

class ConditionMaker {
 public:
  ConditionMaker(const std::vector<ReadColumn>& columns, const std::function<bool()>& may_go_on)
      : columns_(columns), may_go_on_(may_go_on) {}

  /// What was made when it had to stop means nothing.
  [[nodiscard]] bool was_stopped() const { return stopped_; }

  [[nodiscard]] Condition make(const Term& term) {
    if (stopped_) return constant_condition(false);
    const std::vector<ProcessIndex> read = processes_of(term, columns_);
    if (read.size() > 1) {
      switch (term.kind) {
        case ExpressionKind::negation: return negated(make(term.parts[0]));
        case ExpressionKind::conjunction: return joined(Condition::Form::all, made(term.parts));
        case ExpressionKind::disjunction: return joined(Condition::Form::any, made(term.parts));
        default: break;
      }
    }
    stopped_ = !may_go_on(term);
    if (read.size() <= 1) return local(term, read.empty() ? none : read[0]);
    if (term.kind == ExpressionKind::aggregate) return aggregate(term);
    if (is_comparison(term.kind)) return comparison(term.kind, term.parts[0], term.parts[1], term);
    return comparison(ExpressionKind::unequal, term, zero_,
                      term);  // a number, taken for true or false
  }

 private:
  [[nodiscard]] std::size_t values_of(const Term& term) const {
    std::size_t values = 1;
    for (const std::uint32_t column : term.columns) values += columns_[column].values.size();
    for (const Term& part : term.parts) values += values_of(part);
    return values;
  }

  /// Asks once for about a million values: what is quick is done, whatever the limit.
  [[nodiscard]] bool may_go_on(const Term& term) {
    constexpr std::size_t often = 1 << 20;
    looked_at_ += values_of(term);
    if (looked_at_ < often) return true;
    looked_at_ = 0;
    return !may_go_on_ || may_go_on_();
  }

  [[nodiscard]] std::vector<Condition> made(const std::vector<Term>& terms) {
    std::vector<Condition> parts;
    for (const Term& part : terms) parts.push_back(make(part));
    return parts;
  }

  [[nodiscard]] Condition local(const Term& term, ProcessIndex process) const {
    Condition::Local table{process, {}, none};
    for (const Datum& value : values_by_state(term, columns_, process)) {
      table.values.push_back(is_true(value));
    }
    return local_condition(std::move(table));
  }

  /// Whether `test` holds of a column's value, in each state of its process.
  template <class Test>
  [[nodiscard]] Condition of_column(std::uint32_t column, const Test& test) const {
    Condition::Local table{columns_[column].process, {}, none};
    for (const Datum& value : columns_[column].values) table.values.push_back(test(value));
    return local_condition(std::move(table));
  }
  template <class Test>
  [[nodiscard]] Condition of_columns(Condition::Form kind, const Term& aggregate,
                                     const Test& test) const {
    std::vector<Condition> parts;
    for (const std::uint32_t column : aggregate.columns) parts.push_back(of_column(column, test));
    return joined(kind, std::move(parts));
  }

  [[nodiscard]] Condition aggregate(const Term& term) const {
    if (term.aggregate == Aggregate::all) {
      return of_columns(Condition::Form::all, term, is_true);
    }
    if (term.aggregate == Aggregate::any || term.aggregate == Aggregate::count) {
      return of_columns(Condition::Form::any, term, is_true);
    }
    return comparison(ExpressionKind::unequal, term, zero_, term);
  }

  [[nodiscard]] Condition comparison(ExpressionKind kind, const Term& left, const Term& right,
                                     const Term& whole) const {
    if (is_extreme(left) && processes_of(right, columns_).empty()) {
      return extreme(kind, left, values_by_state(right, columns_, none).front());
    }
    if (is_extreme(right) && processes_of(left, columns_).empty()) {
      return extreme(mirrored(kind), right, values_by_state(left, columns_, none).front());
    }
    if (auto form = linear_form(left, right, columns_)) return linear(kind, std::move(*form));
    Condition condition;
    condition.form = Condition::Form::term;
    condition.truth = true;
    condition.other = std::make_shared<Condition::Other>(other(whole));
    return condition;
  }

  [[nodiscard]] static bool is_extreme(const Term& term) {
    return term.kind == ExpressionKind::aggregate &&
           (term.aggregate == Aggregate::min || term.aggregate == Aggregate::max);
  }

  [[nodiscard]] static Condition linear(ExpressionKind kind, LinearForm form) {
    std::vector<Condition> parts = std::move(form.known);
    const auto sum = [&](Relation relation, std::int64_t bound) {
      return sum_condition(form.sum, relation, bound);
    };
    switch (kind) {
      case ExpressionKind::equal: parts.push_back(sum(Relation::equal, form.bound)); break;
      case ExpressionKind::unequal:
        parts.push_back(negated(sum(Relation::equal, form.bound)));
        break;
      case ExpressionKind::less: parts.push_back(sum(Relation::at_most, form.bound - 1)); break;
      case ExpressionKind::at_most: parts.push_back(sum(Relation::at_most, form.bound)); break;
      case ExpressionKind::greater: parts.push_back(sum(Relation::at_least, form.bound + 1)); break;
      default: parts.push_back(sum(Relation::at_least, form.bound)); break;
    }
    return joined(Condition::Form::all, std::move(parts));
  }

  /// A minimum or maximum against a constant is about each process alone; values that are no
  /// numbers do not count, but one must be a number.
  [[nodiscard]] Condition extreme(ExpressionKind kind, const Term& term, const Datum& bound) const {
    if (!is_number(bound)) {
      const bool differs =
          kind == ExpressionKind::unequal && bound.index() != 0;  // from a text: every number
      return differs ? of_columns(Condition::Form::any, term, is_number)
                     : constant_condition(false);
    }
    const bool of_min = term.aggregate == Aggregate::min;
    const auto some = [&](ExpressionKind test) {
      return of_columns(Condition::Form::any, term, [&, test](const Datum& value) {
        return is_number(value) && compare(test, value, bound);
      });
    };
    const auto every = [&](ExpressionKind test) {
      std::vector<Condition> parts;
      parts.push_back(of_columns(Condition::Form::all, term, [&, test](const Datum& value) {
        return !is_number(value) || compare(test, value, bound);
      }));
      parts.push_back(of_columns(Condition::Form::any, term, is_number));
      return joined(Condition::Form::all, std::move(parts));
    };
    const auto pair = [&](Condition::Form join, ExpressionKind a, ExpressionKind b) {
      std::vector<Condition> parts;
      parts.push_back(extreme(a, term, bound));
      parts.push_back(extreme(b, term, bound));
      return joined(join, std::move(parts));
    };
    switch (kind) {
      case ExpressionKind::equal:
        return pair(Condition::Form::all, ExpressionKind::at_least, ExpressionKind::at_most);
      case ExpressionKind::unequal:
        return pair(Condition::Form::any, ExpressionKind::less, ExpressionKind::greater);
      case ExpressionKind::less:
      case ExpressionKind::at_most: return of_min ? some(kind) : every(kind);
      default: return of_min ? every(kind) : some(kind);
    }
  }

  /// The term with the columns that it reads, and no others.
  [[nodiscard]] Condition::Other other(const Term& whole) const {
    Condition::Other result{whole, {}};
    const auto renumber = [&](const auto& self, Term& term) -> void {
      for (std::uint32_t& column : term.columns) {
        result.columns.push_back({columns_[column].process, columns_[column].values, none});
        column = static_cast<std::uint32_t>(result.columns.size() - 1);
      }
      for (Term& part : term.parts) self(self, part);
    };
    renumber(renumber, result.term);
    return result;
  }

  const std::vector<ReadColumn>& columns_;
  const std::function<bool()>& may_go_on_;
  std::size_t looked_at_ = 0;
  bool stopped_ = false;
  const Term zero_{ExpressionKind::integer, Aggregate::count, std::int64_t{0}, {}, {}};
};

}  // namespace

Condition condition_of(const GlobalPredicate& predicate) { return *condition_of(predicate, {}); }

std::optional<Condition> condition_of(const GlobalPredicate& predicate,
                                      const std::function<bool()>& may_go_on) {
  ConditionMaker maker(predicate.columns(), may_go_on);
  Condition condition = maker.make(predicate.term());
  if (maker.was_stopped()) return std::nullopt;
  return condition;
}

}  // namespace lightcone
