// One partition of the stream: what its messages lead to, and nothing else. The same messages in
// the same order give the same verdicts with the same numbers, whichever monitor reads them.
#pragma once

#include <lightcone/property.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accept/acceptance.h"
#include "accept/line_cutter.h"
#include "decide/decider.h"
#include "nats/partition_state.h"
#include "serve/silence.h"

namespace lightcone::service {

struct PartitionOptions {
  std::uint32_t number = 0;
  std::size_t partitions = 1;
  AcceptanceLimits acceptance = {};
  ExecutionLimits execution = {};
  LineLimits lines = {};
  std::string keep = {};  ///< the folder of failing executions; empty: they are not kept
  std::uint64_t keep_bytes = std::uint64_t{1} << 30;
  std::chrono::milliseconds silent{5000};
  SpanDeciderMaker span_decider = {};            ///< null: spans are not decided
  std::shared_ptr<ExecutionMemory> memory = {};  ///< of all partitions; null: it is not counted
  std::function<void(const std::string&)> note = {};
};

/// A message of the stream.
struct StreamMessage {
  std::uint64_t sequence = 0;
  std::string client = {};  ///< who sent it; empty: anyone
  std::string bytes = {};   ///< lines and headings; all that they need to be understood
  bool is_spans = false;    ///< the bytes are spans, encoded as protobuf
};

struct PartitionCounts {
  std::uint64_t messages = 0;
  std::uint64_t misplaced = 0;  ///< lines and headings of executions of other partitions
  std::uint64_t late = 0;       ///< of executions that have ended
  std::uint64_t bad = 0;        ///< messages that could not be read, or not all of them
};

/// One thread feeds it; others may ask for its figures.
class Partition {
 public:
  /// Verdicts of an execution that were told, also after the state was stored.
  using Told = std::map<std::string, std::uint64_t, std::less<>>;

  Partition(const PropertyFile& properties, PartitionOptions options, PartitionState state,
            Told told_later);

  /// The message that has to come next; those before it can be left out.
  [[nodiscard]] std::uint64_t first_needed() const { return first_needed_; }
  /// Messages come in the order of their numbers.
  void take(const StreamMessage& message);
  /// Whether executions have to be given up. Which ones is part of the state from then on. When
  /// that is stored, `give_up` does it: whoever takes over gives them up after the same message.
  [[nodiscard]] bool plan_to_give_up();
  void give_up();
  /// Verdicts since the last call that were not told before, in their order.
  [[nodiscard]] std::vector<VerdictLog::Line> verdicts();
  /// What all messages so far amount to. All verdicts must have been told.
  [[nodiscard]] PartitionState state(std::uint64_t last_verdict) const;
  struct QuietExecution {
    std::string name;
    bool is_trace = false;  ///< of spans
  };
  /// Executions of which nothing was heard for so long, each once; 0: none.
  [[nodiscard]] std::vector<QuietExecution> quiet(ArrivalTime now,
                                                  std::chrono::milliseconds patience,
                                                  std::chrono::milliseconds for_traces);
  /// Sentences on processes that hold others up.
  [[nodiscard]] std::vector<std::string> news_of_silence(ArrivalTime now);
  /// Who waits, and for whom.
  struct HeldUp {
    std::vector<WaitingExecution> waiting = {};
    std::vector<SilentProcess> silent = {};
    std::vector<LongWait> waits = {};
  };
  [[nodiscard]] HeldUp held_up(ArrivalTime now) const;

  [[nodiscard]] PartitionCounts counts() const;
  [[nodiscard]] AcceptanceCounts accepted() const;
  [[nodiscard]] std::size_t open_executions() const;
  [[nodiscard]] std::size_t open_traces() const;
  [[nodiscard]] std::uint32_t number() const { return options_.number; }
  /// The processes of this execution, or of all if the name is empty, and who may speak for them.
  using Processes = std::map<std::string, std::map<std::string, std::string>>;
  void add_processes(const std::string& execution, Processes& to) const;
  [[nodiscard]] const Decider& decider() const { return decider_; }

  /// An execution that has ended is known as such for so many messages of the stream. A trace of
  /// spans that has been decided ends so many messages after it began.
  static constexpr std::uint64_t remembered_messages = 10'000;
  static constexpr std::size_t most_ended = 40'000;  // so that the state can be stored

 private:
  struct OpenExecution {
    std::uint64_t first = 0;
    ArrivalTime heard = {};
    std::uint64_t given_up = 0;  // after this message
    bool is_said_quiet = false;
    bool is_trace = false, is_decided = false;  // of spans
  };

  class MessageReading;

  void accept(MessageReading& reading, const Arrival& arrival);
  void accept_lines(MessageReading& reading, const std::string& bytes);
  void accept_spans(MessageReading& reading, const std::string& bytes);
  void accept_quiet(MessageReading& reading, const Heading& heading);
  void forget_traces(std::uint64_t sequence);
  void give_up(const std::string& execution);
  void accept_piece(MessageReading& reading, const std::shared_ptr<LinePiece>& piece);
  void accept_of(MessageReading& reading, const std::string& execution,
                 std::variant<std::shared_ptr<LinePiece>, Heading> content);
  void decide(const MessageReading& reading, const Arrival& arrival);
  /// What is not wanted is counted, if asked for.
  [[nodiscard]] bool is_wanted(const std::string& execution, std::uint64_t sequence, bool is_again,
                               bool counts);
  void touch(const std::string& execution, std::uint64_t sequence);
  void end(const std::string& execution, std::uint64_t sequence);
  [[nodiscard]] std::optional<std::uint64_t> number_of(const ToldVerdict& verdict);
  void note(const std::string& what, bool is_again) const;

  PartitionOptions options_;
  mutable std::mutex mutex_;
  VerdictLog verdicts_;
  Decider decider_;
  Acceptance acceptance_;
  Silence silence_;
  LineCutter cutter_;
  std::uint64_t next_, first_needed_;
  std::vector<std::string> to_give_up_;
  std::multimap<std::uint64_t, std::string> to_repeat_;  // given up before, after these messages
  std::map<std::string, OpenExecution, std::less<>> open_;
  std::multimap<std::uint64_t, std::string> traces_;                  // by their first message
  std::vector<std::string> forgotten_;                                // traces
  std::map<std::uint64_t, std::uint64_t> ended_;                      // by digest
  std::set<std::pair<std::uint64_t, std::uint64_t>> ended_in_order_;  // messages and digests
  Told told_, counted_;
  PartitionCounts counts_;
  std::vector<VerdictLog::Line> out_;
};

}  // namespace lightcone::service
