// What clients send, cut into pieces: lines of events, and headings that say what they belong to.
#pragma once

#include <lightcone/trace/jsonl/jsonl_parser.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accept/span_batch.h"

namespace lightcone {
class Json;
}

namespace lightcone::service {

using ArrivalTime = std::chrono::steady_clock::time_point;

/// Who sends lines, and is told what became of them.
class LineSource {
 public:
  LineSource() = default;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  virtual ~LineSource() = default;

  /// So many events of a process are stored now; called only where the client asked for it.
  virtual void stored(const std::string& execution,
                      const std::map<std::string, std::uint64_t>& events) = 0;
  /// The execution has ended: nothing more of it is taken. Called only where the client asked.
  virtual void ended(const std::string&) {}
  /// Nothing more is taken from this client.
  virtual void refused(const std::string& why) = 0;
  /// The same, for a reason that passes: the client may come again later.
  virtual void refused_for_now(const std::string& why) { refused(why); }
  /// Asks the client for something, by a line of JSON. Called in any thread.
  virtual void ask(const std::string&) {}

  static constexpr const char* anyone = "anyone";
  std::string client = anyone;  ///< the name that its token stands for
  bool is_refused = false;
  bool wants_answers = false;
  bool may_end_all = false;  ///< it stands for the monitor itself: any execution
  /// The rank of the next line of each process, where the client counts them itself.
  std::map<std::pair<std::string, std::string>, std::uint64_t> cursors = {};
  /// The execution has ended: its processes are not counted any more.
  void forget_cursors(const std::string& execution) {
    const auto begin = cursors.lower_bound({execution, {}});
    auto end = begin;
    while (end != cursors.end() && end->first.first == execution) ++end;
    cursors.erase(begin, end);
  }
  std::size_t processes = 0;          ///< of open executions, that it spoke for last
  std::atomic<bool> is_held = false;  ///< it is far ahead of others, and has to wait for them
};

/// A line that holds no event: which execution the lines after it belong to, and more.
struct Heading {
  std::string execution = {};
  std::vector<std::string> processes = {};  ///< all that there are; empty: not said
  std::string process = {};                 ///< whom `from` and `is_lost` are about
  std::uint64_t from = 0;  ///< the rank of the next line of the process; 0: not said
  bool is_lost = false;    ///< no more of the process is to be had, though there was more
  bool is_end = false;     ///< no event of the execution follows
  bool is_quiet = false;   ///< the execution is a trace of spans, which is decided now
  bool wants_answers = false;
  std::string token = {};
  bool takes_snapshots = false;               ///< the client answers questions about snapshots
  std::shared_ptr<const Json> snapshot = {};  ///< such an answer
};

/// Parses one piece after the other. What it works on is much larger than a piece, and stays here.
struct PieceParser {
  JsonlParser parser = {};
  std::vector<char> text = {};
};

/// Some whole lines of one source.
struct LinePiece {
  std::string execution = {};  ///< of lines that do not say it themselves
  std::string original = {};   ///< as they came
  JsonlLines lines = {};
  std::uint64_t first_line = 1;

  /// The text of a line, with its end.
  [[nodiscard]] std::string_view text_of(const JsonlLine& line) const;
  /// Parses `original`.
  void parse(PieceParser& by);
  void parse();
  /// How much memory it takes.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void count_bytes(std::size_t handed_over);

  std::vector<std::size_t> starts_ = {};
  std::size_t bytes_ = 0;
};

/// What came of one source at one time.
struct Arrival {
  std::shared_ptr<LineSource> source = {};
  std::variant<std::shared_ptr<LinePiece>, Heading, std::shared_ptr<SpanBatch>> content = {};
  ArrivalTime time = {};

  /// How much memory it takes.
  [[nodiscard]] std::size_t bytes() const;
  /// The executions and traces that it is about.
  [[nodiscard]] std::set<std::string> executions() const;
};

/// A member of JSON text as JsonlLine::extra has it: its value as JSON text; empty if there is no
/// such member.
[[nodiscard]] std::string_view member_text(std::string_view members, std::string_view name);

/// The execution that a line names itself.
[[nodiscard]] std::optional<std::string> execution_in(const JsonlLine& line);

}  // namespace lightcone::service
