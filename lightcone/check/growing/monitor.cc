// Lets each event happen when the messages that it takes have been sent, and tells all riders.
#include <lightcone/monitor.h>

#include <fmt/format.h>
#include <lightcone/causal/builder.h>
#include <lightcone/causal/interned_value.h>
#include <lightcone/check/growing/first_places.h>
#include <lightcone/check/growing/growing_global.h>
#include <lightcone/check/growing/growing_messages.h>
#include <lightcone/check/growing/growing_refusal.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/check/warnings.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/language/property_reads.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/certainty.h>
#include <lightcone/trace/jsonl/near_members.h>
#include <lightcone/trace/reader_result.h>

#include <tsl/robin_set.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <set>

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

class Monitor::Core {
 public:
  Core(PropertyFile properties, MonitorOptions options);

  void add_process(std::string_view name) { (void)process(name); }
  void close_processes();
  [[nodiscard]] Expected<void> add(const MonitoredEvent& event);
  [[nodiscard]] Expected<Report> finish(const MonitorEnd& end);
  [[nodiscard]] const PropertyFile& properties() const { return file_; }
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  [[nodiscard]] std::size_t messages_kept() const { return messages_.kept(); }

 private:
  using MessageSlot = GrowingMessages::Index;
  static constexpr MessageSlot no_message = GrowingMessages::forgotten;

  /// What is read only by local predicates about the event itself.
  struct EventWords {
    std::optional<std::string> text = {}, source = {};
    double time = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> messages = {};
  };
  /// What an event says, with its names looked up.
  struct Event {
    Kind kind = Kind::internal;
    std::uint32_t line = 0;
    NameSetIndex label_set = 0;
    std::vector<Assignment> assignments = {};
    std::vector<NameIndex> new_variables = {};  // that no event before has assigned
    std::vector<MessageSlot> takes = {};
    MessageSlot sends = no_message;
    std::vector<std::string> to = {};
    bool lost_a_message = false;
    bool assigns_text = false;
    std::unique_ptr<EventWords> words = {};  // where they are read
  };
  struct Process {
    Process(std::string_view its_name, ProcessIndex index, Lrdag& equations)
        : name(its_name), lrdag(equations), clock(index) {}
    std::string_view name;
    LrdagRider lrdag;
    std::vector<LongestFlowRider> longest = {};  // one per alphabet
    VectorClockRider clock;
    bool is_exact = true;  // nothing is lost in its past
    bool has_started = false;
    bool has_spoken = false;
    Rank rank = 0;
    std::deque<Event> queue = {};  // the first waits for a message, the others for the first
  };

  [[nodiscard]] ProcessIndex process(std::string_view name);
  [[nodiscard]] Event looked_up(const MonitoredEvent& event);
  [[nodiscard]] Expected<void> look_up_messages(const MonitoredEvent& event, ProcessIndex index,
                                                Event& known);
  void advance(ProcessIndex first);
  [[nodiscard]] bool must_wait(ProcessIndex index);
  void note_names(const Event& event);
  [[nodiscard]] static std::unique_ptr<EventWords> words_of(const MonitoredEvent& event);
  [[nodiscard]] StateContent content_of(const Event& event);
  [[nodiscard]] bool is_given_up(std::uint32_t property) const;
  void start(ProcessIndex index, const Event& event);
  void step(ProcessIndex index, const Event& event);
  void send(ProcessIndex index, const Event& event);
  void take(ProcessIndex index, const Event& event);
  void look_at_lrdag(ProcessIndex index, Scene scene, NameSetIndex labels);
  void look_at_longest(ProcessIndex index, Scene scene, NameSetIndex labels);
  void note(std::uint32_t property, bool found, ProcessIndex index, NameSetIndex labels);
  void step_globals(ProcessIndex index, const Event& event);
  void tell_of_globals();

  [[nodiscard]] Expected<void> end_waiting(const MonitorEnd& end);
  [[nodiscard]] Expected<void> check_waiting(Unsent unsent) const;
  void forget_unsent();
  [[nodiscard]] TraceNames trace_names() const;
  [[nodiscard]] PropertyReport report_of(std::uint32_t index);

  PropertyFile file_;
  CompiledProperties properties_;
  MonitorOptions options_;
  Names names_;        // of labels, variables and texts
  std::size_t named_;  // so many of them are of the properties
  NameSets label_sets_;
  Observer observer_;
  Lrdag lrdag_;
  std::vector<std::unique_ptr<LongestFlows>> flows_;  // outlive all riders and tags
  Names process_names_;
  std::deque<Process> processes_;
  GrowingMessages messages_;
  std::vector<ProcessIndex> ready_;
  std::size_t waiting_ = 0;
  std::uint64_t events_ = 0;
  std::vector<FoundPlaces> found_;                       // by property
  std::vector<std::unique_ptr<GrowingGlobal>> globals_;  // by property; null for others
  bool has_globals_ = false;
  bool reads_words_ = false;
  std::vector<std::string_view> message_views_;     // of the state that is looked at
  std::set<std::string> members_;                   // what is said of unknown members
  std::set<NameIndex> labels_, variables_, texts_;  // of states that have happened
  tsl::robin_set<NameSetIndex> happened_sets_;      // of their labels
  ReceivesWithoutSend without_send_;                // places are not told apart
  std::size_t received_too_late_ = 0;               // of messages that had been forgotten
  Report report_;
};

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
    if (global == nullptr) continue;
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

/// The events that wait as a builder sees them: whether they can be a computation at all.
Expected<void> Monitor::Core::check_waiting(Unsent unsent) const {
  struct Waiting {
    const Event* event;
    ProcessIndex process;
  };
  std::vector<Waiting> all;
  Builder builder(options_.file);
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    (void)builder.process(processes_[p].name);
    for (const Event& event : processes_[p].queue) all.push_back({&event, p});
  }
  std::ranges::stable_sort(all, {}, [](const Waiting& it) { return it.event->line; });
  for (const auto& [event, p] : all) {
    Arrival arrival;
    arrival.process = p;
    arrival.kind = event->kind;
    arrival.line = event->line;
    std::vector<MessageIndex> takes;
    for (const MessageSlot taken : event->takes) {
      if (!messages_[taken].is_sent) takes.push_back(builder.message(messages_[taken].name));
    }
    if (arrival.kind == Kind::receive && takes.empty()) arrival.kind = Kind::internal;
    arrival.takes = takes;
    arrival.duplicate = true;  // that has been looked at
    if (event->sends != no_message) {
      arrival.sends = builder.message(messages_[event->sends].name);
    }
    builder.add(arrival);
  }
  if (auto built = builder.build(unsent); !built) return failure(std::move(built.error()));
  return {};
}

/// What becomes of events that still wait at the end.
Expected<void> Monitor::Core::end_waiting(const MonitorEnd& end) {
  if (end.lenient) forget_unsent();
  if (end.cut_off && !end.lenient) report_.wholeness.left_out = waiting_;
  if (end.cut_off && end.lenient) report_.wholeness.left_out = 0;
  if (waiting_ == 0) return {};
  const bool may_be_lost = end.cut_off && !end.lenient;
  if (auto possible = check_waiting(may_be_lost ? Unsent::make_internal : Unsent::error);
      !possible) {
    return possible;
  }
  LIGHTCONE_ASSERT(may_be_lost);
  return {};
}

/// What no event sends, not even one that waits, is taken by none.
void Monitor::Core::forget_unsent() {
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    for (Event& event : processes_[p].queue) {
      const std::size_t before = event.takes.size();
      std::erase_if(event.takes,
                    [&](MessageSlot taken) { return !messages_[taken].is_named_as_sent; });
      if (event.takes.size() == before) continue;
      event.lost_a_message = true;
      without_send_.places.push_back({p, 0});
      if (event.kind != Kind::receive || !event.takes.empty()) continue;
      event.kind = event.sends == no_message ? Kind::internal : Kind::send;
      ++without_send_.made_internal;
    }
  }
  for (ProcessIndex p = 0; p < processes_.size(); ++p) advance(p);
}

TraceNames Monitor::Core::trace_names() const {
  TraceNames all;
  for (const NameIndex label : labels_) all.labels.emplace_back(names_[label]);
  for (const NameIndex variable : variables_) all.variables.emplace_back(names_[variable]);
  for (const Process& process : processes_) all.processes.emplace_back(process.name);
  for (const NameIndex variable : texts_) all.texts.emplace_back(names_[variable]);
  return all;
}

Expected<Report> Monitor::Core::finish(const MonitorEnd& end) {
  const bool has_silent =
      std::ranges::any_of(processes_, [](const Process& process) { return !process.has_spoken; });
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    if (!processes_[p].has_started) start(p, {});
  }
  if (auto ended = end_waiting(end); !ended) return failure(ended.error());
  tell_of_globals();
  auto warnings = check_names(properties_.source(), trace_names());
  if (!warnings) return failure(warnings.error());
  report_.warnings = std::move(*warnings);
  const bool repaired = !without_send_.places.empty();
  Wholeness& wholeness = report_.wholeness;
  wholeness.incomplete = repaired || received_too_late_ > 0;
  wholeness.lost_processes = (end.cut_off && has_silent) || repaired;
  if (repaired) {
    report_.notes = repair_notes(without_send_);
  } else if (wholeness.left_out && (*wholeness.left_out > 0 || !end.is_told)) {
    report_.notes.push_back(prefix_note(*wholeness.left_out));
  }
  if (received_too_late_ > 0) {
    report_.notes.push_back(
        fmt::format("{} received once more, long after all receivers that {} had received {}: what "
                    "depends on that is not known; check the trace as a file",
                    received_too_late_ == 1 ? "a message was" : "some messages were",
                    received_too_late_ == 1 ? "its send names" : "their sends name",
                    received_too_late_ == 1 ? "it" : "them"));
  }
  for (const Process& process : processes_) report_.processes.emplace_back(process.name);
  report_.events = events_;
  for (std::uint32_t i = 0; i < found_.size(); ++i) {
    report_.properties.push_back(report_of(i));
  }
  add_warnings(properties_.source(), members_, report_);
  return std::move(report_);
}

PropertyReport Monitor::Core::report_of(std::uint32_t index) {
  const Property& property = properties_.source().properties[index];
  PropertyReport report;
  report.name = property.name;
  report.verb = property.verb;
  report.is_global = globals_[index] != nullptr;
  if (is_given_up(index)) {
    report.method = given_up_text;
    return report;
  }
  if (GrowingGlobal* global = globals_[index].get()) {
    global->finish(report_.wholeness.incomplete);
    const GrowingGlobal::Answer& answer = global->answer();
    report.lost = answer.lost;
    report.method = answer.method;
    report.cut = answer.cut;
    if (!report.cut.empty()) report.cut.resize(processes_.size(), 0);
    for (ProcessIndex p = 0; p < processes_.size(); ++p) {
      if (global->reads(p)) report.read.push_back(p);
    }
    if (!answer.found) return report;
    report.found = *answer.found;
    report.meaning = what_was_found(global->global().modality, report.found);
    judge(property, report_.wholeness, report);
    return report;
  }
  for (const Undecided& undecided : properties_.undecided()) {
    if (undecided.property != index) continue;
    report.method = undecided.why;
    return report;
  }
  const auto* flow = std::get_if<Flow>(&property.question);
  report.method = flow != nullptr && flow->longest ? "LO/SLO vectors, on the fly"
                                                   : "bits of LRDAG equations, on the fly";
  FoundPlaces& found = found_[index];
  report.asked_count = found.asked;
  report.found_count = found.found;
  report.at = found.at.take();
  report.missing = found.missing.take();
  judge(property, report_.wholeness, report);
  return report;
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

}  // namespace lightcone
