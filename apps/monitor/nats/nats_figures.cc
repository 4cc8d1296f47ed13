// What a monitor that shares a stream says about itself.
#include <lightcone/base/json.h>

#include <algorithm>
#include <iterator>

#include "nats/nats_monitor.h"
#include "serve/decision_figures.h"

namespace lightcone::service {
namespace {

/// All partitions of this monitor together.
struct NatsFigures {
  AcceptanceCounts accepted = {};
  DeciderCounts decided = {};
  PartitionCounts messages = {};
  SpanCounts spans = {};
  std::size_t open = 0, open_traces = 0, bytes = 0;
  Partition::HeldUp held_up = {};

  explicit NatsFigures(const std::vector<std::shared_ptr<const Partition>>& partitions) {
    const auto now = std::chrono::steady_clock::now();
    for (const auto& partition : partitions) {
      add(accepted, partition->accepted());
      add(decided, partition->decider().counts());
      const PartitionCounts counts = partition->counts();
      messages.messages += counts.messages;
      messages.misplaced += counts.misplaced;
      messages.late += counts.late;
      messages.bad += counts.bad;
      add(spans, partition->decider().span_counts());
      open += partition->open_executions();
      open_traces += partition->open_traces();
      bytes += partition->decider().bytes();
      Partition::HeldUp more = partition->held_up(now);
      std::ranges::move(more.waiting, std::back_inserter(held_up.waiting));
      std::ranges::move(more.silent, std::back_inserter(held_up.silent));
      std::ranges::move(more.waits, std::back_inserter(held_up.waits));
    }
    accepted.late += messages.late;
  }
};

}  // namespace

std::string NatsMonitor::metrics() const {
  const auto mine = partitions();
  const NatsFigures figures(mine);
  MetricsText text;
  const auto one = [&](const char* name, const char* type, const char* help, double value) {
    text.begin(name, type, help);
    text.value(value);
  };
  add_counts(text, figures.accepted);
  if (!mine.empty()) add_counts(text, figures.decided, properties_);
  add_counts(text, figures.spans, figures.open_traces);
  add_silence(text, figures.held_up.silent, figures.held_up.waits);
  one("lightcone_executions_bytes", "gauge", "Memory of all open executions, about.",
      static_cast<double>(figures.bytes));
  one("lightcone_executions_open", "gauge", "Executions that are watched.",
      static_cast<double>(figures.open));
  one("lightcone_partitions_owned", "gauge", "Partitions that this monitor decides.",
      static_cast<double>(mine.size()));
  one("lightcone_monitors", "gauge", "Monitors that share the stream.",
      static_cast<double>(monitors_.load()));
  one("lightcone_messages_decided_total", "counter", "Messages of the stream that were decided.",
      static_cast<double>(figures.messages.messages));
  one("lightcone_messages_misplaced_total", "counter",
      "Executions that were published in a partition that is not theirs.",
      static_cast<double>(figures.messages.misplaced));
  one("lightcone_messages_bad_total", "counter", "Messages that could not be read.",
      static_cast<double>(figures.messages.bad));
  one("lightcone_messages_published_total", "counter", "Messages of clients that were published.",
      static_cast<double>(intake_->messages()));
  one("lightcone_queued_bytes", "gauge", "Bytes that wait to be published.",
      static_cast<double>(intake_->queued()));
  text.begin("lightcone_messages_pending", "gauge", "Messages that wait, of each partition.");
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, worker] : workers_) {
      const std::string name = std::to_string(number);
      text.value(static_cast<double>(worker->pending()), {{"partition", name}});
    }
  }
  one("lightcone_memory_bytes", "gauge", "Memory in use.", static_cast<double>(memory_in_use()));
  return text.take();
}

std::string NatsMonitor::status() const {
  const auto mine = partitions();
  const NatsFigures figures(mine);
  Json owned = Json::array();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, worker] : workers_) {
      owned.push_back(Json{{"partition", number}, {"pending", worker->pending()}});
    }
  }
  Json waiting = Json::array();
  for (const WaitingExecution& one : figures.held_up.waiting) {
    waiting.push_back(Json{{"execution", one.execution}, {"events", one.events}});
  }
  Json status{{"lightcone", 1},
              {"monitor", name_},
              {"monitors", monitors_.load()},
              {"partitions", std::move(owned)},
              {"accepted", figures.accepted.accepted},
              {"decided", figures.decided.events},
              {"duplicates", figures.accepted.duplicates},
              {"verdicts", verdicts_in(figures.decided)},
              {"silent", silence_document(figures.held_up.silent)},
              {"waiting", std::move(waiting)},
              {"waits", waits_document(figures.held_up.waits)},
              {"memory", memory_in_use()}};
  if (const std::string why = trouble(); !why.empty()) status["trouble"] = why;
  return status.dump();
}

}  // namespace lightcone::service
