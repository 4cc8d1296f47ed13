// What the monitor says about itself: metrics for Prometheus, and its status as JSON.
#include <lightcone/base/json.h>

#include "monitor_service.h"
#include "serve/decision_figures.h"

namespace lightcone::service {
namespace {

constexpr std::size_t most_processes_shown = 1000;

void add_acceptance(MetricsText& text, const Acceptance& acceptance) {
  add_counts(text, acceptance.counts());
  text.begin("lightcone_executions_open", "gauge", "Executions that are watched.");
  text.value(static_cast<double>(acceptance.open_executions()));
  text.begin("lightcone_held_bytes", "gauge", "Bytes of lines that came before their turn.");
  text.value(static_cast<double>(acceptance.held_bytes()));
  text.begin("lightcone_process_events", "gauge", "Events accepted, of each process.");
  std::size_t shown = 0;
  acceptance.for_each_process([&](const std::string& execution, const std::string& process,
                                  const ProcessProgress& progress) {
    if (++shown > most_processes_shown) return;
    text.value(static_cast<double>(progress.events),
               {{"execution", execution}, {"process", process}});
  });
}

[[nodiscard]] double seconds_since(std::int64_t steady) {
  if (steady == 0) return 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now - std::chrono::steady_clock::duration(steady)).count();
}

}  // namespace

double MonitorService::lag() const {
  if (const std::int64_t oldest = oldest_undecided_; oldest != 0) return seconds_since(oldest);
  if (!groups_.empty()) {
    return seconds_since(groups_.front().items.front().time.time_since_epoch().count());
  }
  if (arrivals_.empty()) return 0;
  return seconds_since(arrivals_.front().time.time_since_epoch().count());
}

std::string MonitorService::metrics() const {
  MetricsText text;
  // While the decider is busy, this waits: nobody who stores must wait for it.
  const auto waiting = decider_.waiting();
  const SpanCounts spans = decider_.span_counts();
  std::vector<SilentProcess> silent;
  std::vector<LongWait> waits;
  {
    const std::lock_guard lock(acceptance_mutex_);
    add_acceptance(text, acceptance_);
    silent = silence_.silent(acceptance_, waiting, std::chrono::steady_clock::now());
    waits = silence_.long_waits(std::chrono::steady_clock::now());
    add_counts(text, spans, acceptance_.open_traces());
  }
  add_counts(text, decider_.counts(), decider_.properties());
  text.begin("lightcone_messages_kept", "gauge", "Messages that may still be received.");
  text.value(static_cast<double>(decider_.messages_kept()));
  text.begin("lightcone_events_waiting", "gauge", "Events that wait for messages.");
  for (const WaitingExecution& one : waiting) {
    text.value(static_cast<double>(one.events), {{"execution", one.execution}});
  }
  add_silence(text, silent, waits);
  text.begin("lightcone_executions_bytes", "gauge", "Memory of all open executions, about.");
  text.value(static_cast<double>(decider_.bytes()));
  {
    const std::lock_guard lock(mutex_);
    text.begin("lightcone_lag_seconds", "gauge", "Age of the oldest event that is not decided.");
    text.value(lag());
    text.begin("lightcone_queued_bytes", "gauge", "Memory of what waits to be stored and decided.");
    text.value(static_cast<double>(undecided_));
  }
  text.begin("lightcone_memory_bytes", "gauge", "Memory in use.");
  text.value(static_cast<double>(memory_in_use()));
  text.durations("lightcone_verdict_seconds", "Time from the arrival of an event to its verdict.",
                 until_decided_);
  text.durations("lightcone_stored_seconds", "Time from an arrival until it is stored.",
                 until_stored_);
  return text.take();
}

std::map<std::string, MonitorService::Processes> MonitorService::open_executions() const {
  std::map<std::string, Processes> executions;
  const std::lock_guard lock(acceptance_mutex_);
  acceptance_.for_each_process([&](const std::string& execution, const std::string& process,
                                   const ProcessProgress& progress) {
    executions[execution][process] = {progress.owner, progress.events};
  });
  return executions;
}

std::string MonitorService::status() const {
  const auto waiting = decider_.waiting();
  const DeciderCounts decided = decider_.counts();
  const auto now = std::chrono::steady_clock::now();
  Json silent, waits;
  Json executions = Json::array();
  AcceptanceCounts counts;
  {
    const std::lock_guard lock(acceptance_mutex_);
    counts = acceptance_.counts();
    silent = silence_document(silence_.silent(acceptance_, waiting, now));
    waits = waits_document(silence_.long_waits(now));
  }
  for (const WaitingExecution& one : waiting) {
    executions.push_back(Json{{"execution", one.execution}, {"events", one.events}});
  }
  const std::string why = trouble();
  Json status{{"lightcone", 1},
              {"accepted", counts.accepted},
              {"decided", decided.events},
              {"duplicates", counts.duplicates},
              {"verdicts", verdicts_in(decided)},
              {"silent", std::move(silent)},
              {"waiting", std::move(executions)},
              {"waits", std::move(waits)},
              {"memory", memory_in_use()},
              {"verdict_seconds_99", until_decided_.quantile(0.99)}};
  if (!why.empty()) status["trouble"] = why;
  return status.dump();
}

}  // namespace lightcone::service
