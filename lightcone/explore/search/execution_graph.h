// What has happened in an execution so far: the moves of its processes, and what caused what.
#pragma once

#include <lightcone/explore/search/filters.h>
#include <lightcone/explore/search/waiting.h>
#include <lightcone/guide.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Moves in an order in which they can happen. The last one can be taken back, and some can be left
/// out. Memory is kept for the next use.
class ExecutionGraph {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Message {
    std::uint32_t sender = outside, mailbox = 0;
    std::uint64_t number = 0;  ///< among its sender's
    MessageKind kind = {};
    std::uint32_t move = none;                   ///< that sent it
    std::uint32_t before = none;                 ///< the message that must be taken before it
    std::uint32_t taken = none;                  ///< the move that took it
    std::uint32_t earlier = none;                ///< message of the same sender
    std::uint32_t previous = none, next = none;  ///< in its mailbox, as long as it is not taken
  };
  struct Branch {
    std::uint32_t which = 0, of = 1, tried = 0, preferred = 0;
  };
  struct Move {
    std::uint32_t process = 0, rank = 0;  ///< the rank counts the process's moves, from 1
    std::uint32_t stamp = 0;              ///< its place in the order of exploration
    std::uint32_t previous = none;        ///< of the same process
    WaitEnding how = {};
    Waiting before = {}, after = {};  ///< what the process waited for, and waits for now
    std::uint32_t messages = 0, branches = 0, spawns = 0;  ///< where its own begin
    std::uint32_t alternative = 0;                         ///< which one of those there were
    std::uint32_t choices = 0;                             ///< of the process, up to this move
    std::uint32_t row = 0;  ///< polls without a message since the last with one
    bool canonical = true;  ///< all choices were the first ones
    bool pinned = false;    ///< a move of a smaller stamp took its message
    bool closes = false;
  };
  struct Process {
    bool known = false;
    std::uint32_t spawner = none;  ///< the move that spawned it
    std::uint32_t last = none;     ///< move
    std::uint32_t last_message = none;
    Waiting waiting = {};
  };

  /// The filters are those that waiting processes name.
  ExecutionGraph(bool fifo, const Filters& filters) : fifo_(fifo), filters_(&filters) {}

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(moves_.size()); }
  [[nodiscard]] const Move& move(std::uint32_t index) const { return moves_[index]; }
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }
  [[nodiscard]] std::span<const Message> messages() const { return messages_; }
  [[nodiscard]] std::span<const Branch> branches() const { return branches_; }
  [[nodiscard]] std::span<const std::uint32_t> spawns() const { return spawns_; }
  [[nodiscard]] std::span<const Process> processes() const { return processes_; }
  /// The move that closed the network, or none.
  [[nodiscard]] std::uint32_t closed() const { return closed_; }
  /// Returns how many choices a process has made.
  [[nodiscard]] std::uint32_t choices(std::uint32_t process) const;
  /// Polls of the process that found nothing since the last one that found something.
  [[nodiscard]] std::uint32_t row(std::uint32_t process) const;

  /// Returns whether a move is another one or in its causal past.
  [[nodiscard]] bool in_past(std::uint32_t move, std::uint32_t of) const {
    return moves_[move].rank <= clock(of)[moves_[move].process];
  }
  /// Returns whether there is a message that a process can take that waits so.
  [[nodiscard]] bool has_message(const Waiting& waiting) const {
    if (waiting.filter != 0) return has_accepted(waiting);
    return waiting.mailbox < unread_.size() && unread_[waiting.mailbox].first != none;
  }
  /// The messages that it can take, in the order of their sending.
  void add_takes(const Waiting& waiting, std::vector<WaitEnding>& to) const;
  /// Returns whether a process that waits for a message may learn that none will come: all that
  /// were sent before the network was closed, or before what it knows, have been taken.
  [[nodiscard]] bool sees_closed(std::uint32_t process) const;
  /// Returns whether an earlier move could have ended its waiting that way; of moves that have not
  /// seen the message, or the closing.
  [[nodiscard]] bool could_have(std::uint32_t move, const WaitEnding& how) const;

  /// Begins a move of a process; what it does is added to it until the next one begins.
  void add_move(std::uint32_t process, const WaitEnding& how, std::uint32_t alternative,
                bool canonical);
  void add_message(std::uint32_t mailbox, std::uint64_t number, const MessageKind& kind);
  void add_branch(const Branch& branch);
  void add_spawn(std::uint32_t process);
  void close();
  /// What the process of the last move, or one that has not begun, waits for.
  void set_waiting(std::uint32_t process, const Waiting& waiting);
  /// Takes back the last move.
  void remove_move();
  /// Takes back what the last move did, and makes its last branch with an alternative left another
  /// one. The first `kept` branches of the graph stay. False if there is none.
  [[nodiscard]] bool change_branch(std::size_t kept = 0);
  /// Takes back all branches of the last move but the first `kept` of the graph.
  void remove_branches(std::size_t kept);
  /// The filters are these from now on, which are equal.
  void use(const Filters& filters) { filters_ = &filters; }
  /// Becomes the part of another graph that is older than one of its moves or in the past of its
  /// last one; after that this move happens another way, at its old place in the order.
  void revise(const ExecutionGraph& other, std::uint32_t revised, const WaitEnding& how);

 private:
  struct Unread {
    std::uint32_t first = none, last = none;
  };
  [[nodiscard]] const std::uint32_t* clock(std::uint32_t move) const {
    return clocks_.data() + std::size_t{move} * width_;
  }
  template <class Visit>
  void visit_accepted(const Waiting& waiting, const Visit& visit) const;
  [[nodiscard]] bool has_accepted(const Waiting& waiting) const;
  [[nodiscard]] bool would_accept(const Move& move, const Message& message) const;
  [[nodiscard]] bool is_taken(const Message& message, const Move* at) const;
  [[nodiscard]] bool comes_first(const Message& message, const Move* at) const;
  [[nodiscard]] bool is_copy(const Message& message) const;
  void clear();
  void widen(std::uint32_t process);
  void set_clock(const Move& move);
  void link(std::uint32_t message);
  void order(std::uint32_t message);
  [[nodiscard]] std::uint32_t& last_message(std::uint32_t sender);
  void take(std::uint32_t message, std::uint32_t move);
  void undo_effects();
  void copy_move(const ExecutionGraph& other, std::uint32_t index);

  bool fifo_;
  const Filters* filters_;
  std::uint32_t width_ = 8;  ///< of a clock
  std::uint32_t closed_ = none, next_stamp_ = 0, last_outside_ = none;
  std::vector<Move> moves_;
  std::vector<Message> messages_;
  std::vector<Branch> branches_;
  std::vector<std::uint32_t> spawns_;
  std::vector<std::uint32_t> clocks_;  ///< one after the other
  std::vector<Process> processes_;
  std::vector<Unread> unread_;                           ///< by mailbox
  std::vector<std::uint32_t> new_moves_, new_messages_;  ///< while a graph is revised
  mutable std::vector<std::uint32_t> passed_;            ///< by a pattern, of a sender
};

}  // namespace lightcone
