// Feeds monitors with the changes of local values, or keeps the changes for the end.
#include <lightcone/check/growing/growing_global.h>

#include <fmt/format.h>
#include <lightcone/causal/builder.h>
#include <lightcone/riders/certainty.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::size_t most_conjunctions = 4096;
/// Not of time: what is found must not depend on how fast the machine is.
constexpr Limits limits_of_a_trial{.states = 200'000, .bytes = std::size_t{1} << 28};

[[nodiscard]] std::uint32_t position(std::span<const ProcessIndex> processes,
                                     ProcessIndex process) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(processes, process) -
                                    processes.begin());
}

[[nodiscard]] Rank entry(std::span<const Rank> cut, ProcessIndex process) {
  return process < cut.size() ? cut[process] : 0;
}

template <class M>
constexpr std::string_view method_of = "a monitor of inevitable states, on the fly";
template <>
constexpr std::string_view method_of<PossiblyMonitor> =
    "monitors of conjunctions of local predicates, on the fly";
template <>
constexpr std::string_view method_of<DefinitelyMonitor> =
    "a monitor of a conjunction of local predicates, on the fly";

/// The events that change something, and the causal order between them, as a computation.
class SmallComputation {
 public:
  explicit SmallComputation(std::span<const std::string> processes) {
    for (const std::string& name : processes) {
      (void)builder_.process(name);
      sent_.emplace_back();
      known_.emplace_back(processes.size(), 0);
    }
    prefix_ = builder_.name("m");
  }

  void add(ProcessIndex process, std::span<const Rank> timestamp) {
    std::vector<MessageIndex> takes;
    for (ProcessIndex q = 0; q < timestamp.size(); ++q) {
      if (q == process || timestamp[q] <= known_[process][q]) continue;
      known_[process][q] = timestamp[q];
      takes.push_back(sent_[q][timestamp[q] - 1]);
    }
    Arrival arrival;
    arrival.process = process;
    arrival.kind = takes.empty() ? Kind::send : Kind::receive;
    arrival.takes = takes;
    arrival.sends = builder_.fresh_message(prefix_, builder_.message_count());
    sent_[process].push_back(arrival.sends);
    builder_.add(arrival);
  }
  [[nodiscard]] Computation build() {
    auto built = builder_.build();
    LIGHTCONE_ASSERT(built.has_value());
    return std::move(*built);
  }

 private:
  Builder builder_;
  NameIndex prefix_ = NameIndex::none;
  std::vector<std::vector<MessageIndex>> sent_;  // by process: what each of its events sends
  std::vector<std::vector<Rank>> known_;         // by process: what its last event knows
};

}  // namespace

GrowingGlobal::GrowingGlobal(const Properties& properties, const Global& global, const Names& names,
                             const GlobalEffort& effort, ClockOf clock_of)
    : global_(global),
      effort_(effort),
      clock_of_(std::move(clock_of)),
      reads_(properties, global.expression, names),
      only_(reads_.only_processes()) {}

bool GrowingGlobal::needs_all_processes() const {
  const bool is_possibly = global_.modality == Global::Modality::possibly;
  return !only_ && !(is_possibly && bears_more_processes(global_.expression));
}

void GrowingGlobal::add_process(std::string_view name) {
  chains_.emplace_back(reads_, name);
  if ((is_watched_ || is_decided()) && !chains_.back().reader.reads().empty()) latecomer_ = name;
}

void GrowingGlobal::start(ProcessIndex process, const StateContent& initial) {
  Chain& chain = chains_[process];
  (void)chain.reader.observe(initial);
  chain.initial = chain.reader.values();
  chain.has_started = true;
  watch_if_possible();
}

void GrowingGlobal::step(ProcessIndex process, Rank rank, const StateContent& state,
                         std::span<const Rank> clock) {
  Chain& chain = chains_[process];
  if (is_decided() || !chain.reader.observe(state)) return;
  chain.changes.push_back({rank, Cut(clock.begin(), clock.end())});
  Arrival arrival{process, timestamp(clock), chain.reader.values()};
  if (is_watched_) {
    tell(arrival);
    look_at_monitors();
    forget_some();
  } else {
    kept_.push_back(std::move(arrival));
    try_kept();
  }
}

/// Returns how many changes of each process lie in a past.
Cut GrowingGlobal::timestamp(std::span<const Rank> clock) const {
  Cut counts(chains_.size(), 0);
  for (ProcessIndex p = 0; p < std::min(counts.size(), clock.size()); ++p) {
    const auto& changes = chains_[p].changes;
    const auto after = std::ranges::upper_bound(changes, clock[p], {}, &Change::rank);
    counts[p] = chains_[p].forgotten + static_cast<Rank>(after - changes.begin());
  }
  return counts;
}

bool GrowingGlobal::has_all_started() const {
  return std::ranges::all_of(chains_, [](const Chain& chain) {
    return chain.has_started || chain.reader.reads().empty();
  });
}

bool GrowingGlobal::knows_processes() const {
  if (!only_) return is_closed_;
  return std::ranges::all_of(*only_, [&](const std::string& name) {
    return std::ranges::find(chains_, name, &Chain::name) != chains_.end();
  });
}

void GrowingGlobal::watch_if_possible() {
  if (is_watched_ || is_decided() || cannot_be_watched_) return;
  if (!knows_processes() || !has_all_started()) return;
  bind();
  cannot_be_watched_ = !make_monitors();
  if (cannot_be_watched_) return;
  is_watched_ = true;
  look_at_monitors();
  for (const Arrival& arrival : std::exchange(kept_, {})) {
    if (is_decided()) break;
    tell(arrival);
    look_at_monitors();
  }
}

/// Makes the term of the processes so far, with their initial values.
void GrowingGlobal::bind() {
  std::vector<std::string> names;
  for (const Chain& chain : chains_) names.push_back(chain.name);
  columns_.clear();
  term_ = reads_.bind(names, columns_);
  columns_of_.assign(chains_.size(), {});
  now_.assign(columns_.size(), {});
  for (ProcessIndex p = 0; p < chains_.size(); ++p) {
    const auto& read = chains_[p].reader.reads();
    for (std::size_t i = 0; i < read.size(); ++i) {
      const auto column = std::ranges::find(columns_, GlobalReads::Column{p, read[i]});
      columns_of_[p].push_back(static_cast<std::uint32_t>(column - columns_.begin()));
      now_[columns_of_[p].back()] = chains_[p].initial[i];
    }
  }
}

bool GrowingGlobal::make_monitors() {
  if (global_.modality == Global::Modality::properly) {
    monitors_ = properly_monitor();
    return true;
  }
  auto ways = conjunctions(term_, columns_, most_conjunctions);
  const bool is_definitely = global_.modality == Global::Modality::definitely;
  if (!ways || (is_definitely && ways->size() > 1)) return false;
  if (is_definitely) {
    monitors_ = monitors_of<DefinitelyMonitor>(std::move(*ways));
  } else {
    monitors_ = monitors_of<PossiblyMonitor>(std::move(*ways));
  }
  return true;
}

template <class M>
std::vector<GrowingGlobal::Watched<M>> GrowingGlobal::monitors_of(
    std::vector<Conjunction> conjunctions) {
  std::vector<Watched<M>> all;
  monitors_of_.assign(chains_.size(), {});
  for (Conjunction& conjunction : conjunctions) {
    Watched<M> watched;
    for (const LocalLiteral& literal : conjunction) watched.processes.push_back(literal.process);
    std::ranges::sort(watched.processes);
    watched.processes.erase(std::ranges::unique(watched.processes).begin(),
                            watched.processes.end());
    std::vector<bool> initial;
    for (const ProcessIndex p : watched.processes) {
      initial.push_back(holds(conjunction, p));
      monitors_of_[p].push_back(static_cast<std::uint32_t>(all.size()));
    }
    watched.conjunction = std::move(conjunction);
    watched.monitor = std::make_unique<M>(initial);
    all.push_back(std::move(watched));
  }
  return all;
}

GrowingGlobal::Properly GrowingGlobal::properly_monitor() {
  Properly one(1);
  monitors_of_.assign(chains_.size(), {});
  std::vector<Values> initial;
  for (ProcessIndex p = 0; p < chains_.size(); ++p) {
    if (chains_[p].reader.reads().empty()) continue;
    one[0].processes.push_back(p);
    initial.push_back(chains_[p].initial);
    monitors_of_[p].push_back(0);
  }
  one[0].monitor = std::make_unique<ProperlyMonitor<Values>>(
      std::move(initial), [this, processes = one[0].processes](std::span<const Values> values) {
        return predicate_holds(values, processes);
      });
  return one;
}

bool GrowingGlobal::predicate_holds(std::span<const Values> values,
                                    std::span<const ProcessIndex> processes) const {
  std::vector<Datum> columns(columns_.size());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const auto& of_process = columns_of_[processes[i]];
    for (std::size_t k = 0; k < of_process.size(); ++k) columns[of_process[k]] = values[i][k];
  }
  return is_true(value_of(term_, columns));
}

bool GrowingGlobal::holds(const Conjunction& conjunction, ProcessIndex process) const {
  return std::ranges::all_of(conjunction, [&](const LocalLiteral& literal) {
    return literal.process != process || literal.holds(now_);
  });
}

void GrowingGlobal::tell(const Arrival& arrival) {
  if (arrival.process >= columns_of_.size()) return;  // a latecomer, which no monitor knows
  const auto& columns = columns_of_[arrival.process];
  for (std::size_t i = 0; i < columns.size(); ++i) now_[columns[i]] = arrival.values[i];
  std::visit(
      [&](auto& monitors) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(monitors)>, std::monostate>) {
          tell(arrival, monitors);
        }
      },
      monitors_);
}

template <class M>
void GrowingGlobal::tell(const Arrival& arrival, std::vector<Watched<M>>& monitors) {
  for (const std::uint32_t i : monitors_of_[arrival.process]) {
    Watched<M>& watched = monitors[i];
    Cut timestamp;
    for (const ProcessIndex p : watched.processes) timestamp.push_back(entry(arrival.timestamp, p));
    const std::uint32_t process = position(watched.processes, arrival.process);
    Expected<void> possible;
    if constexpr (std::is_same_v<M, ProperlyMonitor<Values>>) {
      possible = watched.monitor->arrive(process, timestamp, arrival.values);
    } else {
      possible =
          watched.monitor->arrive(process, timestamp, holds(watched.conjunction, arrival.process));
    }
    LIGHTCONE_ASSERT(possible.has_value());
    if (watched.monitor->finding().found.value_or(false)) return;
  }
}

/// Whether one of the monitors has found something.
void GrowingGlobal::look_at_monitors() {
  std::visit(
      [&](auto& monitors) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(monitors)>, std::monostate>) {
          using M = std::decay_t<decltype(*monitors.front().monitor)>;
          for (const auto& watched : monitors) {
            const FoundState& finding = watched.monitor->finding();
            if (!finding.found.value_or(false)) continue;
            const std::vector<Rank> ranks = ranks_of(watched.processes, finding.cut);
            return settle({.found = true, .cut = ranks, .method = std::string(method_of<M>)});
          }
        }
      },
      monitors_);
}

void GrowingGlobal::end_monitors() {
  std::visit(
      [&](auto& monitors) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(monitors)>, std::monostate>) {
          using M = std::decay_t<decltype(*monitors.front().monitor)>;
          for (const auto& watched : monitors) {
            for (std::uint32_t i = 0; i < watched.processes.size(); ++i) {
              LIGHTCONE_ASSERT(watched.monitor->end(i).has_value());
            }
            LIGHTCONE_ASSERT(watched.monitor->finding().found.has_value());
          }
          look_at_monitors();
          if (!is_decided()) settle({.found = false, .method = std::string(method_of<M>)});
        }
      },
      monitors_);
}

/// The events that must have happened in a global state with so many changes of each process.
std::vector<Rank> GrowingGlobal::ranks_of(std::span<const ProcessIndex> processes,
                                          std::span<const Rank> cut) const {
  std::vector<Rank> ranks(chains_.size(), 0);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (cut[i] == 0) continue;
    const Chain& chain = chains_[processes[i]];
    const Cut& clock = chain.changes[cut[i] - 1 - chain.forgotten].clock;
    LIGHTCONE_ASSERT(!clock.empty());
    for (std::size_t p = 0; p < clock.size(); ++p) ranks[p] = std::max(ranks[p], clock[p]);
  }
  return ranks;
}

/// Decides on the changes so far, by the algorithms for recorded computations.
Decision GrowingGlobal::decision_on_kept(const Limits& limits) {
  bind();
  std::vector<std::string> names;
  std::vector<ProcessIndex> processes;
  for (ProcessIndex p = 0; p < chains_.size(); ++p) {
    names.push_back(chains_[p].name);
    processes.push_back(p);
  }
  SmallComputation small(names);
  std::vector<ReadColumn> read;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const GlobalReads::Read& what = reads_.reads()[columns_[i].read];
    read.push_back({columns_[i].process, {now_[i]}, what.name, what.is_truth});
  }
  for (const Arrival& arrival : kept_) {
    small.add(arrival.process, arrival.timestamp);
    const auto& columns = columns_of_[arrival.process];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      read[columns[i]].values.push_back(arrival.values[i]);
    }
  }
  const Computation computation = small.build();
  const GlobalPredicate predicate(computation, term_, std::move(read));
  Budget budget(limits);
  const Decision on_kept = decide(global_.modality, predicate, computation,
                                  Effort{budget, effort_.progress, false, effort_.workers});
  Decision decision{.found = on_kept.found, .method = on_kept.method};
  if (!on_kept.cut.empty()) decision.cut = ranks_of(processes, on_kept.cut);
  return decision;
}

/// From time to time, whether the changes so far are enough: what is possible in a part is possible
/// in the whole.
void GrowingGlobal::try_kept() {
  if (kept_.size() < next_trial_ || global_.modality != Global::Modality::possibly) return;
  next_trial_ = 2 * kept_.size();
  const bool is_certain = knows_processes() || bears_more_processes(global_.expression);
  if (!is_certain || !has_all_started()) return;
  Decision decision = decision_on_kept(limits_of_a_trial);
  if (decision.found.value_or(false)) settle(std::move(decision));
}

void GrowingGlobal::settle(Decision decision) {
  decision_ = std::move(decision);
  monitors_ = {};
  kept_ = {};
  for (Chain& chain : chains_) chain.changes = {};
}

void GrowingGlobal::finish(bool is_incomplete) {
  const bool is_possibly = global_.modality == Global::Modality::possibly;
  if (!is_decided() && is_incomplete && !is_possibly) {
    decision_.lost = true;
  } else if (!is_decided() && is_watched_) {
    end_monitors();
  } else if (!is_decided()) {
    decision_ = decision_on_kept(effort_.limits);
  }
  const bool found = decision_.found.value_or(false);
  decision_.lost = decision_.lost || (is_incomplete && decision_.found.has_value() && !found);
  if (!latecomer_.empty() && (needs_all_processes() || !found)) {
    decision_ = {};
    decision_.method = fmt::format(
        "the header does not name the process {}, and what it could meet is forgotten: check the "
        "trace as a file",
        latecomer_);
  }
  if (decision_.lost) {
    decision_.found.reset();
    decision_.method = "not decided: the lost events could decide it";
  }
}

std::size_t GrowingGlobal::bytes() const {
  constexpr std::size_t of_rank = sizeof(Rank), of_process = 900, of_state = 32, of_change = 96;
  const std::size_t n = chains_.size();
  std::size_t bytes = n * of_process + (kept_.size() + changes_) * (of_change + n * of_rank);
  std::visit(
      [&](const auto& monitors) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(monitors)>, std::monostate>) {
          for (const auto& watched : monitors) {
            const std::size_t m = watched.processes.size();
            bytes += m * (of_process + m * of_rank);
            bytes += watched.monitor->kept() * (of_state + m * of_rank);
          }
        }
      },
      monitors_);
  return bytes;
}

/// Gives memory back, each time that there is twice as much as could not be given back before.
void GrowingGlobal::forget_some() {
  if (is_decided() || ++changes_ < most_changes_) return;
  forget_clocks();
  forget_known();
  changes_ = 0;
  for (const Chain& chain : chains_) changes_ += chain.changes.size();
  most_changes_ = 2 * changes_ + 1024;
}

/// Of changes that no cut ends with that is still to be found, only the ranks are needed.
void GrowingGlobal::forget_clocks() {
  std::vector<Rank> floor(chains_.size(), none);
  std::visit(
      [&](const auto& monitors) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(monitors)>, std::monostate>) {
          for (const auto& watched : monitors) {
            const Cut& least = watched.monitor->least();
            for (std::size_t i = 0; i < watched.processes.size(); ++i) {
              Rank& lowest = floor[watched.processes[i]];
              lowest = std::min(lowest, least[i]);
            }
          }
        }
      },
      monitors_);
  for (ProcessIndex p = 0; p < chains_.size(); ++p) {
    Chain& chain = chains_[p];
    for (std::size_t i = 0; i < chain.changes.size(); ++i) {
      if (chain.forgotten + i + 1 >= floor[p]) break;
      chain.changes[i].clock = {};
    }
  }
}

/// Changes that all processes know of are in all pasts that are still to come.
void GrowingGlobal::forget_known() {
  for (ProcessIndex p = 0; p < chains_.size(); ++p) {
    Rank known = none;
    for (ProcessIndex q = 0; q < chains_.size(); ++q) {
      if (!chains_[q].reader.reads().empty()) known = std::min(known, entry(clock_of_(q), p));
    }
    auto& changes = chains_[p].changes;
    while (!changes.empty() && changes.front().clock.empty() && changes.front().rank <= known) {
      changes.pop_front();
      ++chains_[p].forgotten;
    }
  }
}

}  // namespace lightcone
