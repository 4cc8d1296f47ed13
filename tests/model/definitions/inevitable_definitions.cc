// Brute force over local states, as close to the words of RR-2194 as C++ allows.
#include "model/definitions/inevitable_definitions.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/programs/papers_monitor.h"

namespace lightcone::definition {

GroupStates::GroupStates(const Computation& computation, const Selection& relevant,
                         std::vector<ProcessIndex> group, Ends ends)
    : computation_(computation),
      relevant_(relevant),
      known_(timestamps(computation)),
      precedence_(computation, known_),
      group_(std::move(group)) {
  std::vector<LocalState> states;
  for (const ProcessIndex p : group_) {
    last_.push_back(relevant.count(p));
    first_row_.push_back(states.size());
    for (Rank x = 0; x <= last_.back() + 1; ++x) states.push_back({p, x});
  }
  const auto is_end = [&](LocalState s) { return s.index > relevant.count(s.process); };
  for (const LocalState s : states) {
    began_before_.emplace_back();
    over_before_.emplace_back();
    for (const LocalState t : states) {
      began_before_.back().push_back(!is_end(s) && begins_before(s, t, is_end(t), ends));
      over_before_.back().push_back(!is_end(s) && !is_end(t) &&
                                    precedence_.strongly_precedes(relevant, s, t));
    }
  }
}

bool GroupStates::begins_before(LocalState s, LocalState t, bool t_is_end, Ends ends) const {
  if (s.process == t.process) return s.index < t.index;
  if (ends == Ends::together && t.index > 0 && (s.index == 0 || t_is_end)) return true;
  if (!t_is_end) return precedence_.weakly_precedes(relevant_, s, t);
  const Rank events = computation_.last_rank(t.process);
  if (events == 0) return false;
  const EventIndex last = computation_.event(t.process, events);
  if (s.index == 0) return known_.at(last, s.process) > 0;
  return precedence_.happened_before(relevant_.event(s.process, s.index), last);
}

std::uint64_t GroupStates::tuples() const {
  std::uint64_t product = 1;
  for (const Rank last : last_) product *= last + 1;
  return product;
}

void GroupStates::for_all_tuples(const std::function<void(const std::vector<Rank>&)>& visit) const {
  std::vector<Rank> state(last_.size(), 0);
  const std::function<void(std::size_t)> choose = [&](std::size_t i) {
    if (i == state.size()) return visit(state);
    for (state[i] = 0; state[i] <= last_[i]; ++state[i]) choose(i + 1);
  };
  choose(0);
}

bool GroupStates::is_consistent(const std::vector<Rank>& state) const {
  for (std::uint32_t i = 0; i < state.size(); ++i) {
    for (std::uint32_t j = 0; j < state.size(); ++j) {
      if (i != j && over_before_[row(i, state[i])][row(j, state[j])]) return false;
    }
  }
  return true;
}

bool GroupStates::is_inevitable(const std::vector<Rank>& state) const {
  for (std::uint32_t i = 0; i < state.size(); ++i) {
    for (std::uint32_t j = 0; j < state.size(); ++j) {
      if (!began_before(i, state[i], j, state[j] + 1)) return false;
    }
  }
  return true;
}

namespace {

[[nodiscard]] std::size_t events_of(const std::vector<Rank>& state) {
  return std::accumulate(state.begin(), state.end(), std::size_t{0});
}

}  // namespace

std::vector<std::vector<Rank>> GroupStates::only_of_their_size() const {
  const std::size_t events = std::accumulate(last_.begin(), last_.end(), std::size_t{0});
  std::vector<std::vector<std::vector<Rank>>> of_size(events + 1);
  for_all_tuples([&](const std::vector<Rank>& state) {
    if (is_consistent(state)) of_size[events_of(state)].push_back(state);
  });
  std::vector<std::vector<Rank>> only;
  for (const auto& states : of_size) {
    if (states.size() == 1) only.push_back(states[0]);
  }
  return only;
}

std::vector<std::vector<Rank>> GroupStates::satisfying_igs() const {
  std::vector<std::vector<Rank>> states;
  for_all_tuples([&](const std::vector<Rank>& state) {
    if (is_inevitable(state)) states.push_back(state);
  });
  std::stable_sort(states.begin(), states.end(),
                   [](const auto& a, const auto& b) { return events_of(a) < events_of(b); });
  return states;
}

std::vector<std::vector<Rank>> GroupStates::found_by_monitor() const {
  std::vector<std::vector<Rank>> states;
  papers_monitor(
      last_,
      [this](std::uint32_t i, Rank x, std::uint32_t j, Rank y) { return began_before(i, x, j, y); },
      [&](std::span<const Rank> state) { states.emplace_back(state.begin(), state.end()); });
  return states;
}

}  // namespace lightcone::definition
