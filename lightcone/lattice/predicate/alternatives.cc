// Multiplies conjunctions out.
#include <lightcone/lattice/predicate/alternatives.h>

#include <lightcone/lattice/predicate/least_cut.h>

#include <algorithm>

namespace lightcone {
namespace {

using Form = Condition::Form;

[[nodiscard]] std::vector<Condition> products(const std::vector<Condition>& some,
                                              const std::vector<Condition>& others) {
  std::vector<Condition> all;
  for (const Condition& a : some) {
    for (const Condition& b : others) {
      std::vector<Condition> pair;
      pair.push_back(a);
      pair.push_back(b);
      Condition both = joined(Form::all, std::move(pair));
      if (both.form != Form::constant || both.truth) all.push_back(std::move(both));
    }
  }
  return all;
}

}  // namespace

std::vector<Condition> alternatives(const Condition& condition, std::size_t most) {
  std::vector<Condition> found;
  if (condition.form == Form::any) {
    for (const Condition& part : condition.parts) {
      for (Condition& inner : alternatives(part, most)) found.push_back(std::move(inner));
    }
    return found;
  }
  found.push_back(condition);
  if (condition.form != Form::all) return found;
  // First what cannot be multiplied out, as one factor.
  std::vector<Condition> plain;
  std::vector<std::vector<Condition>> factors;
  std::size_t size = 1;
  for (const Condition& part : condition.parts) {
    if (part.form != Form::any) {
      plain.push_back(part);
      continue;
    }
    factors.push_back(alternatives(part, most));
    size *= std::min(factors.back().size(), most + 1);
    if (size > most) return found;
  }
  found = {joined(Form::all, std::move(plain))};
  for (const std::vector<Condition>& factor : factors) found = products(found, factor);
  return found;
}

int cost_of(const Condition& alternative) {
  switch (alternative.form) {
    case Form::constant:
    case Form::local: return 0;
    case Form::all:
      if (is_linear(alternative)) return 1;
      break;
    default: break;
  }
  const auto is_sum = [](const Condition& part) { return part.form == Form::sum; };
  const bool sums = alternative.form == Form::all
                        ? std::all_of(alternative.parts.begin(), alternative.parts.end(), is_sum)
                        : is_sum(alternative);
  return sums ? 2 : 3;
}

}  // namespace lightcone
