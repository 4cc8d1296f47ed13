// The end of a growing check: what still waits, and the report.
#include <lightcone/check/growing/monitor_core.h>

#include <fmt/format.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/check/warnings.h>
#include <lightcone/trace/reader_result.h>

#include <algorithm>

namespace lightcone {

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

GlobalFinding Monitor::Core::finding_of(const GrowingGlobal& global) const {
  const GrowingGlobal::Answer& answer = global.answer();
  GlobalFinding finding{.found = answer.found, .cut = answer.cut};
  if (!finding.cut.empty()) finding.cut.resize(processes_.size(), 0);
  for (ProcessIndex p = 0; p < processes_.size(); ++p) {
    if (global.reads(p)) finding.read.push_back(p);
  }
  finding.lost = answer.lost;
  return finding;
}

PropertyReport Monitor::Core::report_of(std::uint32_t index) {
  const Property& property = properties_.source().properties[index];
  if (is_given_up(index)) return report_on_given_up(property, report_.wholeness);
  const auto undecided = std::ranges::find(properties_.undecided(), index, &Undecided::property);
  Finding finding;
  std::string method;
  if (GrowingGlobal* global = globals_[index].get()) {
    global->finish(report_.wholeness.incomplete);
    finding = finding_of(*global);
    method = global->answer().method;
  } else if (!Monitor::can_check(property)) {
    if (std::holds_alternative<Global>(property.question)) finding = GlobalFinding{};
    method = "not decided: this needs the whole trace";
  } else if (undecided != properties_.undecided().end()) {
    method = undecided->why;
  } else {
    FoundPlaces& places = found_[index];
    finding = PlaceFinding{places.asked, places.found, places.at.take(), places.missing.take()};
    const auto* flow = std::get_if<Flow>(&property.question);
    method = flow != nullptr && flow->longest ? "LO/SLO vectors, on the fly"
                                              : "bits of LRDAG equations, on the fly";
  }
  return report_on(property, std::move(finding), std::move(method), report_.wholeness);
}

}  // namespace lightcone
