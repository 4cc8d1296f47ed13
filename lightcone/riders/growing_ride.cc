// Lets each event ride when the messages that it takes have been sent.
#include <lightcone/riders/growing_ride.h>

#include <lightcone/riders/inspection.h>

#include <algorithm>

namespace lightcone {

GrowingRide::GrowingRide(CompiledProperties properties, Tell tell)
    : properties_(std::move(properties)),
      tell_(std::move(tell)),
      names_(Observer::names_of(properties_.vocabulary())),
      observer_(properties_.vocabulary(), names_),
      lrdag_(properties_, observer_),
      flows_(by_alphabet(properties_, observer_)) {}

ProcessIndex GrowingRide::process(std::string_view name) {
  const auto index = static_cast<ProcessIndex>(process_names_.intern(name));
  if (index < processes_.size()) return index;
  const std::string_view kept = process_names_[NameIndex{index}];
  observer_.add_process(kept);
  Process& added = processes_.emplace_back(kept, lrdag_);
  for (const auto& flows : flows_) added.longest.emplace_back(*flows, index);
  return index;
}

MessageIndex GrowingRide::message(std::string_view name) {
  const auto index = static_cast<MessageIndex>(message_names_.intern(name));
  if (index >= messages_.size()) messages_.emplace_back();
  return index;
}

GrowingRide::Event GrowingRide::looked_up(const GrowingEvent& event) {
  Event known;
  known.kind = event.kind;
  std::vector<NameIndex> labels;
  for (const std::string_view label : event.labels) labels.push_back(names_.intern(label));
  known.label_set = label_sets_.intern(labels);
  for (const auto& [variable, value] : event.variables) {
    const NameIndex name = names_.find(variable);
    if (name == NameIndex::none) continue;  // no property reads it
    known.assignments.push_back(
        {name, interned(value, [&](std::string_view text) { return names_.intern(text); })});
  }
  for (const std::string_view taken : event.takes) known.takes.push_back(message(taken));
  if (event.sends.data() != nullptr) known.sends = message(event.sends);
  return known;
}

void GrowingRide::add(const GrowingEvent& event) {
  const ProcessIndex index = process(event.process);
  Process& here = processes_[index];
  Event known = looked_up(event);
  if (event.kind == Kind::initial) {
    if (!here.started) start(index, known);
    return;
  }
  if (!here.started) start(index, {});
  const bool first = here.queue.empty();
  here.queue.push_back(std::move(known));
  ++waiting_;
  if (first) advance(index);
}

/// Lets the process go on as far as it can, and those that its messages set free.
void GrowingRide::advance(ProcessIndex first) {
  ready_.assign(1, first);
  while (!ready_.empty()) {
    const ProcessIndex index = ready_.back();
    ready_.pop_back();
    Process& here = processes_[index];
    while (!here.queue.empty() && !must_wait(index)) {
      const Event event = std::move(here.queue.front());
      here.queue.pop_front();
      --waiting_;
      step(index, event);
    }
  }
}

/// Returns whether the first event of the queue takes a message that has not been sent; that
/// message then knows which process waits for it.
bool GrowingRide::must_wait(ProcessIndex index) {
  for (const MessageIndex taken : processes_[index].queue.front().takes) {
    if (messages_[taken].sent) continue;
    messages_[taken].waiting.push_back(index);
    return true;
  }
  return false;
}

Scene GrowingRide::scene_of(ProcessIndex index, const Event& event) {
  StateContent content;
  content.kind = event.kind;
  content.sends = event.sends != none;
  content.label_set = event.label_set;
  content.labels = label_sets_[event.label_set];
  content.assignments = event.assignments;
  return observer_.observe(index, content);
}

void GrowingRide::start(ProcessIndex index, const Event& event) {
  Process& here = processes_[index];
  here.started = true;
  Event initial = event;
  initial.kind = Kind::initial;
  const Scene scene = scene_of(index, initial);
  here.lrdag.start({scene});
  for (LongestFlowRider& rider : here.longest) rider.start({scene});
  look_at_lrdag(here, scene, event.label_set);
}

void GrowingRide::step(ProcessIndex index, const Event& event) {
  Process& here = processes_[index];
  ++here.rank;
  const Scene scene = scene_of(index, event);
  std::vector<const LrdagTag*> bits;
  for (const MessageIndex taken : event.takes) bits.push_back(&messages_[taken].lrdag);
  here.lrdag.receive({scene}, bits);
  for (std::size_t i = 0; i < here.longest.size(); ++i) {
    std::vector<const LongestFlowTag*> tags;
    for (const MessageIndex taken : event.takes) tags.push_back(&messages_[taken].longest[i]);
    here.longest[i].receive({scene}, tags);
  }
  if (event.sends != none) send(here, event.sends);
  look_at_lrdag(here, scene, event.label_set);
  look_at_longest(here, scene, event.label_set);
}

void GrowingRide::send(const Process& from, MessageIndex index) {
  Message& message = messages_[index];
  if (message.sent) return;
  message.sent = true;
  message.lrdag = from.lrdag.tag();
  for (const LongestFlowRider& rider : from.longest) message.longest.push_back(rider.tag());
  ready_.insert(ready_.end(), message.waiting.begin(), message.waiting.end());
  message.waiting = {};
}

void GrowingRide::finish(bool lenient) {
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    if (!processes_[p].started) start(p, {});
  }
  if (lenient && waiting_ > 0) forget_unsent();
}

/// What no event sends, not even one that waits, is taken by none.
void GrowingRide::forget_unsent() {
  std::vector<bool> sent;
  for (const Message& message : messages_) sent.push_back(message.sent);
  for (const Process& process : processes_) {
    for (const Event& event : process.queue) {
      if (event.sends != none) sent[event.sends] = true;
    }
  }
  for (Message& message : messages_) message.waiting.clear();
  for (Process& process : processes_) {
    for (Event& event : process.queue) {
      std::erase_if(event.takes, [&](MessageIndex taken) { return !sent[taken]; });
      if (event.kind != Kind::receive || !event.takes.empty()) continue;
      event.kind = event.sends == none ? Kind::internal : Kind::send;
    }
  }
  for (ProcessIndex p = 0; p < processes_.size(); ++p) advance(p);
}

void GrowingRide::look_at_lrdag(const Process& at, Scene scene, NameSetIndex labels) {
  lrdag_.for_each_answer(
      scene, at.lrdag.state().data(),
      [&](const Lrdag::Member& member, bool found) { tell(member.property, found, at, labels); });
}

void GrowingRide::look_at_longest(const Process& at, Scene scene, NameSetIndex labels) {
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const auto set = at.longest[i].observed();
    if (!set) continue;
    flows_[i]->sets.for_each_answer(*set, scene, [&](std::uint32_t property, bool found) {
      tell(property, found, at, labels);
    });
  }
}

void GrowingRide::tell(std::uint32_t property, bool found, const Process& at,
                       NameSetIndex labels) const {
  if (!is_told(properties_.source().properties[property].verb, found)) return;
  Sighting sighting{property, at.name, at.rank, {}};
  for (const NameIndex label : label_sets_[labels]) sighting.labels.push_back(names_[label]);
  tell_(sighting);
}

}  // namespace lightcone
