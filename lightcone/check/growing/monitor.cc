// Lets each event happen when the messages that it takes have been sent, and tells all riders.
#include <lightcone/check/growing/monitor_core.h>

#include <lightcone/causal/interned_value.h>
#include <lightcone/check/growing/growing_refusal.h>
#include <lightcone/property/language/property_reads.h>
#include <lightcone/riders/certainty.h>
#include <lightcone/trace/jsonl/near_members.h>

#include <algorithm>

namespace lightcone {
namespace {

/// The names that properties look up: others never match.
[[nodiscard]] Names names_of(const CompiledProperties& properties) {
  Names names = Observer::names_of(properties.vocabulary());
  for (const Property& property : properties.source().properties) {
    const auto* global = std::get_if<Global>(&property.question);
    if (global != nullptr) GlobalReads::intern_names(global->expression, names);
  }
  return names;
}

}  // namespace

Monitor::Core::Core(PropertyFile properties, MonitorOptions options)
    : file_(std::move(properties)),
      properties_(CompiledProperties::compile(file_.syntax())),
      options_(std::move(options)),
      names_(names_of(properties_)),
      named_(names_.size()),
      observer_(properties_.vocabulary(), names_),
      lrdag_(properties_, observer_),
      flows_(by_alphabet(properties_, observer_)) {
  for (const Property& property : properties_.source().properties) {
    found_.emplace_back(options_.check.most_places);
    const auto* global = std::get_if<Global>(&property.question);
    globals_.push_back(nullptr);
    if (global == nullptr || !property.each.empty()) continue;
    has_globals_ = true;
    globals_.back() = std::make_unique<GrowingGlobal>(
        properties_.source(), *global, names_,
        GlobalEffort{options_.check.limits, false, options_.check.progress},
        [this](ProcessIndex p) -> std::span<const Rank> { return processes_[p].clock.clock(); });
    reads_words_ = reads_words_ || globals_.back()->expressions().reads_content();
  }
  reads_words_ = reads_words_ || observer_.expressions().reads_content();
}

ProcessIndex Monitor::Core::process(std::string_view name) {
  const auto index = static_cast<ProcessIndex>(process_names_.intern(name));
  if (index < processes_.size()) return index;
  const std::string_view kept = process_names_[NameIndex{index}];
  observer_.add_process(kept);
  Process& added = processes_.emplace_back(kept, index, lrdag_);
  for (const auto& flows : flows_) added.longest.emplace_back(*flows, index);
  for (const auto& global : globals_) {
    if (global) global->add_process(kept);
  }
  return index;
}

void Monitor::Core::close_processes() {
  for (const auto& global : globals_) {
    if (global) global->close();
  }
}

Monitor::Core::Event Monitor::Core::looked_up(const MonitoredEvent& event) {
  Event known;
  known.kind = event.kind;
  known.line = event.line;
  std::vector<NameIndex> labels;
  for (const std::string_view label : event.labels) labels.push_back(names_.intern(label));
  known.label_set = label_sets_.intern(labels);
  for (const auto& [variable, value] : event.variables) {
    const NameIndex name = names_.intern(variable);
    if (!variables_.contains(name)) known.new_variables.push_back(name);
    if (static_cast<std::size_t>(name) >= named_) continue;  // no property reads it
    if (std::holds_alternative<std::string_view>(value)) known.assigns_text = true;
    known.assignments.push_back(
        {name, interned(value, [&](std::string_view text) { return names_.intern(text); })});
  }
  if (reads_words_) known.words = words_of(event);
  if (!event.extra.empty()) find_near_members(event.extra, members_);
  return known;
}

std::unique_ptr<Monitor::Core::EventWords> Monitor::Core::words_of(const MonitoredEvent& event) {
  auto words = std::make_unique<EventWords>();
  if (event.text.data() != nullptr) words->text = event.text;
  if (event.source.data() != nullptr) words->source = event.source;
  if (event.time) words->time = *event.time;
  words->messages.assign(event.takes.begin(), event.takes.end());
  if (event.sends.data() != nullptr) words->messages.emplace_back(event.sends);
  return words;
}

/// Finds the messages, and refuses what no execution does with them.
Expected<void> Monitor::Core::look_up_messages(const MonitoredEvent& event, ProcessIndex index,
                                               Event& known) {
  using Why = LayoutError::Why;
  if (event.sends.data() != nullptr) {
    known.sends = messages_.find_or_add(event.sends);
    if (known.sends == GrowingMessages::forgotten || messages_[known.sends].is_named_as_sent) {
      return failure(refusal(event, Why::sent_twice, event.sends, options_.file));
    }
    known.to.assign(event.to.begin(), event.to.end());
  }
  for (const std::string_view taken : event.takes) {
    const MessageSlot slot = messages_.find_or_add(taken);
    if (slot == GrowingMessages::forgotten) {
      known.lost_a_message = true;
      ++received_too_late_;
      continue;
    }
    const auto& receivers = messages_[slot].receivers;
    const bool again = std::ranges::find(receivers, index) != receivers.end() ||
                       std::ranges::find(known.takes, slot) != known.takes.end();
    if (again && !event.duplicate) {
      return failure(refusal(event, Why::received_twice, taken, options_.file));
    }
    known.takes.push_back(slot);
  }
  return {};
}

Expected<void> Monitor::Core::add(const MonitoredEvent& event) {
  const ProcessIndex index = process(event.process);
  Process& here = processes_[index];
  if (event.kind == Kind::initial) {
    if (here.has_spoken)
      return failure(refusal(event, LayoutError::Why::late_initial, {}, options_.file));
    here.has_spoken = true;
    start(index, looked_up(event));
    tell_of_globals();
    return {};
  }
  if (here.rank + here.queue.size() >= none - 1) {
    return failure("more than 4 billion events of one process", options_.file, event.line);
  }
  Event known = looked_up(event);
  if (auto possible = look_up_messages(event, index, known); !possible) return possible;
  here.has_spoken = true;
  if (known.sends != no_message) {
    messages_[known.sends].is_named_as_sent = true;
    messages_.use(known.sends);
  }
  for (const MessageSlot taken : known.takes) {
    messages_[taken].receivers.push_back(index);
    messages_.use(taken);
  }
  if (!here.has_started) start(index, {});
  const bool first = here.queue.empty();
  here.queue.push_back(std::move(known));
  ++waiting_;
  if (first) advance(index);
  tell_of_globals();
  return {};
}

/// Lets the process go on as far as it can, and those that its messages set free.
void Monitor::Core::advance(ProcessIndex first) {
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
bool Monitor::Core::must_wait(ProcessIndex index) {
  for (const MessageSlot taken : processes_[index].queue.front().takes) {
    if (messages_[taken].is_sent) continue;
    messages_[taken].waiting.push_back(index);
    return true;
  }
  return false;
}

/// Notes the names of a state that has happened.
void Monitor::Core::note_names(const Event& event) {
  variables_.insert(event.new_variables.begin(), event.new_variables.end());
  if (event.assigns_text) {
    for (const Assignment& assignment : event.assignments) {
      if (std::holds_alternative<NameIndex>(assignment.value)) texts_.insert(assignment.variable);
    }
  }
  if (!happened_sets_.insert(event.label_set).second) return;
  for (const NameIndex label : label_sets_[event.label_set]) labels_.insert(label);
}

StateContent Monitor::Core::content_of(const Event& event) {
  StateContent content;
  content.kind = event.kind;
  content.sends = event.sends != no_message;
  content.label_set = event.label_set;
  content.labels = label_sets_[event.label_set];
  content.assignments = event.assignments;
  if (!event.words) return content;
  if (event.words->text) content.text = *event.words->text;
  if (event.words->source) content.source = *event.words->source;
  content.time = event.words->time;
  message_views_.assign(event.words->messages.begin(), event.words->messages.end());
  content.messages = message_views_;
  return content;
}

/// Returns whether a property reads a text on which a regular expression took too long.
bool Monitor::Core::is_given_up(std::uint32_t property) const {
  const Properties& all = properties_.source();
  const auto& patterns = globals_[property] ? globals_[property]->expressions().given_up()
                                            : observer_.expressions().given_up();
  return depends_on_matching(all, all.properties[property], patterns);
}

void Monitor::Core::start(ProcessIndex index, const Event& event) {
  Process& here = processes_[index];
  here.has_started = true;
  note_names(event);
  StateContent initial = content_of(event);
  initial.kind = Kind::initial;
  const Scene scene = observer_.observe(index, initial);
  here.lrdag.start({scene});
  for (LongestFlowRider& rider : here.longest) rider.start({scene});
  for (const auto& global : globals_) {
    if (global) global->start(index, initial);
  }
  look_at_lrdag(index, scene, event.label_set);
}

void Monitor::Core::step(ProcessIndex index, const Event& event) {
  Process& here = processes_[index];
  ++here.rank;
  ++events_;
  note_names(event);
  const Scene scene = observer_.observe(index, content_of(event));
  std::vector<const LrdagTag*> bits;
  for (const MessageSlot taken : event.takes) bits.push_back(&messages_[taken].tag.lrdag);
  here.lrdag.receive({scene}, bits);
  for (std::size_t i = 0; i < here.longest.size(); ++i) {
    std::vector<const LongestFlowTag*> tags;
    for (const MessageSlot taken : event.takes) tags.push_back(&messages_[taken].tag.longest[i]);
    here.longest[i].receive({scene}, tags);
  }
  here.is_exact = here.is_exact && !event.lost_a_message;
  if (has_globals_) here.clock.tick();
  take(index, event);
  if (event.sends != no_message) send(index, event);
  look_at_lrdag(index, scene, event.label_set);
  look_at_longest(index, scene, event.label_set);
  step_globals(index, event);
}

/// Learns what the messages bring beside flows and logic, and gives them back.
void Monitor::Core::take(ProcessIndex index, const Event& event) {
  Process& here = processes_[index];
  for (const MessageSlot taken : event.takes) {
    GrowingMessage& message = messages_[taken];
    here.is_exact = here.is_exact && message.tag.is_exact;
    if (has_globals_) here.clock.join(message.tag.clock);
    std::erase(message.awaited, here.name);
    messages_.release(taken);
  }
}

void Monitor::Core::send(ProcessIndex index, const Event& event) {
  const Process& from = processes_[index];
  GrowingMessage& message = messages_[event.sends];
  message.is_sent = true;
  message.tag.lrdag = from.lrdag.tag();
  for (const LongestFlowRider& rider : from.longest) message.tag.longest.push_back(rider.tag());
  if (has_globals_) message.tag.clock = from.clock.tag();
  message.tag.is_exact = from.is_exact;
  message.names_receivers = !event.to.empty();
  message.awaited = event.to;
  ready_.insert(ready_.end(), message.waiting.begin(), message.waiting.end());
  message.waiting = {};
  messages_.release(event.sends);
}

void Monitor::Core::look_at_lrdag(ProcessIndex index, Scene scene, NameSetIndex labels) {
  lrdag_.for_each_answer(scene, processes_[index].lrdag.state().data(),
                         [&](const Lrdag::Member& member, bool found) {
                           note(member.property, found, index, labels);
                         });
}

void Monitor::Core::look_at_longest(ProcessIndex index, Scene scene, NameSetIndex labels) {
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const auto set = processes_[index].longest[i].observed();
    if (!set) continue;
    flows_[i]->sets.for_each_answer(*set, scene, [&](std::uint32_t property, bool found) {
      note(property, found, index, labels);
    });
  }
}

/// An answer at the last state of a process. What is not certain counts as not asked.
void Monitor::Core::note(std::uint32_t index, bool found, ProcessIndex process,
                         NameSetIndex labels) {
  const Process& at = processes_[process];
  const Property& property = properties_.source().properties[index];
  if (!at.is_exact && !rests_on_one_path(property, found)) return;
  if (!observer_.expressions().given_up().empty() && is_given_up(index)) return;
  FoundPlaces& all = found_[index];
  ++all.asked;
  all.found += found ? 1 : 0;
  if (found) {
    all.at.add({process, at.rank});
  } else if (property.verb == Verb::require) {
    all.missing.add({process, at.rank});
  }
  if (!options_.on_sighting || !is_told(property.verb, found)) return;
  Sighting sighting{index, at.name, at.rank, {}};
  for (const NameIndex label : label_sets_[labels]) sighting.labels.push_back(names_[label]);
  options_.on_sighting(sighting);
}

/// States with something lost in their pasts take no part: what is found without them is certain.
void Monitor::Core::step_globals(ProcessIndex index, const Event& event) {
  const Process& here = processes_[index];
  if (!has_globals_ || !here.is_exact) return;
  const StateContent content = content_of(event);
  for (const auto& global : globals_) {
    if (global) global->step(index, here.rank, content, here.clock.clock());
  }
}

/// Tells of global properties that have been found since the last call.
void Monitor::Core::tell_of_globals() {
  if (!has_globals_ || !options_.on_global) return;
  for (std::uint32_t i = 0; i < globals_.size(); ++i) {
    FoundPlaces& told = found_[i];
    if (!globals_[i] || told.found > 0 || !globals_[i]->is_decided() || is_given_up(i)) continue;
    told.found = 1;
    GlobalSighting sighting{.property = i, .needs_all = globals_[i]->needs_all_processes()};
    const std::vector<Rank>& cut = globals_[i]->answer().cut;
    for (ProcessIndex p = 0; p < cut.size(); ++p) {
      if (!globals_[i]->reads(p)) continue;
      sighting.processes.push_back(processes_[p].name);
      sighting.ranks.push_back(cut[p]);
    }
    options_.on_global(sighting);
  }
}

std::vector<MonitorWait> Monitor::Core::waits() const {
  std::vector<MonitorWait> all;
  for (const Process& process : processes_) {
    if (process.queue.empty()) continue;
    for (const MessageSlot taken : process.queue.front().takes) {
      if (messages_[taken].is_sent) continue;
      all.push_back({std::string(process.name), messages_[taken].name});
      break;
    }
  }
  return all;
}

Monitor::Monitor(PropertyFile properties, MonitorOptions options)
    : core_(std::make_unique<Core>(std::move(properties), std::move(options))) {}
Monitor::~Monitor() = default;
void Monitor::add_process(std::string_view name) { core_->add_process(name); }
void Monitor::close_processes() { core_->close_processes(); }
Expected<void> Monitor::add(const MonitoredEvent& event) { return core_->add(event); }
Expected<Report> Monitor::finish(const MonitorEnd& end) { return core_->finish(end); }
const PropertyFile& Monitor::properties() const { return core_->properties(); }
std::size_t Monitor::waiting() const { return core_->waiting(); }
std::size_t Monitor::messages_kept() const { return core_->messages_kept(); }
std::vector<MonitorWait> Monitor::waits() const { return core_->waits(); }

}  // namespace lightcone
