// Conditions: how they are joined, negated, evaluated.
#include <lightcone/lattice/predicate/condition.h>

#include <lightcone/lattice/order/level.h>

#include <algorithm>
#include <map>

namespace lightcone {
namespace {

using Form = Condition::Form;
using Relation = Condition::Relation;
using Summand = Condition::Summand;

[[nodiscard]] bool holds(Relation relation, std::int64_t sum, std::int64_t bound) {
  switch (relation) {
    case Relation::at_least: return sum >= bound;
    case Relation::at_most: return sum <= bound;
    case Relation::equal: break;
  }
  return sum == bound;
}

[[nodiscard]] bool holds(const Condition::Other& other, std::span<const Rank> cut) {
  thread_local std::vector<Datum> columns;
  columns.clear();
  for (const auto& column : other.columns) columns.push_back(column.at(cut));
  return is_true(value_of(other.term, columns));
}

/// Collects the parts of an `all` or `any`, with one table a process.
class Joiner {
 public:
  explicit Joiner(Form form) : form_(form), neutral_(form == Form::all) {}

  /// False when this part decides the whole.
  [[nodiscard]] bool add(Condition part) {
    if (part.form == Form::constant) return part.truth == neutral_;
    if (part.form == form_) {
      return std::all_of(part.parts.begin(), part.parts.end(),
                         [&](Condition& inner) { return add(std::move(inner)); });
    }
    if (part.form == Form::local) {
      add_local(std::move(part));
    } else {
      parts_.push_back(std::move(part));
    }
    return true;
  }

  [[nodiscard]] std::vector<Condition> take() { return std::move(parts_); }

 private:
  void add_local(Condition part) {
    const auto [at, is_new] = place_.try_emplace(part.local.process, parts_.size());
    if (is_new) {
      parts_.push_back(std::move(part));
      return;
    }
    std::vector<std::uint8_t>& values = parts_[at->second].local.values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = neutral_ ? values[k] & part.local.values[k] : values[k] | part.local.values[k];
    }
  }

  Form form_;
  bool neutral_;
  std::vector<Condition> parts_;
  std::map<ProcessIndex, std::size_t> place_;  // of each process's table among the parts
};

struct Range {
  std::int64_t least = 0, greatest = 0;
};

[[nodiscard]] Range range_of(const Summand& summand) {
  const auto [least, greatest] = std::minmax_element(summand.values.begin(), summand.values.end());
  return {*least, *greatest};
}

[[nodiscard]] Range range_of(const std::vector<Summand>& sum) {
  Range whole;
  for (const Summand& summand : sum) {
    const Range range = range_of(summand);
    whole.least += range.least;
    whole.greatest += range.greatest;
  }
  return whole;
}

/// Every process at its greatest value.
[[nodiscard]] Condition all_at_greatest(const std::vector<Summand>& sum) {
  std::vector<Condition> parts;
  for (const Summand& summand : sum) {
    const Range range = range_of(summand);
    Condition::Local table{summand.process, {}, none};
    for (const std::int64_t value : summand.values) {
      table.values.push_back(value == range.greatest);
    }
    parts.push_back(local_condition(std::move(table)));
  }
  return joined(Form::all, std::move(parts));
}

/// The least step down from a greatest value that some process can make.
[[nodiscard]] std::int64_t least_gap(const std::vector<Summand>& sum) {
  std::int64_t gap = INT64_MAX;
  for (const Summand& summand : sum) {
    const std::int64_t greatest = range_of(summand).greatest;
    for (const std::int64_t value : summand.values) {
      if (value != greatest) gap = std::min(gap, greatest - value);
    }
  }
  return gap;
}

[[nodiscard]] std::vector<Summand> opposite(std::vector<Summand> sum) {
  for (Summand& summand : sum) {
    for (std::int64_t& value : summand.values) value = -value;
  }
  return sum;
}

[[nodiscard]] Condition plain_sum(std::vector<Summand> sum, Relation relation, std::int64_t bound) {
  Condition condition;
  condition.form = Form::sum;
  condition.relation = relation;
  condition.bound = bound;
  condition.sum = std::move(sum);
  return condition;
}

[[nodiscard]] Condition at_least(std::vector<Summand> sum, std::int64_t bound) {
  const Range range = range_of(sum);
  if (range.least >= bound) return constant_condition(true);
  if (range.greatest < bound) return constant_condition(false);
  if (sum.size() > 1 && range.greatest - least_gap(sum) < bound) return all_at_greatest(sum);
  // Not `at most bound - 1`: where that takes every process at its least, one that is not will do.
  std::vector<Summand> below = opposite(sum);
  if (sum.size() > 1 && -range.least - least_gap(below) < 1 - bound) {
    return negated(all_at_greatest(below));
  }
  if (sum.size() > 1) return plain_sum(std::move(sum), Relation::at_least, bound);
  Condition::Local table{sum[0].process, {}, none};
  for (const std::int64_t value : sum[0].values) table.values.push_back(value >= bound);
  return local_condition(std::move(table));
}

}  // namespace

bool Condition::holds(std::span<const Rank> cut) const {
  const auto part_holds = [&](const Condition& part) { return part.holds(cut); };
  switch (form) {
    case Form::constant: return truth;
    case Form::local: return local.at(cut) != 0;
    case Form::sum: {
      std::int64_t total = 0;
      for (const Summand& summand : sum) total += summand.at(cut);
      return lightcone::holds(relation, total, bound);
    }
    case Form::term: return lightcone::holds(*other, cut) == truth;
    case Form::all: return std::all_of(parts.begin(), parts.end(), part_holds);
    case Form::any: break;
  }
  return std::any_of(parts.begin(), parts.end(), part_holds);
}

Condition constant_condition(bool truth) {
  Condition condition;
  condition.truth = truth;
  return condition;
}

Condition local_condition(Condition::Local table) {
  const auto first = table.values.front();
  if (std::all_of(table.values.begin(), table.values.end(),
                  [&](std::uint8_t value) { return value == first; })) {
    return constant_condition(first != 0);
  }
  Condition condition;
  condition.form = Form::local;
  condition.local = std::move(table);
  return condition;
}

Condition sum_condition(std::vector<Summand> sum, Relation relation, std::int64_t bound) {
  std::vector<Summand> moving;
  for (Summand& summand : sum) {
    const Range range = range_of(summand);
    if (range.least == range.greatest) {
      bound -= range.least;
    } else {
      moving.push_back(std::move(summand));
    }
  }
  if (moving.empty()) return constant_condition(holds(relation, 0, bound));
  if (relation == Relation::at_least) return at_least(std::move(moving), bound);
  if (relation == Relation::at_most) {
    Condition condition = at_least(opposite(moving), -bound);
    if (condition.form != Form::sum) return condition;
    return plain_sum(std::move(moving), relation, bound);
  }
  const Range range = range_of(moving);
  if (bound < range.least || bound > range.greatest) return constant_condition(false);
  if (bound == range.greatest) return all_at_greatest(moving);
  if (bound == range.least) return all_at_greatest(opposite(std::move(moving)));
  if (moving.size() > 1) return plain_sum(std::move(moving), relation, bound);
  Condition::Local table{moving[0].process, {}, none};
  for (const std::int64_t value : moving[0].values) table.values.push_back(value == bound);
  return local_condition(std::move(table));
}

Condition joined(Form form, std::vector<Condition> parts) {
  const bool neutral = form == Form::all;
  Joiner joiner(form);
  for (Condition& part : parts) {
    if (!joiner.add(std::move(part))) return constant_condition(!neutral);
  }
  // Tables that were joined may have become constant.
  std::vector<Condition> left;
  for (Condition& part : joiner.take()) {
    if (part.form == Form::local) part = local_condition(std::move(part.local));
    if (part.form != Form::constant) {
      left.push_back(std::move(part));
    } else if (part.truth != neutral) {
      return constant_condition(!neutral);
    }
  }
  if (left.empty()) return constant_condition(neutral);
  if (left.size() == 1) return std::move(left.front());
  Condition condition;
  condition.form = form;
  condition.parts = std::move(left);
  return condition;
}

Condition negated(const Condition& condition) {
  Condition result = condition;
  switch (condition.form) {
    case Form::constant:
    case Form::term: result.truth = !condition.truth; return result;
    case Form::local:
      for (std::uint8_t& value : result.local.values) value = value == 0;
      return result;
    case Form::sum: break;
    case Form::all:
    case Form::any: {
      std::vector<Condition> parts;
      for (const Condition& part : condition.parts) parts.push_back(negated(part));
      return joined(condition.form == Form::all ? Form::any : Form::all, std::move(parts));
    }
  }
  const auto below = [&] {
    return sum_condition(condition.sum, Relation::at_most, condition.bound - 1);
  };
  const auto above = [&] {
    return sum_condition(condition.sum, Relation::at_least, condition.bound + 1);
  };
  if (condition.relation == Relation::at_least) return below();
  if (condition.relation == Relation::at_most) return above();
  std::vector<Condition> either;
  either.push_back(below());
  either.push_back(above());
  return joined(Form::any, std::move(either));
}

bool is_local_under(const Condition& condition, Form form) {
  if (condition.form == Form::constant || condition.form == Form::local) return true;
  return condition.form == form &&
         std::all_of(condition.parts.begin(), condition.parts.end(),
                     [](const Condition& part) { return part.form == Form::local; });
}

}  // namespace lightcone
