// Steps of a timed automaton along all paths at once.
#include <lightcone/riders/timed/timed_paths.h>

#include <lightcone/base/time/decimal_seconds.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lightcone {
namespace {

using Strand = TimedPaths::Strand;
using Strands = TimedPaths::Strands;

void add_strand(Strands& runs, const Strand& run) {
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
[[nodiscard]] bool is_below(const Strands& a, const Strands& b) {
  return std::ranges::all_of(a, [&](const Strand& run) {
    return std::ranges::any_of(b, [&](const Strand& other) {
      return other.position == run.position && other.process == run.process &&
             other.time >= run.time;
    });
  });
}

/// One letter, and how its time compares.
struct Letter {
  TimedFlows& flows;
  const Step& step;
  std::uint32_t process;
  TimeMode mode;

  [[nodiscard]] Strands read(const Strands& runs) const {
    const auto& positions = flows.flow.timed->positions;
    Strands next;
    for (const Strand& run : runs) {
      for (const TimedAutomaton::Edge& edge : positions[run.position].edges) {
        const TimedAutomaton::Position& to = positions[edge.to];
        if (to.test && !flows.observer.holds(step.scene, *to.test)) continue;
        if (edge.within &&
            !is_in_time(flows, {run.process, run.time}, {process, step.time}, *edge.within, mode)) {
          continue;
        }
        Strand reached{edge.to, none, 0};
        if (to.needs_anchor && to.keeps_anchor) {
          reached.process = run.process;
          reached.time = run.time;
        } else if (to.needs_anchor) {
          // An event without a time matches no `within`: its anchor is long ago.
          reached.process = process;
          reached.time = std::isnan(step.time) ? -HUGE_VAL : step.time;
        }
        add_strand(next, reached);
      }
    }
    return next;
  }
};

}  // namespace

bool is_in_time(TimedFlows& flows, ClockTime first, ClockTime second, double within,
                TimeMode mode) {
  if (mode == TimeMode::whatever) return true;
  if (!std::isfinite(first.seconds) || !std::isfinite(second.seconds)) return false;
  if (first.process == second.process) {
    return differ_at_most(first.seconds, second.seconds, 0, within);
  }
  if (!flows.clocks_within) {
    flows.compares_processes = true;
    return false;
  }
  const double bound = mode == TimeMode::certain ? *flows.clocks_within : -*flows.clocks_within;
  return differ_at_most(first.seconds, second.seconds, bound, within);
}

void TimedPaths::add_set(bool every, Strands runs) {
  if (!every) {
    if (sets_.empty()) sets_.emplace_back();
    for (const Strand& run : runs) add_strand(sets_.front(), run);
    return;
  }
  for (const Strands& known : sets_) {
    if (is_below(known, runs)) return;
  }
  std::erase_if(sets_, [&](const Strands& known) { return is_below(runs, known); });
  if (sets_.size() >= most_sets) {
    is_cut_ = true;
  } else {
    sets_.push_back(std::move(runs));
  }
}

void TimedPaths::join(const TimedFlows& flows, const TimedPaths& other) {
  is_cut_ = is_cut_ || other.is_cut_;
  for (const Strands& runs : other.sets_) add_set(flows.flow.every, runs);
}

void TimedPaths::read_letter(TimedFlows& flows, const Step& step, std::uint32_t process,
                             TimeMode mode) {
  const Letter letter{flows, step, process, mode};
  TimedPaths next;
  next.is_cut_ = is_cut_;
  for (const Strands& runs : sets_) next.add_set(flows.flow.every, letter.read(runs));
  *this = std::move(next);
}

TimedPaths TimedPaths::without(std::uint32_t process) const {
  TimedPaths kept = *this;
  for (Strands& runs : kept.sets_) {
    std::erase_if(runs, [&](const Strand& run) { return run.process == process; });
  }
  return kept;
}

bool TimedPaths::accepts(const CompiledFlow& flow) const {
  const auto matches = [&](const Strands& runs) {
    return std::ranges::any_of(
        runs, [&](const Strand& run) { return flow.timed->positions[run.position].is_final; });
  };
  return flow.every ? std::ranges::all_of(sets_, matches) : std::ranges::any_of(sets_, matches);
}

}  // namespace lightcone
