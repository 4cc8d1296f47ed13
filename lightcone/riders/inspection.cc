// Runs the riders that the properties need over a computation.
#include <lightcone/riders/inspection.h>

#include <lightcone/causal/parallel.h>
#include <lightcone/riders/lrdag_rider.h>
#include <lightcone/riders/ride.h>

#include <algorithm>

namespace lightcone {

std::vector<std::unique_ptr<LongestFlows>> by_alphabet(const CompiledProperties& properties,
                                                       const Observer& observer) {
  std::vector<std::uint32_t> alphabets;
  for (const CompiledFlow& flow : properties.flows()) {
    if (flow.longest &&
        std::find(alphabets.begin(), alphabets.end(), flow.labelled) == alphabets.end()) {
      alphabets.push_back(flow.labelled);
    }
  }
  std::vector<std::unique_ptr<LongestFlows>> groups;
  for (const std::uint32_t labelled : alphabets) {
    std::vector<const CompiledFlow*> flows;
    for (const CompiledFlow& flow : properties.flows()) {
      if (flow.longest && flow.labelled == labelled) flows.push_back(&flow);
    }
    groups.push_back(std::make_unique<LongestFlows>(std::move(flows), labelled, observer));
  }
  return groups;
}

Inspection::Inspection(const CompiledProperties& properties, const Computation& computation)
    : properties_(properties),
      computation_(computation),
      observer_(properties.vocabulary(), computation.names()),
      scenes_(observe(computation, observer_)),
      lrdag_(properties, observer_),
      longest_(by_alphabet(properties, observer_)),
      answers_(properties.source().properties.size()) {
  for (const auto& member : lrdag_.members()) {
    answers_[member.property].emplace(computation.row_count());
  }
  for (const auto& group : longest_) {
    for (const CompiledFlow* flow : group->sets.flows()) {
      answers_[flow->property].emplace(computation.row_count());
    }
  }
  // Each part touches its own rider's tables and its own properties' answers.
  const std::size_t first = lrdag_.members().empty() ? 0 : 1;
  for_each_part(first + longest_.size(), [&](std::size_t i) {
    if (i < first) {
      ride_lrdag();
    } else {
      ride_longest(*longest_[i - first]);
    }
  });
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
  std::vector<LrdagRider> riders(computation_.process_count(), LrdagRider(lrdag_));
  ride(computation_, scenes_, riders, [&](Row row, const LrdagRider& rider) {
    for (const std::uint32_t m : asked[scenes_[row]]) {
      answers_[members[m].property]->ask(row, lrdag_.is_found(m, rider.state().data()));
    }
  });
}

void Inspection::ride_longest(LongestFlows& group) {
  const ReachedSets& sets = group.sets;
  std::vector<LongestFlowRider> riders;
  for (ProcessIndex p = 0; p < computation_.process_count(); ++p) riders.emplace_back(group, p);
  ride(computation_, scenes_, riders, [&](Row row, const LongestFlowRider& rider) {
    const auto set = rider.observed();
    if (!set) return;
    for (std::size_t i = 0; i < sets.flows().size(); ++i) {
      if (!sets.is_asked(i, scenes_[row])) continue;
      answers_[sets.flows()[i]->property]->ask(row, sets.is_found(i, *set));
    }
  });
}

bool Inspection::is_asked(std::uint32_t property, Row row) const {
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
