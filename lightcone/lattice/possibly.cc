// Possibly: some consistent global state satisfies the condition.
#include <lightcone/causal/error.h>
#include <lightcone/lattice/alternatives.h>
#include <lightcone/lattice/decision.h>
#include <lightcone/lattice/greatest_sum.h>
#include <lightcone/lattice/inevitable.h>
#include <lightcone/lattice/intermediate_sum.h>
#include <lightcone/lattice/least_cut.h>
#include <lightcone/lattice/level.h>
#include <lightcone/lattice/sat.h>
#include <lightcone/lattice/search.h>
#include <lightcone/lattice/slice.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {
namespace {

using Form = Condition::Form;
using Relation = Condition::Relation;

constexpr std::size_t most_alternatives = 64;
constexpr const char* by_minimum_cut = "greatest or least sum of all states, by minimum cut";
constexpr const char* no_combination = "no combination of local states satisfies it";
constexpr std::uint64_t quick_states = 1 << 22;  // enumerated before a solver is asked
constexpr std::size_t random_ways = 1000;
constexpr std::size_t most_retreats = 1 << 16;

/// Takes events back as long as the condition holds: what is left is what it takes.
void retreat(const Level& level, const Condition& condition, Cut& cut) {
  const auto is_needed = [&](std::uint32_t chain) {
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      if (c != chain && cut[c] > level.bottom()[c] && level.past(c, cut[c])[chain] >= cut[chain]) {
        return true;
      }
    }
    return false;
  };
  bool moved = true;
  for (std::size_t steps = 0; moved && steps < most_retreats;) {
    moved = false;
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      while (cut[c] > level.bottom()[c] && !is_needed(c) && ++steps < most_retreats) {
        --cut[c];
        if (!condition.holds(cut)) {
          ++cut[c];
          break;
        }
        moved = true;
      }
    }
  }
}

/// What was found about one alternative, on its own level.
struct Finding {
  std::optional<bool> found = {};
  Cut cut = {};
  std::string method = {};
};

/// The parts of a conjunction, by what can be done with them.
struct Sorted {
  std::vector<Condition> regular, others;
};

[[nodiscard]] Sorted sorted(const Condition& condition) {
  Sorted parts;
  const auto add = [&](const Condition& part) {
    (is_regular(part) ? parts.regular : parts.others).push_back(part);
  };
  if (condition.form != Form::all) {
    add(condition);
  } else {
    for (const Condition& part : condition.parts) add(part);
  }
  return parts;
}

[[nodiscard]] Finding by_extreme_sum(const Level& level, const Condition& sum) {
  const bool up = sum.relation == Relation::at_least;
  const ReachedSum reached =
      up ? greatest_sum(level, sum.sum, sum.bound) : least_sum(level, sum.sum, sum.bound);
  return {up ? reached.value >= sum.bound : reached.value <= sum.bound, reached.cut,
          by_minimum_cut};
}

/// A sum that changes by one at a time takes every value between the least and the greatest.
[[nodiscard]] Finding by_intermediate_sum(const Level& level, const Condition& sum) {
  const ReachedSum low = least_sum(level, sum.sum, sum.bound);
  const ReachedSum high = greatest_sum(level, sum.sum, sum.bound);
  Finding finding{false, {}, "minimum cut: a sum that moves by ones leaves no value out"};
  if (low.value > sum.bound || high.value < sum.bound) return finding;
  const auto cut = intermediate_sum(level, sum.sum, sum.bound, low.cut, high.cut);
  LIGHTCONE_ASSERT(cut.has_value());
  return {true, *cut, std::move(finding.method)};
}

/// Whether a sum is out of reach, or is met on random ways from where it is least to where it is
/// greatest; nothing where that tells nothing.
[[nodiscard]] Finding by_random_ways(const Level& level, const Condition& condition) {
  if (condition.form != Form::sum) return {};
  const ReachedSum low = least_sum(level, condition.sum, condition.bound);
  const ReachedSum high = greatest_sum(level, condition.sum, condition.bound);
  if (low.value > condition.bound || high.value < condition.bound) {
    return {false, {}, by_minimum_cut};
  }
  auto cut =
      intermediate_sum(level, condition.sum, condition.bound, low.cut, high.cut, random_ways);
  if (!cut) return {};
  return {true, std::move(*cut), "random ways between the least and the greatest sum"};
}

/// The algorithms for any condition, on the part of a level that cannot be taken apart.
class GeneralSearch {
 public:
  explicit GeneralSearch(const Effort& effort) : effort_(effort) {}

  /// By random ways, by enumeration if there are few states, else by a SAT solver, else by
  /// enumeration up to the limits.
  [[nodiscard]] Finding run(const Level& level, const Condition& condition) {
    if (Finding finding = by_random_ways(level, condition); finding.found) return finding;
    Limits quick = effort_.budget.left();
    quick.states = std::min(quick.states, quick_states);
    Budget first(quick);
    const SearchResult soon = search(level, condition, first);
    states_ += soon.states;
    if (soon.found || !effort_.budget.spend_and_go_on(soon.states)) return enumerated(soon);
    FoundCut solved = possibly_by_sat(level, condition, effort_.budget.half_time());
    if (solved.search != Search::unknown) {
      return {solved.search == Search::found, std::move(solved.cut), "SAT solver"};
    }
    if (!effort_.budget.has_time()) return enumerated(soon);
    const SearchResult late = search(level, condition, effort_.budget, effort_.progress);
    states_ += late.states;
    return enumerated(late);
  }

 private:
  [[nodiscard]] Finding enumerated(const SearchResult& result) const {
    return {result.found, result.cut, fmt::format("{} global states enumerated", states_)};
  }

  const Effort& effort_;
  std::uint64_t states_ = 0;
};

/// Every cut lies between two inevitable ones next to each other: one part after the other.
[[nodiscard]] Finding in_general(const Level& level, const Condition& condition,
                                 const Effort& effort) {
  GeneralSearch general(effort);
  const InevitableStates states = inevitable_states(level);
  if (states.count() <= 2) return general.run(level, condition);
  Finding finding{false, {}, {}};
  Cut lower = level.bottom();
  states.for_each([&](std::span<const Rank> cut) {
    const Cut upper(cut.begin(), cut.end());
    if (upper == lower) return true;
    const Level part(level, lower, upper);
    finding = general.run(part, between(lower, upper, condition));
    for (std::size_t c = 0; c < finding.cut.size(); ++c) finding.cut[c] += lower[c];
    lower = upper;
    return finding.found == false;
  });
  finding.method += fmt::format(", between {} inevitable states", states.count());
  return finding;
}

[[nodiscard]] Finding decide_on(const Level& level, const Condition& condition,
                                const Effort& effort) {
  if (is_linear(condition)) {
    auto cut = least_cut(level, condition, level.bottom());
    return {cut.has_value(), cut.value_or(Cut()),
            "least cut: processes advance until none is in the way"};
  }
  Sorted parts = sorted(condition);
  const bool one_sum = parts.others.size() == 1 && parts.others[0].form == Form::sum;
  if (one_sum && parts.regular.empty() && parts.others[0].relation == Relation::equal &&
      greatest_step(level, parts.others[0].sum) <= 1) {
    return by_intermediate_sum(level, parts.others[0]);
  }
  std::optional<Level> sliced;
  if (!parts.regular.empty()) {
    sliced = slice(level, joined(Form::all, std::move(parts.regular)));
    if (!sliced) return {false, {}, "least cut: the regular part of it holds in no state"};
  }
  const Level& within = sliced ? *sliced : level;
  const bool extreme = one_sum && parts.others[0].relation != Relation::equal;
  Finding finding;
  if (extreme) {
    finding = by_extreme_sum(within, parts.others[0]);
  } else if (const Condition rest = joined(Form::all, std::move(parts.others)); sliced) {
    finding = GeneralSearch(effort).run(within, rest);
  } else {
    finding = in_general(within, rest, effort);
  }
  if (sliced) finding.method += ", on the slice where the regular part of it holds";
  return finding;
}

[[nodiscard]] Decision decide_alternative(const Condition& alternative, const Selection& relevant,
                                          const Computation& computation, const Effort& effort) {
  if (alternative.form == Form::constant) {
    Decision decision{
        alternative.truth, {}, {}, alternative.truth ? "it holds in every state" : no_combination};
    if (alternative.truth) decision.cut.assign(computation.process_count(), 0);
    return decision;
  }
  Question question = coarsened(alternative, relevant, computation);
  if (!effort.budget.may_hold(bytes_of_level(computation, question.relevant))) return {};
  const Level level(computation, question.relevant);
  place_on(level, question.condition);
  Finding finding = decide_on(level, question.condition, effort);
  Decision decision{finding.found, {}, {}, std::move(finding.method)};
  if (finding.found.value_or(false)) {
    LIGHTCONE_ASSERT(is_consistent(level, finding.cut) && question.condition.holds(finding.cut));
    if (!is_linear(question.condition)) retreat(level, question.condition, finding.cut);
    decision.cut = process_ranks(level, finding.cut);
  }
  return decision;
}

}  // namespace

Decision possibly(const Question& question, const Computation& computation, const Effort& effort) {
  std::vector<Condition> choices = alternatives(question.condition, most_alternatives);
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Condition& a, const Condition& b) { return cost_of(a) < cost_of(b); });
  Decision last{false, {}, {}, no_combination};
  bool all_known = true;
  for (const Condition& choice : choices) {
    if (!effort.budget.has_time()) return {};
    last = decide_alternative(choice, question.relevant, computation, effort);
    if (last.found.value_or(false)) return last;
    all_known = all_known && last.found.has_value();
  }
  if (!all_known) last.found = std::nullopt;
  return last;
}

}  // namespace lightcone
