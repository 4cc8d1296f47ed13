// Makes a program go through all its executions that differ, each of them once.
#pragma once

#include <lightcone/explore/search/execution_graph.h>
#include <lightcone/guide.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lightcone {

struct ExplorationOptions {
  bool fifo = false;              ///< only the first message of a channel can be taken
  std::uint32_t empty_polls = 1;  ///< in a row, of one process, that find nothing at any time
};

/// Asks for the executions of a program one after the other:
///
///     while (exploration.begin()) { …run it… exploration.end(); }
///
/// The driver of the program reports which processes are spawned and what is sent before it begins.
/// Then it does what `next` says, until that is nothing, and reports what the moving process does.
/// Processes and mailboxes are small numbers, the same in every execution. A process does the same
/// whenever it has made the same choices, and only one process reads a mailbox. `next` ends early
/// if this is not so.
///
/// A message may always be late, so a poll may find nothing although a message was sent. A process
/// finds nothing at most `empty_polls` times in a row. After that it finds nothing only when
/// nothing else can happen in the whole program; processes that did so least often come first. Two
/// executions are the same if every process made the same choices.
///
/// Several threads may explore one program, each with an exploration of its own: `split` gives a
/// part of the executions away.
class Exploration {
 public:
  /// What happens next.
  struct Next {
    enum class What : std::uint8_t { wakes, takes, nothing };
    What what = What::wakes;
    std::uint32_t process = 0;
    std::uint32_t sender = outside;  ///< takes
    std::uint64_t number = 0;        ///< takes: which of its sender's messages
  };
  /// Why an exploration cannot go on.
  struct Trouble {
    enum class What : std::uint8_t {
      second_reader,   ///< a process waits at a mailbox that another one has read
      second_closing,  ///< two processes close the network, neither after the other
      early_closing,   ///< it is closed before the execution begins
      difference,      ///< a process did not do again what it did after the same choices
    };
    What what = What::difference;
    std::uint32_t process = 0, other = 0, mailbox = 0;
  };

  /// The first execution follows the guide as far as it goes.
  explicit Exploration(const ExplorationOptions& options = {}, Guide first = {});
  Exploration(const Exploration&) = delete;
  Exploration& operator=(const Exploration&) = delete;

  /// Returns whether there is an execution left; it begins.
  [[nodiscard]] bool begin();
  /// The execution is over. It may have been cut short: then others may be missed.
  void end(bool cut_short = false);
  /// Gives away executions that have not begun, if there are any: right after `begin`. They come
  /// after all that this exploration keeps, in the order of an exploration that is not split.
  [[nodiscard]] std::unique_ptr<Exploration> split();

  /// The process that moves, or the outside, spawns another one.
  void spawns(std::uint32_t process);
  /// It sends a message; twice the same if it is doubled.
  void sends(std::uint32_t mailbox, std::uint64_t number, const MessageKind& kind = {});
  /// A filter for what a process waits for, the same for equal sets of patterns.
  [[nodiscard]] std::uint32_t filter(std::vector<MessagePattern> patterns) {
    return filters_.index_of(std::move(patterns));
  }
  /// It decides between alternatives; which one. The preferred one comes first, unless the guide
  /// says another.
  [[nodiscard]] std::uint32_t branches(std::uint32_t alternatives, std::uint32_t preferred = 0);
  /// No one will send any more.
  void closes();
  /// What the process that moves would like its waiting to end with: no message, or one that a
  /// pattern accepts. In the first execution it counts as what the guide says; later it is passed
  /// over, since it is known.
  void prefers(const std::optional<MessagePattern>& message);
  /// Its move is over, and it waits now; unless it has ended.
  void waits(const Waiting& waiting);
  /// Returns what happens next, or nothing if no process can move.
  [[nodiscard]] std::optional<Next> next();

  /// Returns how many executions have ended.
  [[nodiscard]] std::uint64_t executions() const { return executions_; }
  /// Returns whether there are no others than those that have ended.
  [[nodiscard]] bool complete() const { return done_ && !cut_short_ && !trouble_; }
  /// Returns whether a poll had to find something, since those before it had found nothing. Then
  /// `complete` is said of executions without more empty polls.
  [[nodiscard]] bool has_limited_polls() const { return has_limited_polls_; }
  [[nodiscard]] const std::optional<Trouble>& trouble() const { return trouble_; }
  /// The choices of the execution that runs, or ended last.
  [[nodiscard]] Guide guide() const;

 private:
  /// A move that may happen another way.
  struct Revision {
    std::uint32_t size = 0;  ///< of the graph, to which it belongs
    std::uint32_t move = 0;
    WaitEnding how = {};
  };
  /// A graph with what is still to be done about it.
  struct Frame {
    ExecutionGraph graph;
    std::uint32_t base = 0;  ///< moves that are given
    std::vector<Revision> revisions = {};
  };
  /// A place on the way back through the search. At a graph of this size, the first revisions, the
  /// first branches and all smaller graphs come after it.
  struct WayBack {
    std::size_t depth = 0;
    std::uint32_t size = 0;
    std::size_t revisions = 0, branches = 0;
  };

  [[nodiscard]] ExecutionGraph& graph() { return *graph_; }
  [[nodiscard]] const ExecutionGraph& graph() const { return *graph_; }
  void go_to(std::size_t depth);
  [[nodiscard]] bool advance();
  [[nodiscard]] std::optional<WayBack> last_work(std::size_t depth);
  [[nodiscard]] bool has_alternative_left(ExecutionGraph& graph);
  void revise(const Revision& revision);
  void start();
  void finish_move();
  void add_revisions(std::uint32_t process, const WaitEnding& how);
  void list_alternatives(std::uint32_t process);
  [[nodiscard]] bool may_find_nothing(std::uint32_t process) const;
  [[nodiscard]] bool is_guided(std::uint32_t process) const;
  [[nodiscard]] bool is_wanted(std::uint32_t process, const WaitEnding& how) const;
  [[nodiscard]] std::uint32_t eagerness(std::uint32_t process);
  [[nodiscard]] bool choose();
  [[nodiscard]] bool force();
  [[nodiscard]] bool is_new() const;
  void differs();

  ExplorationOptions options_;
  Guide first_;
  /// What processes prefer, by the number of choices that they have made; none: no message.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<MessagePattern>> preferred_;
  Filters filters_;
  std::deque<Frame> frames_;  ///< up to `depth_`; those after it are kept for their memory
  std::size_t depth_ = 0;
  ExecutionGraph* graph_ = nullptr;               ///< at this depth
  std::uint32_t current_ = ExecutionGraph::none;  ///< the move that is being made
  std::uint32_t known_ = 0;                       ///< moves that were made in an execution before
  std::uint32_t message_ = 0, branch_ = 0, spawn_ = 0;  ///< how many there were up to now
  Waiting waiting_;
  WayBack end_;  ///< what comes after it is explored by others
  bool begun_ = false, done_ = false, cut_short_ = false, over_ = true, has_limited_polls_ = false;
  bool knows_outside_ = false;  ///< what happens before the first move
  std::uint64_t executions_ = 0;
  std::optional<Trouble> trouble_;
  std::vector<std::uint32_t> readers_;  ///< of mailboxes
  std::vector<WaitEnding> alternatives_;
};

}  // namespace lightcone
