// Possibly: some consistent global state satisfies the condition.
#include <lightcone/error.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/lattice/order/interval.h>
#include <lightcone/lattice/predicate/alternatives.h>
#include <lightcone/lattice/predicate/greatest_sum.h>
#include <lightcone/lattice/predicate/intermediate_sum.h>
#include <lightcone/lattice/predicate/least_cut.h>
#include <lightcone/lattice/predicate/slice.h>
#include <lightcone/lattice/predicate/sum_by_elimination.h>
#include <lightcone/lattice/sat/sat_possibly.h>
#include <lightcone/lattice/visit/search.h>

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <stop_token>

namespace lightcone {
namespace {

using Form = Condition::Form;
using Relation = Condition::Relation;

constexpr std::size_t most_alternatives = 64;
constexpr const char* by_minimum_cut = "greatest or least sum of all states, by minimum cut";
constexpr const char* no_combination = "no combination of local states satisfies it";
constexpr std::uint64_t quick_entries = std::uint64_t{1}
                                        << 25;  // of cuts, before a solver is asked
constexpr std::uint64_t most_random_ways = 1000;
constexpr std::uint64_t random_steps = std::uint64_t{1} << 28;  // of all of them, a chain each
constexpr std::size_t solver_bytes_an_event = 900;              // about that much
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

[[nodiscard]] FoundState by_extreme_sum(const Level& level, const Condition& sum, Budget& budget) {
  const bool up = sum.relation == Relation::at_least;
  const ReachedSum reached = up ? greatest_sum(level, sum.sum, sum.bound, &budget)
                                : least_sum(level, sum.sum, sum.bound, &budget);
  const bool found = up ? reached.value >= sum.bound : reached.value <= sum.bound;
  return {found || reached.in_time ? std::optional(found) : std::nullopt, reached.cut,
          by_minimum_cut};
}

/// Cuts at which a sum is no greater than its bound, and no less.
struct Enclosed {
  std::optional<bool> exists = {};  ///< nothing: time was over
  Cut low = {}, high = {};
};

[[nodiscard]] Enclosed enclose(const Level& level, const Condition& sum, Budget& budget) {
  const ReachedSum low = least_sum(level, sum.sum, sum.bound, &budget);
  const ReachedSum high = greatest_sum(level, sum.sum, sum.bound, &budget);
  if (low.value <= sum.bound && high.value >= sum.bound) return {true, low.cut, high.cut};
  if (low.in_time && high.in_time) return {false, {}, {}};
  return {};
}

/// A sum that changes by one at a time takes every value between the least and the greatest.
[[nodiscard]] FoundState by_intermediate_sum(const Level& level, const Condition& sum,
                                             Budget& budget) {
  const Enclosed ends = enclose(level, sum, budget);
  FoundState answer{ends.exists, {}, "minimum cut: a sum that moves by ones leaves no value out"};
  if (!ends.exists.value_or(false)) return answer;
  auto cut = intermediate_sum(level, sum.sum, sum.bound, ends.low, ends.high);
  LIGHTCONE_ASSERT(cut.has_value());
  answer.cut = std::move(*cut);
  return answer;
}

/// Returns whether a sum is out of reach, or is met on random ways from where it is least to where
/// it is greatest; nothing where that tells nothing.
[[nodiscard]] FoundState by_random_ways(const Level& level, const Condition& condition,
                                        Budget& budget) {
  if (condition.form != Form::sum || condition.relation != Relation::equal) return {};
  const Enclosed ends = enclose(level, condition, budget);
  if (!ends.exists) return {};
  if (!*ends.exists) return {false, {}, by_minimum_cut};
  const std::uint64_t a_way = std::uint64_t{level.events()} * level.chains();
  const std::uint64_t ways = std::clamp<std::uint64_t>(random_steps / a_way, 1, most_random_ways);
  auto cut = intermediate_sum(level, condition.sum, condition.bound, ends.low, ends.high,
                              static_cast<std::uint32_t>(ways));
  if (!cut) return {};
  return {true, std::move(*cut), "random ways between the least and the greatest sum"};
}

/// The algorithms for any condition, on the part of a level that cannot be taken apart.
class GeneralSearch {
 public:
  explicit GeneralSearch(const Effort& effort) : effort_(effort) {}

  /// By random ways, by enumeration if there are few states, else by a SAT solver, else by
  /// enumeration up to the limits.
  [[nodiscard]] FoundState run(const Level& level, const Condition& condition) {
    if (!effort_.budget.has_time()) return {};
    if (!has_few_cuts(all_of(level))) {
      if (FoundState answer = by_random_ways(level, condition, effort_.budget); answer.found)
        return answer;
    }
    Limits quick = effort_.budget.left();
    quick.states = std::min(quick.states, quick_entries / std::max(level.chains(), 1U));
    Budget first(quick);
    FoundState soon = search(level, condition, first);
    const bool may_go_on = effort_.budget.spend_and_go_on(first.states());
    if (soon.found || !may_go_on) return enumerated(std::move(soon));
    if (FoundState answer = by_tables(level, condition); answer.found) return answer;
    if (effort_.workers != nullptr) return on_workers(level, condition);
    if (effort_.budget.may_ask_solver() && has_room_for_solver(level)) {
      FoundState solved = possibly_by_sat(level, condition, effort_.budget.half_time());
      if (solved.found) return by_solver(std::move(solved));
    }
    if (!effort_.budget.has_time()) return enumerated({});
    return enumerated(search(level, condition, effort_.budget, effort_.progress));
  }

 private:
  /// A sum by elimination, where tables are small.
  [[nodiscard]] FoundState by_tables(const Level& level, const Condition& condition) const {
    const bool is_exact = condition.form == Form::sum && condition.relation == Relation::equal;
    if (!is_exact || !effort_.budget.may_hold(2 * level.bytes())) return {};
    FoundState state = sum_by_elimination(level, condition.sum, condition.bound, effort_.budget);
    state.method = "elimination: global states counted by their sum";
    return state;
  }

  /// All workers enumerate, and meanwhile the solver tries here.
  [[nodiscard]] FoundState on_workers(const Level& level, const Condition& condition) {
    std::stop_source enough;
    std::future<FoundState> solving;
    if (has_room_for_solver(level)) {
      solving = std::async(std::launch::async, [&, deadline = effort_.budget.half_time()] {
        return possibly_by_sat(level, condition, deadline, enough.get_token());
      });
    }
    FoundState solved;
    const auto is_solved = [&] {
      using namespace std::chrono_literals;
      if (solving.valid() && solving.wait_for(0s) == std::future_status::ready) {
        solved = solving.get();
      }
      return solved.found.has_value();
    };
    FoundState finding = search_on_workers(*effort_.workers, level, condition, effort_.budget,
                                           effort_.progress, is_solved);
    if (finding.found) enough.request_stop();
    if (solving.valid()) solved = solving.get();
    if (!finding.found && solved.found) return by_solver(std::move(solved));
    return enumerated(std::move(finding));
  }

  [[nodiscard]] static FoundState by_solver(FoundState state) {
    state.method = "SAT solver";
    return state;
  }
  [[nodiscard]] FoundState enumerated(FoundState state) const {
    state.method = fmt::format("{} global states enumerated", effort_.budget.states());
    return state;
  }
  [[nodiscard]] bool has_room_for_solver(const Level& level) const {
    return level.bytes() + level.events() * solver_bytes_an_event <= effort_.budget.limits().bytes;
  }

  const Effort& effort_;
};

/// Every cut lies between two inevitable ones next to each other, or is one: part after part.
[[nodiscard]] FoundState in_general(const Level& level, const Condition& condition,
                                    const Effort& effort) {
  GeneralSearch general(effort);
  const InevitableStates states = inevitable_states(level);
  if (states.count() <= 2) return general.run(level, condition);
  FoundState answer{false, {}, {}};
  Cut lower = level.bottom();
  states.for_each([&](std::span<const Rank> cut) {
    const Cut upper(cut.begin(), cut.end());
    if (condition.holds(upper)) {
      answer = {true, upper, {}};
      return false;
    }
    if (size_of(upper) <= size_of(lower) + 1) {  // nothing lies between
      lower = upper;
      return true;
    }
    const Level part(level, lower, upper);
    answer = general.run(part, between(lower, upper, condition));
    for (std::size_t c = 0; c < answer.cut.size(); ++c) answer.cut[c] += lower[c];
    lower = upper;
    return answer.found == false;
  });
  if (!answer.method.empty()) answer.method += ", between ";
  answer.method += fmt::format("inevitable states ({} of them)", states.count());
  return answer;
}

[[nodiscard]] FoundState decide_on(const Level& level, const Condition& condition,
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
    return by_intermediate_sum(level, parts.others[0], effort.budget);
  }
  std::optional<Level> sliced;
  if (!parts.regular.empty()) {
    if (!effort.budget.may_hold(2 * level.bytes())) return {};
    sliced = slice(level, joined(Form::all, std::move(parts.regular)));
    if (!sliced) return {false, {}, "least cut: the regular part of it holds in no state"};
  }
  const Level& within = sliced ? *sliced : level;
  const bool extreme = one_sum && parts.others[0].relation != Relation::equal;
  FoundState answer;
  if (extreme) {
    answer = by_extreme_sum(within, parts.others[0], effort.budget);
  } else if (const Condition rest = joined(Form::all, std::move(parts.others)); sliced) {
    answer = GeneralSearch(effort).run(within, rest);
  } else {
    answer = in_general(within, rest, effort);
  }
  if (sliced) answer.method += ", on the slice where the regular part of it holds";
  return answer;
}

[[nodiscard]] Decision decide_alternative(const Condition& alternative, const Selection& relevant,
                                          const Computation& computation, const Effort& effort) {
  if (alternative.form == Form::constant) {
    Decision decision{
        alternative.truth, {}, {}, alternative.truth ? "it holds in every state" : no_combination};
    if (alternative.truth) decision.cut.assign(computation.process_count(), 0);
    return decision;
  }
  // An alternative reads less than the whole condition: more events change nothing for it.
  Question question = coarsened(alternative, relevant, computation);
  const std::optional<Level> level_if_fits = level_of(question, computation, effort.budget);
  if (!level_if_fits) return {};
  const Level& level = *level_if_fits;
  place_on(level, question.condition);
  FoundState answer = decide_on(level, question.condition, effort);
  Decision decision{answer.found, {}, {}, std::move(answer.method)};
  if (answer.found.value_or(false)) {
    LIGHTCONE_ASSERT(is_consistent(level, answer.cut) && question.condition.holds(answer.cut));
    if (!is_linear(question.condition)) retreat(level, question.condition, answer.cut);
    decision.cut = process_ranks(level, answer.cut);
  }
  return decision;
}

}  // namespace

Decision possibly(const Question& question, const Computation& computation, const Effort& effort) {
  std::vector<Condition> choices = alternatives(question.condition, most_alternatives);
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Condition& a, const Condition& b) { return cost_of(a) < cost_of(b); });
  Decision last{false, {}, {}, no_combination};
  for (std::size_t i = 0; i < choices.size() && last.found == false; ++i) {
    // What is left when a limit is hit may be what holds.
    if (i > 0 && !effort.budget.has_time()) return {};
    last = decide_alternative(choices[i], question.relevant, computation, effort);
  }
  return last;
}

}  // namespace lightcone
