// Walks through the states, or through the letters, in causal order.
#include <lightcone/riders/timed_flow.h>

#include <lightcone/causal/order/covering.h>
#include <lightcone/riders/ride.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lightcone {

bool TimedFlow::is_letter(Row row) const {
  return inspection_.observer().holds(inspection_.scene(row), flow_.labelled);
}

TimedFlow::Paths TimedFlow::start() const { return {{{Strand{}}}, false}; }

void TimedFlow::add(Strands& runs, const Strand& run) {
  const auto key = [](const Strand& r) { return std::tuple(r.position, r.process); };
  const auto at =
      std::lower_bound(runs.begin(), runs.end(), run,
                       [&](const Strand& a, const Strand& b) { return key(a) < key(b); });
  if (at == runs.end() || key(*at) != key(run)) {
    runs.insert(at, run);
  } else {
    at->time = std::max(at->time, run.time);
  }
}

/// Returns whether for each run of `a` there is one of `b` that is at least as late.
bool TimedFlow::is_below(const Strands& a, const Strands& b) {
  return std::ranges::all_of(a, [&](const Strand& run) {
    return std::ranges::any_of(b, [&](const Strand& other) {
      return other.position == run.position && other.process == run.process &&
             other.time >= run.time;
    });
  });
}

void TimedFlow::add_set(Paths& paths, Strands runs) const {
  if (!flow_.every) {
    if (paths.sets.empty()) paths.sets.emplace_back();
    for (const Strand& run : runs) add(paths.sets.front(), run);
    return;
  }
  for (const Strands& known : paths.sets) {
    if (is_below(known, runs)) return;
  }
  std::erase_if(paths.sets, [&](const Strands& known) { return is_below(runs, known); });
  if (paths.sets.size() >= most_sets) {
    paths.is_cut = true;
  } else {
    paths.sets.push_back(std::move(runs));
  }
}

void TimedFlow::join(Paths& into, const Paths& from) const {
  into.is_cut = into.is_cut || from.is_cut;
  for (const Strands& runs : from.sets) add_set(into, runs);
}

bool TimedFlow::is_in_time(const Strand& run, double within, Row row, Mode mode) {
  const Computation& computation = inspection_.computation();
  const double time = computation.time(row).value_or(std::nan(""));
  const double difference = time - run.time;
  if (std::isnan(difference)) return false;
  const ProcessIndex here = row < computation.event_count() ? computation.process_of(row)
                                                            : row - computation.event_count();
  if (run.process == here) return difference <= within;
  if (!bound_) {
    compares_processes_ = true;
    return false;
  }
  return mode == Mode::certain ? difference + *bound_ <= within : difference - *bound_ <= within;
}

TimedFlow::Strands TimedFlow::step(const Strands& runs, Row row, Mode mode) {
  const Computation& computation = inspection_.computation();
  const ProcessIndex here = row < computation.event_count() ? computation.process_of(row)
                                                            : row - computation.event_count();
  const double time = computation.time(row).value_or(std::nan(""));
  const auto& positions = flow_.timed->positions;
  Strands next;
  for (const Strand& run : runs) {
    for (const TimedAutomaton::Edge& edge : positions[run.position].edges) {
      const TimedAutomaton::Position& to = positions[edge.to];
      if (to.test && !inspection_.observer().holds(inspection_.scene(row), *to.test)) continue;
      if (edge.within && !is_in_time(run, *edge.within, row, mode)) continue;
      Strand reached{edge.to, none, 0};
      if (to.needs_anchor && to.keeps_anchor) {
        reached.process = run.process;
        reached.time = run.time;
      } else if (to.needs_anchor) {
        // An event without a time matches no `within`: its anchor is long ago.
        reached.process = here;
        reached.time = std::isnan(time) ? -HUGE_VAL : time;
      }
      add(next, reached);
    }
  }
  return next;
}

void TimedFlow::read_letter(Paths& paths, Row row, Mode mode) {
  Paths next;
  next.is_cut = paths.is_cut;
  for (const Strands& runs : paths.sets) add_set(next, step(runs, row, mode));
  paths = std::move(next);
}

/// Returns whether one path matches, or all of them do.
bool TimedFlow::accepts(const Paths& paths) const {
  const auto matches_one = [&](const Strands& runs) {
    return std::ranges::any_of(
        runs, [&](const Strand& run) { return flow_.timed->positions[run.position].is_final; });
  };
  return flow_.every ? std::ranges::all_of(paths.sets, matches_one)
                     : std::ranges::any_of(paths.sets, matches_one);
}

void TimedFlow::follow_states(Mode mode, std::vector<bool>& found, std::vector<bool>& is_known) {
  const Computation& computation = inspection_.computation();
  std::vector<Paths> now(computation.process_count());
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    now[p] = start();
    const Row initial = computation.initial_row(p);
    if (is_letter(initial)) read_letter(now[p], initial, mode);
  }
  TagsInTransit<Paths> sent(computation);
  for (const EventIndex e : computation.order()) {
    Paths& here = now[computation.process_of(e)];
    for (const MessageIndex m : computation.takes(e)) join(here, *sent.of(m));
    for (const MessageIndex m : computation.takes(e)) sent.taken(m);
    if (is_letter(e)) read_letter(here, e, mode);
    if (const MessageIndex m = computation.sends(e); m != none) {
      sent.send(m, [&] { return here; });
    }
    found[e] = accepts(here);
    is_known[e] = !here.is_cut || (flow_.every && !found[e]);
  }
}

void TimedFlow::follow_letters(Mode mode, std::vector<bool>& found, std::vector<bool>& is_known) {
  const Computation& computation = inspection_.computation();
  const Selection letters(computation, [&](EventIndex e) { return is_letter(e); });
  const CoveringGraph covering(computation, letters);
  std::vector<Paths> all(computation.event_count());
  for (const EventIndex e : computation.order()) {
    if (!letters.contains(e)) continue;
    Paths& here = all[e];
    for (const EventIndex before : covering.predecessors(e)) join(here, all[before]);
    if (covering.predecessors(e).empty()) here = start();
    read_letter(here, e, mode);
    found[e] = accepts(here);
    is_known[e] = !here.is_cut || (flow_.every && !found[e]);
  }
}

void TimedFlow::for_each_answer(const std::function<void(Row, std::optional<bool>)>& answer) {
  const std::uint32_t events = inspection_.computation().event_count();
  std::vector<bool> certain(events), possible(events), certain_known(events, true),
      possible_known(events, true);
  const auto follow = [&](Mode mode, std::vector<bool>& found, std::vector<bool>& is_known) {
    flow_.longest ? follow_letters(mode, found, is_known) : follow_states(mode, found, is_known);
  };
  follow(Mode::certain, certain, certain_known);
  follow(Mode::possible, possible, possible_known);
  for (EventIndex e = 0; e < events; ++e) {
    if (flow_.longest && !is_letter(e)) continue;
    if (certain[e] && certain_known[e]) {
      answer(e, true);
    } else if (!possible[e] && possible_known[e]) {
      answer(e, false);
    } else {
      answer(e, std::nullopt);
    }
  }
}

}  // namespace lightcone
