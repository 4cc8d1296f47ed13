// Lets the processes of a program run as an exploration says, one at a time.
#pragma once

#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/search/named_exploration.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

/// How an execution under control ended.
struct ControlledEnd {
  enum class Why : std::uint8_t {
    ended,        ///< all processes ended
    deadlock,     ///< some wait for messages that will never be sent
    died,         ///< a process died, or ended the program, before its end
    hangs,        ///< a process neither asks for anything nor ends, or has not begun
    refused,      ///< a process does what cannot be explored
    interrupted,  ///< from outside
    /// A process waits for receives of its messages, and receivers were not told to acknowledge
    /// them: all executions are to be explored again.
    needs_acknowledgements,
    trouble,  ///< a process does what explorations know nothing of
  };
  Why why = Why::ended;
  std::string text = {};  ///< what is wrong, for people
  /// A process is gone and has not said that it ends: the program may have died with it.
  bool someone_is_gone = false;
};

/// Answers the processes of a program. A process moves only when it is told to, and until it asks
/// again; so what it sends is known to be sent before anyone else moves.
class Controller {
 public:
  /// `patience`: how long a process may run without asking for anything.
  Controller(NamedExploration& exploration, ControlSocket& socket,
             std::chrono::milliseconds patience)
      : exploration_(exploration.exploration()),
        names_(exploration.names()),
        socket_(socket),
        patience_(patience) {}

  /// One execution, between `begin` and `end` of the exploration; once. `is_running` says whether
  /// the program still runs, `is_interrupted` whether someone wants the exploration to end.
  [[nodiscard]] ControlledEnd run(const std::function<bool()>& is_running,
                                  const std::function<bool()>& is_interrupted = {});
  /// Returns whether a process has ever come.
  [[nodiscard]] bool has_met_someone() const { return met_someone_; }
  /// What processes did that was not explored.
  [[nodiscard]] const std::set<std::string>& left_out() const { return left_out_; }

 private:
  /// Where a message was sent from, and its number there.
  using Identity = std::pair<std::uint32_t, std::uint64_t>;
  /// What receives choose by, as it was said.
  struct SpokenKind {
    std::string context;
    std::int32_t tag = 0;
  };
  /// A process that takes part.
  struct Member {
    std::optional<ControlChannel> channel;  ///< none: it has ended, or has not come yet
    bool waits = false;
    Waiting waiting = {};                   ///< for this, if it waits
    std::string in = {};                    ///< in words
    std::string sender = {};                ///< the only one whose message it accepts
    std::optional<control::Ends> end = {};  ///< it has said so
  };

  [[nodiscard]] std::uint32_t number_of(const std::string& process);
  [[nodiscard]] Member& member_of(std::uint32_t process);
  /// Accepts processes that have come. Returns whether there was one.
  [[nodiscard]] bool admit();
  void spawn_those_who_came();
  [[nodiscard]] bool all_have_come() const;

  // The parts of an execution. They return its end, or nothing if it goes on.

  [[nodiscard]] std::optional<ControlledEnd> gather(const std::function<bool()>& is_running);
  [[nodiscard]] ControlMessage answer_to(const Exploration::Next& next) const;
  [[nodiscard]] std::optional<ControlledEnd> move(const Exploration::Next& next);
  /// Answers what a process says until its move is over.
  [[nodiscard]] std::optional<ControlledEnd> follow(std::uint32_t process);
  /// Waits until a process says something.
  [[nodiscard]] std::optional<ControlledEnd> await(std::uint32_t process);
  /// Something else than the processes' moves that ends an execution.
  [[nodiscard]] std::optional<ControlledEnd> disturbance();
  [[nodiscard]] std::string missing() const;
  [[nodiscard]] std::optional<ControlledEnd> hear(std::uint32_t process,
                                                  const ControlMessage& message);
  void add_sends(std::uint32_t process, const control::Sends& message);
  [[nodiscard]] MessagePattern numbered(const ControlPattern& accepted);
  void begin_wait(std::uint32_t process, const control::Takes& question);
  void end_move(std::uint32_t process);
  void hear_of_ends();
  /// How it ended when no process can move.
  [[nodiscard]] ControlledEnd finish();

  Exploration& exploration_;
  ExploredNames& names_;
  ControlSocket& socket_;
  std::chrono::milliseconds patience_;
  std::deque<Member> members_;                  // by number; they stay where they are
  std::map<std::string, ControlChannel> come_;  // not spawned yet
  bool met_someone_ = false;
  std::string unknown_receiver_;          // who sent a message to anyone
  std::map<Identity, SpokenKind> kinds_;  // of messages that have one
  std::set<std::string> left_out_;
  std::string refusal_;
  std::function<bool()> is_interrupted_;
};

}  // namespace lightcone
