// Names metrics of what was accepted and decided.
#include "serve/decision_figures.h"

#include <algorithm>
#include <numeric>

namespace lightcone::service {
namespace {

constexpr std::array<const char*, 4> verdict_names = {"pass", "fail", "info", "unknown"};

}  // namespace

void add_counts(MetricsText& text, const AcceptanceCounts& counts) {
  text.counter("lightcone_events_accepted_total", "Events accepted.", counts.accepted);
  text.counter("lightcone_events_duplicate_total", "Events that had come before.",
               counts.duplicates);
  text.counter("lightcone_events_early_total", "Events that came before their turn.",
               counts.too_early);
  text.counter("lightcone_events_late_total", "Events of executions that had ended.", counts.late);
  text.counter("lightcone_clients_refused_total", "Clients that were refused.", counts.refused);
  text.counter("lightcone_executions_ended_total", "Executions that ended.", counts.ended);
}

void add_counts(MetricsText& text, const DeciderCounts& counts, const PropertyFile& properties) {
  text.begin("lightcone_events_decided_total", "counter", "Events decided.");
  text.value(static_cast<double>(counts.events));
  text.begin("lightcone_events_ignored_total", "counter",
             "Events of refused processes and of executions that were given up.");
  text.value(static_cast<double>(counts.ignored));
  text.begin("lightcone_processes_refused_total", "counter", "Processes that were refused.");
  text.value(static_cast<double>(counts.refused_processes));
  text.begin("lightcone_executions_failing_total", "counter", "Ended executions that failed.");
  text.value(static_cast<double>(counts.failing_executions));
  text.begin("lightcone_verdicts_total", "counter", "Verdicts, of each property.");
  for (std::size_t i = 0; i < counts.verdicts.size(); ++i) {
    for (std::size_t k = 0; k < verdict_names.size(); ++k) {
      text.value(static_cast<double>(counts.verdicts[i][k]),
                 {{"property", properties.name(i)}, {"verdict", verdict_names[k]}});
    }
  }
}

void add_counts(MetricsText& text, const SpanCounts& counts, std::size_t open) {
  text.counter("lightcone_spans_total", "Spans that came.", counts.spans);
  text.counter("lightcone_spans_duplicate_total", "Spans that had come before.", counts.duplicates);
  text.counter("lightcone_spans_late_total", "Spans of traces that were decided.", counts.late);
  text.counter("lightcone_spans_too_late_total", "Late spans that decide nothing.",
               counts.too_late);
  text.counter("lightcone_traces_decided_total", "Traces that were decided.", counts.decided);
  text.counter("lightcone_traces_decided_again_total", "Decisions after late spans.",
               counts.decided_again);
  text.counter("lightcone_traces_failing_total", "Traces that failed.", counts.failing);
  text.begin("lightcone_traces_open", "gauge", "Traces that are not decided yet.");
  text.value(static_cast<double>(open));
}

void add(AcceptanceCounts& to, const AcceptanceCounts& counts) {
  to.accepted += counts.accepted;
  to.duplicates += counts.duplicates;
  to.too_early += counts.too_early;
  to.late += counts.late;
  to.refused += counts.refused;
  to.ended += counts.ended;
}

void add(DeciderCounts& to, const DeciderCounts& counts) {
  to.events += counts.events;
  to.ignored += counts.ignored;
  to.refused_processes += counts.refused_processes;
  to.failing_executions += counts.failing_executions;
  to.verdicts.resize(std::max(to.verdicts.size(), counts.verdicts.size()));
  for (std::size_t i = 0; i < counts.verdicts.size(); ++i) {
    for (std::size_t k = 0; k < verdict_names.size(); ++k) {
      to.verdicts[i][k] += counts.verdicts[i][k];
    }
  }
}

void add(SpanCounts& to, const SpanCounts& counts) {
  to.spans += counts.spans;
  to.duplicates += counts.duplicates;
  to.late += counts.late;
  to.too_late += counts.too_late;
  to.decided += counts.decided;
  to.decided_again += counts.decided_again;
  to.failing += counts.failing;
}

void add_silence(MetricsText& text, const std::vector<SilentProcess>& silent,
                 const std::vector<LongWait>& waits) {
  text.begin("lightcone_silent_since_seconds", "gauge",
             "Since when a process is silent that others wait for; in seconds since 1970.");
  for (const SilentProcess& one : silent) {
    text.value(one.since, {{"execution", one.execution}, {"process", one.process}});
  }
  text.begin("lightcone_waits_since_seconds", "gauge",
             "Since when a process has waited for one message; in seconds since 1970.");
  for (const LongWait& one : waits) {
    text.value(one.since, {{"execution", one.execution}, {"process", one.process}});
  }
}

Json silence_document(const std::vector<SilentProcess>& silent) {
  Json all = Json::array();
  for (const SilentProcess& one : silent) {
    Json entry{{"execution", one.execution},
               {"process", one.process},
               {"since", one.since},
               {"waiting", one.waiting}};
    if (one.missing_event > 0) entry["missing"] = one.missing_event;
    if (one.has_left) entry["left"] = true;
    if (!one.waits.empty()) entry["message"] = one.waits.front().message;
    all.push_back(std::move(entry));
  }
  return all;
}

Json waits_document(const std::vector<LongWait>& waits) {
  Json all = Json::array();
  for (const LongWait& one : waits) {
    Json entry{{"execution", one.execution},
               {"process", one.process},
               {"message", one.message},
               {"since", one.since},
               {"events", one.events}};
    if (!one.sender.empty()) entry["sender"] = one.sender;
    all.push_back(std::move(entry));
  }
  return all;
}

std::uint64_t verdicts_in(const DeciderCounts& counts) {
  std::uint64_t verdicts = 0;
  for (const auto& of_one : counts.verdicts) {
    verdicts += std::accumulate(of_one.begin(), of_one.end(), std::uint64_t{0});
  }
  return verdicts;
}

}  // namespace lightcone::service
