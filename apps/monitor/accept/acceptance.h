// Which events are accepted: each process counts its own, so that none counts twice.
#pragma once

#include <lightcone/monitor.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accept/arrival.h"

namespace lightcone::service {

/// What all clients together may make the monitor keep.
struct AcceptanceLimits {
  std::size_t executions = 10'000;    ///< open at a time
  std::size_t traces = 100'000;       ///< of spans, open at a time
  std::size_t processes = 4'096;      ///< of one execution
  std::size_t held_bytes = 64 << 20;  ///< of lines that came before their turn
  std::size_t ended = 100'000;        ///< executions whose ends are remembered
};

/// Something that was accepted. All that follows depends on these and on their order alone.
struct AcceptedItem {
  enum class What : std::uint8_t {
    lines = 1,      ///< events
    processes = 2,  ///< the processes of an execution are these
    end = 3,        ///< no event of the execution follows
    lost = 4,       ///< no more of a process is to be had
    spans = 5,      ///< spans as they came
    quiet = 6,      ///< a trace of spans is decided now
    given_up = 7,   ///< there is no memory left for the execution
  };
  What what = What::lines;
  std::string execution = {};
  std::vector<std::string> names = {};  ///< processes; or why it ended or was given up
  std::shared_ptr<LinePiece> piece = {};
  std::shared_ptr<SpanBatch> spans = {};
  std::vector<std::uint32_t> lines = {};  ///< of the piece
  std::size_t bytes = 0;                  ///< of memory, that are free when it is decided
  std::string client = {};                ///< who said it
  ArrivalTime time = {};
};

/// How many events came, and what became of them.
struct AcceptanceCounts {
  std::uint64_t accepted = 0, duplicates = 0, too_early = 0, late = 0, refused = 0;
  std::uint64_t ended = 0;
};

/// What is known of a process of an execution.
struct ProcessProgress {
  std::uint64_t events = 0;                        ///< accepted
  bool has_spoken = false;                         ///< it had an initial state or an event
  std::string owner = {};                          ///< the client that may speak for it
  std::weak_ptr<LineSource> speaker = {};          ///< who spoke for it last
  std::map<std::uint64_t, std::string> held = {};  ///< lines that wait for those before them
  ArrivalTime heard = {};
};

/// Processes of an execution whose next events wait for messages.
struct WaitingExecution {
  std::string execution;
  std::size_t events = 0;
  std::vector<MonitorWait> waits;
};

/// Traces of spans that are not decided, in the order in which they were heard of.
class OpenTraces {
 public:
  void hear_of(const std::string& trace, ArrivalTime time) {
    const auto [place, is_new] = places_.try_emplace(trace);
    if (!is_new) order_.erase(place->second);
    place->second = order_.emplace(order_.end(), trace, time);
  }
  bool erase(const std::string& trace) {
    const auto found = places_.find(trace);
    if (found == places_.end()) return false;
    order_.erase(found->second);
    places_.erase(found);
    return true;
  }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool contains(const std::string& trace) const { return places_.contains(trace); }
  /// The one that was not heard of for the longest time, and when it was.
  [[nodiscard]] const std::pair<std::string, ArrivalTime>& oldest() const { return order_.front(); }

 private:
  using Order = std::list<std::pair<std::string, ArrivalTime>>;
  Order order_;
  std::unordered_map<std::string, Order::iterator> places_;
};

/// Lets in events in the order of each process, each once. Lines that come before their turn are
/// held until those before them have come; they are not stored and not acknowledged before that.
class Acceptance {
 public:
  using Take = std::function<void(AcceptedItem)>;

  explicit Acceptance(AcceptanceLimits limits) : limits_(limits) {}

  /// Hands on what is accepted, and refuses a client that says what cannot be.
  void accept(const Arrival& arrival, const Take& take);
  /// Ends executions that have been quiet for so long; all if it is 0.
  void end_quiet(ArrivalTime now, std::chrono::nanoseconds quiet, const Take& take);

  /// These executions and traces are not quiet: what was sent of them waits to be accepted.
  void hear_of(const std::set<std::string>& names, ArrivalTime now);
  /// Decides traces of spans that have been quiet for so long; all if it is 0.
  void decide_quiet(ArrivalTime now, std::chrono::nanoseconds quiet, const Take& take);
  /// An execution has ended. What comes of it later is dropped, as long as this is remembered.
  void remember_end(std::uint64_t digest);
  /// Spans and decisions of the log, when the monitor starts again.
  void repeat(const AcceptedItem& item);
  /// Tells the clients that asked for it how far each process has come. What was accepted must be
  /// stored.
  void tell_clients();

  /// Who has to wait so that others catch up: clients all of whose processes wait for messages in
  /// these executions. Nothing that such a process does next sets anybody free. Whoever has the
  /// send of a missing message is not among them, unless it is of a process that was never heard
  /// of; so of the clients of an execution one is left out in any case.
  [[nodiscard]] std::set<std::shared_ptr<LineSource>> far_ahead(
      const std::vector<WaitingExecution>& executions) const;

  [[nodiscard]] const AcceptanceCounts& counts() const { return counts_; }
  [[nodiscard]] std::size_t open_executions() const { return executions_.size(); }
  [[nodiscard]] bool is_open(std::string_view execution) const {
    return executions_.find(execution) != executions_.end();
  }
  [[nodiscard]] std::size_t open_traces() const { return traces_.size(); }
  [[nodiscard]] std::size_t held_bytes() const { return held_bytes_; }
  /// Calls `of` with each process of each execution that is open.
  void for_each_process(const std::function<void(const std::string&, const std::string&,
                                                 const ProcessProgress&)>& of) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct OpenExecution {
    std::string opener = {};  // the client that it was heard of from first
    tsl::robin_map<std::string, std::unique_ptr<ProcessProgress>, TextHash, std::equal_to<>>
        processes = {};
    std::set<std::weak_ptr<LineSource>, std::owner_less<>> counting = {};  // who have cursors
    std::size_t most_counting = 16;  // before those that are gone are forgotten
    ArrivalTime heard = {};
  };
  using StoredEvents = std::map<std::string, std::uint64_t>;  // by process
  /// What becomes of one line.
  enum class Fate { accepted, dropped, held_ones_follow };

  void accept_piece(const Arrival& arrival, const Take& take);
  void accept_heading(const Arrival& arrival, const Take& take);
  void accept_spans(const Arrival& arrival, const Take& take);
  [[nodiscard]] Fate accept_line(const Arrival& arrival, const JsonlLine& line,
                                 const std::string& execution, std::string_view text);
  [[nodiscard]] static std::optional<std::uint64_t> rank_of(LineSource& source,
                                                            const JsonlLine& line,
                                                            const std::string& execution);
  [[nodiscard]] Fate hold(LineSource& source, std::uint64_t rank, std::string_view text,
                          ProcessProgress& process);
  [[nodiscard]] std::string released(const std::string& execution, std::string_view process);
  [[nodiscard]] OpenExecution* open(const std::string& execution, LineSource* source);
  [[nodiscard]] ProcessProgress* process_of(OpenExecution& execution, std::string_view name,
                                            LineSource* source);
  static void note_counting(OpenExecution& execution, const std::shared_ptr<LineSource>& source);
  static void note_speaker(ProcessProgress& process, const std::shared_ptr<LineSource>& source);
  [[nodiscard]] static bool may_end(const OpenExecution& execution, const LineSource& source);
  void end(const std::string& execution, std::string why, const Take& take);
  void forget(const std::string& execution);
  void note_answer(const std::shared_ptr<LineSource>& source, const std::string& execution,
                   std::string_view process);
  static void count_stored(const OpenExecution& execution, StoredEvents& processes);
  void refuse(LineSource& source, const std::string& why);
  void refuse_for_now(LineSource& source, const std::string& why);
  [[nodiscard]] bool begin_refusal(LineSource& source);

  AcceptanceLimits limits_;
  AcceptanceCounts counts_;
  tsl::robin_map<std::string, std::unique_ptr<OpenExecution>, TextHash, std::equal_to<>>
      executions_;
  std::deque<std::uint64_t> ended_;  // digests of names, the oldest first
  tsl::robin_set<std::uint64_t> has_ended_;
  OpenTraces traces_;  // of spans
  std::size_t held_bytes_ = 0;
  ArrivalTime now_ = {};  // when what is accepted was looked at
  std::map<std::shared_ptr<LineSource>, std::map<std::string, StoredEvents>> answers_;
  const ProcessProgress* noted_process_ = nullptr;  // the answer noted last
  const LineSource* noted_source_ = nullptr;
  OpenExecution* last_ = nullptr;  // looked up
  std::string last_name_;
};

}  // namespace lightcone::service
