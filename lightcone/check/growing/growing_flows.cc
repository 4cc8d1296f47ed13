// Steps of riders, kind by kind.
#include <lightcone/check/growing/growing_flows.h>

#include <utility>

namespace lightcone {

GrowingFlows::GrowingFlows(const CompiledProperties& properties, const Names& names,
                           Answers answers)
    : answers_(std::move(answers)),
      observer_(properties.vocabulary(), names),
      lrdag_(properties, observer_),
      longest_(by_alphabet(properties, observer_)) {
  for (const CompiledFlow& flow : properties.flows()) {
    if (!flow.timed) continue;
    timed_.push_back(TimedFlows{flow, observer_, properties.source().clocks_within});
  }
}

void GrowingFlows::add_process(std::string_view name) {
  const auto index = static_cast<std::uint32_t>(processes_.size());
  observer_.add_process(name);
  Riders& added = processes_.emplace_back(lrdag_);
  for (const auto& flows : longest_) added.longest.emplace_back(*flows, index);
  for (TimedFlows& flow : timed_) added.timed.emplace_back(flow, index);
}

void GrowingFlows::start(ProcessIndex process, const StateContent& initial) {
  Riders& here = processes_[process];
  const Scene scene = observer_.observe(process, initial);
  here.lrdag.start({scene});
  for (LongestFlowRider& rider : here.longest) rider.start({scene});
  for (TimedFlowRider& rider : here.timed) rider.start({scene, initial.time});
  look_at_lrdag(process, scene);
}

void GrowingFlows::step(ProcessIndex process, const StateContent& state,
                        std::span<const GrowingTag* const> taken) {
  Riders& here = processes_[process];
  const Scene scene = observer_.observe(process, state);
  std::vector<const LrdagTag*> bits;
  for (const GrowingTag* tag : taken) bits.push_back(&tag->lrdag);
  here.lrdag.receive({scene}, bits);
  std::vector<const LongestFlowTag*> vectors(taken.size());
  for (std::size_t i = 0; i < here.longest.size(); ++i) {
    for (std::size_t k = 0; k < taken.size(); ++k) vectors[k] = &taken[k]->longest[i];
    here.longest[i].receive({scene}, vectors);
  }
  std::vector<const TimedFlowTag*> paths(taken.size());
  for (std::size_t i = 0; i < here.timed.size(); ++i) {
    for (std::size_t k = 0; k < taken.size(); ++k) paths[k] = &taken[k]->timed[i];
    here.timed[i].receive({scene, state.time}, paths);
  }
  look_at_lrdag(process, scene);
  look_at_longest(process, scene);
  look_at_timed(process, scene);
}

void GrowingFlows::put(ProcessIndex process, GrowingTag& tag) const {
  const Riders& from = processes_[process];
  tag.lrdag = from.lrdag.tag();
  for (const LongestFlowRider& rider : from.longest) tag.longest.push_back(rider.tag());
  for (const TimedFlowRider& rider : from.timed) tag.timed.push_back(rider.tag());
}

std::uint32_t GrowingFlows::uncomparable() const {
  for (const TimedFlows& flow : timed_) {
    if (flow.compares_processes) return flow.flow.property;
  }
  return none;
}

void GrowingFlows::look_at_lrdag(ProcessIndex process, Scene scene) {
  lrdag_.for_each_answer(
      scene, processes_[process].lrdag.state().data(),
      [&](const Lrdag::Member& member, bool found) { answers_(process, member.property, found); });
}

void GrowingFlows::look_at_longest(ProcessIndex process, Scene scene) {
  for (std::size_t i = 0; i < longest_.size(); ++i) {
    const auto set = processes_[process].longest[i].observed();
    if (!set) continue;
    longest_[i]->sets.for_each_answer(*set, scene, [&](std::uint32_t property, bool found) {
      answers_(process, property, found);
    });
  }
}

void GrowingFlows::look_at_timed(ProcessIndex process, Scene scene) {
  for (const TimedFlowRider& rider : processes_[process].timed) {
    const CompiledFlow& flow = rider.flows().flow;
    if (flow.at && !observer_.holds(scene, *flow.at)) continue;
    rider.answer([&](std::optional<bool> found) { answers_(process, flow.property, found); });
  }
}

}  // namespace lightcone
