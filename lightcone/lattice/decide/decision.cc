// Hands a question to the modality that it asks for, at the level that serves it best.
#include <lightcone/lattice/decide/decision.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Puts one event after the other, and before each what it needs.
class ObservationWriter {
 public:
  explicit ObservationWriter(const Computation& computation)
      : computation_(computation), done_(computation.process_count(), 0) {}

  void happen(EventIndex e) {
    needed_.push_back(e);
    while (!needed_.empty()) {
      const EventIndex next = first_missing(needed_.back());
      if (next != none) {
        needed_.push_back(next);
        continue;
      }
      const EventIndex now = needed_.back();
      needed_.pop_back();
      Rank& done = done_[computation_.process_of(now)];
      if (computation_.rank_of(now) <= done) continue;
      done = computation_.rank_of(now);
      order_.push_back(now);
    }
  }
  [[nodiscard]] std::vector<EventIndex> take() { return std::move(order_); }

 private:
  [[nodiscard]] bool has_happened(EventIndex e) const {
    return computation_.rank_of(e) <= done_[computation_.process_of(e)];
  }
  /// Something that must happen before e and has not; `none`: e can happen.
  [[nodiscard]] EventIndex first_missing(EventIndex e) const {
    if (has_happened(e)) return none;
    const ProcessIndex p = computation_.process_of(e);
    if (computation_.rank_of(e) > done_[p] + 1) return computation_.event(p, done_[p] + 1);
    for (const MessageIndex m : computation_.takes(e)) {
      const EventIndex send = computation_.sent_by(m);
      if (!has_happened(send)) return send;
    }
    return none;
  }

  const Computation& computation_;
  std::vector<Rank> done_;
  std::vector<EventIndex> needed_;  // each for the one before it
  std::vector<EventIndex> order_;
};

/// In the order in which they were recorded.
[[nodiscard]] std::vector<EventIndex> events_below(const Computation& computation,
                                                   const std::vector<Rank>& cut) {
  std::vector<EventIndex> events;
  for (const EventIndex e : computation.order()) {
    if (computation.rank_of(e) <= cut[computation.process_of(e)]) events.push_back(e);
  }
  return events;
}

}  // namespace

std::optional<Level> level_of(const Question& question, const Computation& computation,
                              Budget& budget) {
  if (!budget.may_hold(bytes_of_level(computation, question.relevant))) return {};
  const std::size_t working = std::min(Level::default_working_bytes, budget.limits().bytes);
  return Level(computation, question.relevant, working);
}

Decision by_inevitable_states(const InevitableStates& states, const Condition& condition) {
  Decision decision{false,
                    {},
                    {},
                    fmt::format("the {} inevitable state{}, one by one", states.count(),
                                states.count() == 1 ? "" : "s")};
  constexpr std::size_t most_told = 4;
  decision.inevitable_count = states.count();
  states.for_each([&](std::span<const Rank> cut) {
    if (!condition.holds(cut)) {
      if (decision.inevitable.size() < most_told) {
        decision.inevitable.push_back(process_ranks(states.level(), cut));
      }
      return true;
    }
    decision.found = true;
    decision.cut = process_ranks(states.level(), cut);
    decision.inevitable.clear();
    return false;
  });
  return decision;
}

std::vector<EventIndex> observation_with(const Computation& computation,
                                         std::span<const EventIndex> in_order) {
  ObservationWriter writer(computation);
  for (const EventIndex e : in_order) writer.happen(e);
  for (const EventIndex e : computation.order()) writer.happen(e);
  return writer.take();
}

Decision decide(Global::Modality modality, const GlobalPredicate& predicate,
                const Computation& computation, const Effort& effort) {
  const auto has_time = [&] { return effort.budget.has_time(); };
  std::optional<Condition> made;
  if (predicate.is_whole()) made = condition_of(predicate, has_time);
  Decision decision;
  if (!made) {
    decision.method = "reading what the property asks for";
    effort.budget.note_time();
  } else if (modality == Global::Modality::properly) {
    // The level that docs/semantics.md names, whatever the condition looks like.
    decision = properly({*made, predicate.relevant()}, computation, effort);
  } else {
    const Question question = coarsened(*made, predicate.relevant(), computation);
    decision = modality == Global::Modality::possibly ? possibly(question, computation, effort)
                                                      : definitely(question, computation, effort);
  }
  if (decision.found.value_or(false) && !decision.cut.empty()) {
    decision.observation = events_below(computation, decision.cut);
  }
  if (!decision.found) {
    decision.method =
        fmt::format("the limit of {} was hit{}{}",
                    effort.budget.what_was_hit().empty() ? "what the algorithms can do"
                                                         : effort.budget.what_was_hit(),
                    decision.method.empty() ? "" : ": ", decision.method);
  }
  return decision;
}

}  // namespace lightcone
