// Definitely: every observation passes through a state that satisfies the condition.
#include <lightcone/error.h>
#include <lightcone/lattice/decide/avoidance.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/lattice/predicate/intermediate_sum.h>
#include <lightcone/lattice/sat/sat_avoidance.h>
#include <lightcone/lattice/workers/avoidance_on_workers.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lightcone {
namespace {

using Form = Condition::Form;
using Relation = Condition::Relation;

// For a depth-first search that finds a way soon.
constexpr std::uint64_t quick_states = std::uint64_t{1} << 18;
constexpr std::uint64_t quick_comparisons = std::uint64_t{1} << 26;  // of entries of cuts
constexpr std::size_t quick_bytes = std::size_t{1} << 30;
constexpr std::uint64_t most_events_for_sat = 400;  // of a block

/// The first state in which a table says yes, as the global state that it takes.
[[nodiscard]] std::vector<Rank> first_state(const Level& level, const Condition::Local& table) {
  const auto yes = std::find(table.values.begin(), table.values.end(), 1);
  const auto k = static_cast<Rank>(yes - table.values.begin());
  Cut cut = level.bottom();
  if (k > 0) cut = join(cut, level.past(table.chain, k));
  return process_ranks(level, cut);
}

/// A table of one process among the parts of an `any`, or the whole.
[[nodiscard]] const Condition* local_alternative(const Condition& condition) {
  if (condition.form == Form::local) return &condition;
  if (condition.form != Form::any) return nullptr;
  const auto found = std::find_if(condition.parts.begin(), condition.parts.end(),
                                  [](const Condition& part) { return part.form == Form::local; });
  return found == condition.parts.end() ? nullptr : &*found;
}

/// A sum that changes by one at a time cannot get past the bound without meeting it: `== bound` is
/// then met by the same observations as `>= bound`, if it begins below, or `<= bound`.
[[nodiscard]] Condition without_equality(const Level& level, Condition condition) {
  if (condition.form != Form::sum || condition.relation != Relation::equal) return condition;
  if (greatest_step(level, condition.sum) > 1) return condition;
  const bool below = sum_at(condition.sum, level.bottom()) < condition.bound;
  condition.relation = below ? Relation::at_least : Relation::at_most;
  return condition;
}

/// Looks for an observation that avoids a condition, block after block: between two inevitable
/// states next to each other, since every observation passes both.
class BlockSearch {
 public:
  BlockSearch(const Level& level, const Condition& condition, const Effort& effort)
      : level_(level), condition_(condition), effort_(effort) {}

  [[nodiscard]] Decision run(const InevitableStates& states) {
    Decision decision{false, {}, {}, {}};
    Cut lower = level_.bottom();
    states.for_each([&](std::span<const Rank> upper) {
      const Cut to(upper.begin(), upper.end());
      if (to != lower) decision.found = visit(lower, to);
      lower = to;
      return decision.found == false;
    });
    decision.method = method();
    if (decision.found == false && whole_) {
      decision.observation = observation_with(level_.computation(), events_);
    }
    return decision;
  }

 private:
  /// Returns whether every observation of the block meets the condition.
  [[nodiscard]] std::optional<bool> visit(const Cut& lower, const Cut& upper) {
    if (!effort_.budget.has_time()) return std::nullopt;
    ++blocks_;
    if (size_of(upper) == size_of(lower) + 1) {  // nothing lies between
      const auto chain = std::mismatch(lower.begin(), lower.end(), upper.begin()).first;
      const auto c = static_cast<std::uint32_t>(chain - lower.begin());
      events_.push_back(level_.event(c, upper[c]));
      return false;
    }
    const Level block(level_, lower, upper);
    const Condition condition = between(lower, upper, condition_);
    const Avoidance avoidance = avoid(block, condition);
    if (!avoidance.exists) return std::nullopt;
    if (!*avoidance.exists) return true;
    whole_ = whole_ && !avoidance.steps.empty();
    Cut cut = block.bottom();
    for (const std::uint32_t chain : avoidance.steps) {
      LIGHTCONE_ASSERT(can_advance(block, cut, chain));
      events_.push_back(block.event(chain, ++cut[chain]));
      LIGHTCONE_ASSERT(!condition.holds(cut));
    }
    return false;
  }

  /// First what is quick where there are many ways, then what is good at finding the only one.
  [[nodiscard]] Avoidance avoid(const Level& block, const Condition& condition) {
    Limits quick = effort_.budget.left();
    const std::uint64_t chains = block.chains();
    const std::uint64_t soon = std::min(quick_states, quick_comparisons / (chains * chains));
    quick.states = std::min(quick.states, soon + 2 * std::uint64_t{block.events()});
    quick.bytes = std::min(quick.bytes, quick_bytes);
    Budget first(quick);
    Avoidance avoidance = avoid_depth_first(block, condition, first);
    if (avoidance.exists || !effort_.budget.spend_and_go_on(first.states())) return avoidance;
    if (block.events() <= most_events_for_sat && effort_.budget.may_ask_solver()) {
      Avoidance solved = avoidance_by_sat(block, condition, effort_.budget.half_time());
      asked_solver_ = asked_solver_ || solved.exists;
      if (solved.exists) return solved;
    }
    if (!effort_.budget.has_time()) return avoidance;
    if (effort_.workers != nullptr) {
      return avoid_on_workers(*effort_.workers, block, condition, effort_.budget);
    }
    return avoid_by_level(block, condition, effort_.budget);
  }

  [[nodiscard]] std::string method() const {
    std::string how = asked_solver_ ? "search and SAT solver" : "search";
    return fmt::format("{} for an observation without it, in {} block{} between inevitable states",
                       how, blocks_, blocks_ == 1 ? "" : "s");
  }

  const Level& level_;
  const Condition& condition_;
  const Effort& effort_;
  std::vector<EventIndex> events_;  // of an observation that avoids it, so far
  bool whole_ = true;               // no step is missing in it
  bool asked_solver_ = false;
  std::size_t blocks_ = 0;
};

}  // namespace

Decision definitely(const Question& question, const Computation& computation,
                    const Effort& effort) {
  const std::optional<Level> room = level_of(question, computation, effort.budget);
  if (!room) return {};
  const Level& level = *room;
  Condition condition = question.condition;
  place_on(level, condition);
  if (const Condition* local = local_alternative(condition)) {
    return {true,
            first_state(level, local->local),
            {},
            "every observation passes all states of each process"};
  }
  const InevitableStates states = inevitable_states(level);
  Decision decision = by_inevitable_states(states, condition);
  if (*decision.found) return decision;
  const Condition avoided = without_equality(level, condition);
  if (avoided.relation != condition.relation && *by_inevitable_states(states, avoided).found) {
    return {true, {}, {}, "inevitable states: a sum that moves by ones leaves no value out"};
  }
  BlockSearch search(level, avoided, effort);
  if (!is_local_under(condition, Form::all)) return search.run(states);
  // For a conjunction of local predicates, at the level of their changes, that was all there is to
  // know (RR-2194, 3.2.1): a search only finds the observation that shows it.
  if (effort.witness) decision.observation = search.run(states).observation;
  return decision;
}

}  // namespace lightcone
