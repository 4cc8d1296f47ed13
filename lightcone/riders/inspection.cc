// Runs the riders that the properties need over a computation.
#include <lightcone/riders/inspection.h>

#include <lightcone/base/parallel.h>
#include <lightcone/causal/order/covering.h>
#include <lightcone/riders/communication_rider.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/participation_rider.h>
#include <lightcone/riders/ride.h>
#include <lightcone/riders/timed/timed_flow_rider.h>
#include <lightcone/riders/walks/longest_flow_walk.h>
#include <lightcone/riders/walks/lrdag_walk.h>

#include <algorithm>

namespace lightcone {

namespace {

/// Returns whether two alphabets make letters of the same states, of those that have been seen.
[[nodiscard]] bool are_alike(const Observer& observer, std::uint32_t a, std::uint32_t b) {
  for (Scene scene = 0; scene < observer.scene_count(); ++scene) {
    if (observer.holds(scene, a) != observer.holds(scene, b)) return false;
  }
  return true;
}

/// Follows longest flows without a vector per message. False if that would take much memory; then
/// some answers are missing.
[[nodiscard]] bool walk_vectors(const Computation& computation, std::span<const Scene> scenes,
                                const Observer& observer, ReachedSets& sets,
                                std::vector<std::optional<FoundRows>>& answers) {
  constexpr std::size_t most_row_bytes = std::size_t{64} << 20;
  struct Asked {
    std::size_t flow;
    FoundRows* answer;
  };
  std::vector<std::vector<Asked>> asked(observer.scene_count());
  for (Scene scene = 0; scene < asked.size(); ++scene) {
    for (std::size_t flow = 0; flow < sets.flows().size(); ++flow) {
      if (!sets.is_asked(flow, scene)) continue;
      asked[scene].push_back({flow, &*answers[sets.flows()[flow]->property]});
    }
  }
  LongestFlowWalk walk(sets, computation, observer.scene_count(), most_row_bytes);
  return walk.run(scenes, [&](EventIndex e, ReachedSets::Index set) {
    for (const Asked& one : asked[scenes[e]]) one.answer->ask(e, sets.is_found(one.flow, set));
  });
}

}  // namespace

std::vector<std::unique_ptr<LongestFlows>> by_alphabet(const CompiledProperties& properties,
                                                       const Observer& observer, Seen seen) {
  std::vector<std::vector<const CompiledFlow*>> groups;
  for (const CompiledFlow& flow : properties.flows()) {
    if (!flow.longest || flow.timed) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& flows) {
      const std::uint32_t labelled = flows.front()->labelled;
      return labelled == flow.labelled ||
             (seen == Seen::all && are_alike(observer, labelled, flow.labelled));
    });
    if (group == groups.end()) {
      groups.push_back({&flow});
    } else {
      group->push_back(&flow);
    }
  }
  std::vector<std::unique_ptr<LongestFlows>> all;
  for (auto& flows : groups) {
    const std::uint32_t labelled = flows.front()->labelled;
    all.push_back(std::make_unique<LongestFlows>(std::move(flows), labelled, observer));
  }
  return all;
}

Inspection::Inspection(const CompiledProperties& properties, const Computation& computation,
                       std::optional<Visibility> assumed, ValueSlice slice,
                       std::uint32_t most_riders)
    : properties_(properties),
      computation_(computation),
      observer_(properties.vocabulary(), computation.names()),
      scenes_(observe(computation, observer_, slice)),
      lrdag_(properties, observer_),
      longest_(by_alphabet(properties, observer_, Seen::all)),
      answers_(properties.source().properties.size()),
      methods_(answers_.size()),
      most_riders_(most_riders) {
  for (const auto& member : lrdag_.members()) {
    answers_[member.property].emplace(computation.row_count());
    methods_[member.property] = "bits of LRDAG equations";
  }
  for (const auto& group : longest_) {
    for (const CompiledFlow* flow : group->sets.flows()) {
      answers_[flow->property].emplace(computation.row_count());
    }
  }
  for (const Undecided& property : properties.undecided()) {
    methods_[property.property] = property.why;
  }
  // Each part touches its own rider's tables and its own properties' answers.
  const std::size_t first = lrdag_.members().empty() ? 0 : 1;
  for_each_part(first + longest_.size(), [&](std::size_t i) {
    if (i < first) {
      ride_lrdag();
    } else {
      ride_longest(*longest_[i - first], assumed);
    }
  });
  follow_times();
}

void Inspection::follow_times() {
  for (const CompiledFlow& flow : properties_.flows()) {
    if (!flow.timed) continue;
    answers_[flow.property].emplace(computation_.row_count());
    methods_[flow.property] = "times along paths";
    TimedFlows timed{flow, observer_, properties_.source().clocks_within};
    std::vector<TimedFlowRider> riders;
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) riders.emplace_back(timed, p);
    ride(computation_, scenes_, riders, [&](Row row, const TimedFlowRider& rider) {
      rider.answer([&](std::optional<bool> found) {
        if (!is_asked(flow.property, row)) return;
        if (found) {
          answers_[flow.property]->ask(row, *found);
        } else {
          answers_[flow.property]->ask_undecided(row);
        }
      });
    });
    if (timed.compares_processes && uncomparable_ == none) uncomparable_ = flow.property;
  }
}

void Inspection::ride_lrdag() {
  const auto& members = lrdag_.members();
  // Which members are asked depends on the scene alone.
  std::vector<std::vector<std::uint32_t>> asked(observer_.scene_count());
  for (Scene scene = 0; scene < asked.size(); ++scene) {
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      if (lrdag_.is_asked(m, scene)) asked[scene].push_back(m);
    }
  }
  if (LrdagWalk::can(lrdag_)) {
    std::vector<FoundRows*> answers;
    for (const Lrdag::Member& member : members) answers.push_back(&*answers_[member.property]);
    LrdagWalk walk(lrdag_, observer_.scene_count());
    walk.run(computation_, scenes_, [&](Row row, std::uint64_t found) {
      for (const std::uint32_t m : asked[scenes_[row]]) answers[m]->ask(row, (found >> m & 1) != 0);
    });
    return;
  }
  std::vector<LrdagRider> riders(computation_.process_count(), LrdagRider(lrdag_));
  ride(computation_, scenes_, riders, [&](Row row, const LrdagRider& rider) {
    for (const std::uint32_t m : asked[scenes_[row]]) {
      answers_[members[m].property]->ask(row, lrdag_.is_found(m, rider.state().data()));
    }
  });
}

/// False when the riders found that what they assume does not hold.
template <class R>
bool Inspection::ride_flows(std::vector<R> riders, const ReachedSets& sets) {
  bool sound = true;
  ride(computation_, scenes_, riders, [&](Row row, const R& rider) {
    const auto set = rider.observed();
    if (!set) return;
    if constexpr (requires { rider.is_broken(); }) sound = sound && !rider.is_broken();
    sets.for_each_answer(*set, scenes_[row], [&](std::uint32_t property, bool found) {
      answers_[property]->ask(row, found);
    });
  });
  return sound;
}

void Inspection::follow_predecessors(ReachedSets& sets) {
  constexpr std::size_t most_clock_bytes = std::size_t{256} << 20;
  const auto is_observed = [&](EventIndex e) { return sets.is_labelled(scenes_[e]); };
  const CoveringGraph graph(computation_, Selection(computation_, is_observed), {},
                            most_clock_bytes);
  std::vector<ReachedSets::Index> reached(computation_.event_count());
  for (const EventIndex e : computation_.order()) {
    if (!is_observed(e)) continue;
    std::optional<ReachedSets::Index> before;
    for (const EventIndex f : graph.predecessors(e)) {
      before = before ? sets.join(*before, reached[f]) : reached[f];
    }
    reached[e] = sets.step(before.value_or(sets.start()), scenes_[e]);
    sets.for_each_answer(reached[e], scenes_[e], [&](std::uint32_t property, bool found) {
      answers_[property]->ask(e, found);
    });
  }
  for (const CompiledFlow* flow : sets.flows()) {
    methods_[flow->property] = "sets along immediate predecessors, since there are many processes";
  }
}

void Inspection::ride_longest(LongestFlows& group, std::optional<Visibility> assumed) {
  ReachedSets& sets = group.sets;
  if (!assumed && computation_.process_count() > most_riders_) return follow_predecessors(sets);
  const auto riders = [&](auto make) {
    std::vector<decltype(make(ProcessIndex{0}))> all;
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) all.push_back(make(p));
    return all;
  };
  const Visibility seen =
      assumed ? *assumed : visibility(computation_, scenes_, observer_, sets.labelled());
  bool sound = true;
  std::string method = "LO/SLO vectors";
  if (seen == Visibility::communications) {
    method = "LO vectors and one set, since all communications are visible";
    sound = ride_flows(riders([&](ProcessIndex p) { return CommunicationRider(sets, p); }), sets);
  } else if (seen == Visibility::participation) {
    method = "LO vectors and one set, since no participation is invisible";
    sound = ride_flows(riders([&](ProcessIndex p) { return ParticipationRider(sets, p); }), sets);
  } else if (!walk_vectors(computation_, scenes_, observer_, sets, answers_)) {
    for (const CompiledFlow* flow : sets.flows()) {
      answers_[flow->property].emplace(computation_.row_count());
    }
    sound = ride_flows(riders([&](ProcessIndex p) { return LongestFlowRider(group, p); }), sets);
  }
  for (const CompiledFlow* flow : sets.flows()) {
    methods_[flow->property] = sound ? method : "the assumption is broken: not answered";
    if (!sound) answers_[flow->property].reset();
  }
}

void Inspection::keep_answers(
    const std::function<bool(std::uint32_t property, Row row, bool found)>& keeps) {
  std::vector<std::vector<bool>> forgotten(answers_.size());
  for (std::uint32_t i = 0; i < answers_.size(); ++i) {
    if (!answers_[i]) continue;
    FoundRows kept(computation_.row_count());
    forgotten[i].assign(computation_.row_count(), false);
    for (Row row = 0; row < computation_.row_count(); ++row) {
      if (!is_asked(i, row)) continue;
      const bool found = answers_[i]->found_at(row);
      if (answers_[i]->is_undecided(row)) {
        kept.ask_undecided(row);
      } else if (keeps(i, row, found)) {
        kept.ask(row, found);
      } else {
        forgotten[i][row] = true;
      }
    }
    answers_[i] = std::move(kept);
  }
  forgotten_ = std::move(forgotten);
}

bool Inspection::is_asked(std::uint32_t property, Row row) const {
  if (!forgotten_.empty() && !forgotten_[property].empty() && forgotten_[property][row]) {
    return false;
  }
  const Scene scene = scenes_[row];
  for (const CompiledFlow& flow : properties_.flows()) {
    if (flow.property != property) continue;
    if (row >= computation_.event_count()) return false;
    if (flow.longest && !observer_.holds(scene, flow.labelled)) return false;
    return !flow.at || observer_.holds(scene, *flow.at);
  }
  return true;
}

}  // namespace lightcone
