// Decides what was accepted, in its order, and nothing else: the same log gives the same verdicts.
#pragma once

#include <lightcone/property.h>

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "accept/acceptance.h"
#include "decide/execution_memory.h"
#include "decide/kept_executions.h"
#include "decide/log_position.h"
#include "decide/span_decider.h"
#include "decide/verdict_log.h"
#include "decide/watched_execution.h"

namespace lightcone::service {

struct DeciderCounts {
  std::uint64_t events = 0;   ///< decided
  std::uint64_t ignored = 0;  ///< of processes that were refused or lost, or executions given up
  std::uint64_t refused_processes = 0;
  std::uint64_t failing_executions = 0;
  /// Of each property, by verdict as in `Verdict`.
  std::vector<std::array<std::uint64_t, 4>> verdicts = {};
};

/// Its calls come from one thread, but for those of status.
class Decider {
 public:
  using Note = std::function<void(const std::string&)>;

  /// The log must outlive this. Notes are for people.
  Decider(PropertyFile properties, ExecutionLimits limits, VerdictLog& verdicts, Note note);
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;
  ~Decider();
  /// Before anything is decided: where failing executions are kept, and who decides spans.
  void keep_in(std::unique_ptr<KeptExecutions> kept) { kept_ = std::move(kept); }
  void decide_spans_by(const SpanDeciderMaker& maker);
  /// Before anything is decided: what all executions take together is counted here.
  void count_memory_in(std::shared_ptr<ExecutionMemory> memory);
  /// Who hears of traces of which nothing is kept any more.
  void on_forgotten(std::function<void(const std::string&)> told) { forgotten_ = std::move(told); }

  /// A trace that was decided by an earlier run of the monitor.
  void ignore_trace(const std::string& trace);
  /// An execution that ended in an earlier run of the monitor.
  void remember_end(std::uint64_t digest) { ended_.add(digest); }
  /// Keeps nothing of a trace that has been decided.
  void forget_trace(const std::string& trace);

  /// `file` is that of the log which holds the item.
  void decide(const AcceptedItem& item, std::uint64_t file);
  /// Where a restart could begin now. What lies before that is forgotten.
  [[nodiscard]] LogPosition position();
  /// The number of the file where it could.
  [[nodiscard]] std::uint64_t position_file() const;
  /// How many files are known where a restart could begin at some time.
  [[nodiscard]] std::size_t positions() const { return positions_.size(); }

  /// For other threads.
  [[nodiscard]] DeciderCounts counts() const;
  [[nodiscard]] std::vector<WaitingExecution> waiting() const;
  /// Executions in which more events wait than ExecutionLimits::far_ahead.
  [[nodiscard]] std::vector<WaitingExecution> far_ahead() const;
  [[nodiscard]] std::size_t messages_kept() const;
  /// About how much memory all open executions take, where it is counted.
  [[nodiscard]] std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  /// The executions and traces that have to be given up, so that all together take no more memory
  /// than they may: those that take most, and of which `may_be` is true. Whoever asks says so to
  /// `decide`, at a place that the log knows. Until then they count as if they took nothing.
  using MayBe = std::function<bool(const std::string&)>;
  [[nodiscard]] std::vector<AcceptedItem> to_give_up(const MayBe& may_be);
  [[nodiscard]] SpanCounts span_counts() const;
  /// Writes what came of an open execution to the folder of those that are kept.
  void write_open(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (kept_) kept_->write_open(name);
  }
  [[nodiscard]] const PropertyFile& properties() const { return properties_; }

 private:
  struct OpenOne {
    std::unique_ptr<WatchedExecution> watched;
    std::uint64_t file = 0;  // of the log, with its first item
    std::size_t bytes = 0;   // of memory, as counted last
    std::uint64_t lines = 0;
    bool leaves = false;  // it will be given up
  };

  static constexpr std::size_t most_ended = 1'000'000;

  [[nodiscard]] OpenOne& open(const std::string& execution, std::uint64_t file);
  void decide_lines(const AcceptedItem& item, std::uint64_t file);
  void look_who_is_ahead(const WatchedExecution& watched);
  void count_memory(OpenOne& open);
  void count_span_memory();
  void change_memory(std::size_t& counted, std::size_t now);
  void leave_spans(const MayBe& may_be, std::vector<AcceptedItem>& items);
  [[nodiscard]] AcceptedItem leaving(const std::string& name) const;
  void add_spans(const AcceptedItem& item, std::uint64_t file);
  void count(const ToldVerdict& verdict);
  void begin_file(std::uint64_t file);
  void close_in(std::uint64_t file);
  void give_up(const AcceptedItem& item);
  void end(const std::string& execution);

  PropertyFile properties_;
  ExecutionLimits limits_;
  VerdictLog& verdicts_;
  Note note_;
  mutable std::mutex mutex_;
  std::map<std::string, OpenOne, std::less<>> executions_;
  std::set<std::string, std::less<>> far_ahead_;
  std::shared_ptr<ExecutionMemory> memory_;       // null: it is not counted
  std::size_t bytes_ = 0;                         // of it
  std::map<std::uint64_t, std::size_t> open_in_;  // how many began in each file
  struct FileBeginning {
    LogPosition position;
    std::uint64_t ended = 0;  // so many executions had
  };
  std::map<std::uint64_t, FileBeginning> positions_;
  EndedExecutions ended_{most_ended};
  std::map<std::string, std::size_t, std::less<>> property_index_;
  DeciderCounts counts_;
  std::unique_ptr<KeptExecutions> kept_;                            // null: nowhere
  std::unique_ptr<SpanDecider> spans_;                              // null: there are none
  std::size_t span_bytes_ = 0;                                      // of memory, as counted last
  std::map<std::string, std::size_t, std::less<>> leaving_traces_;  // their bytes
  std::function<void(const std::string&)> forgotten_;
  std::map<std::string, std::uint64_t, std::less<>> trace_files_;  // the first file of each trace
};

}  // namespace lightcone::service
