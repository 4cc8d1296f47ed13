// Lets the processes of a program run as an exploration says, one at a time.
#pragma once

#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/exploration.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// How an execution under control ended.
struct ControlledEnd {
  enum class Why : std::uint8_t {
    ended,        ///< all processes ended
    deadlock,     ///< some wait for messages that will never be sent
    hangs,        ///< a process neither asks for anything nor ends, or has not begun
    refused,      ///< a process does what cannot be explored
    interrupted,  ///< from outside
    /// A process waits for receives of its messages, and receivers were not told to acknowledge
    /// them: all executions are to be explored again.
    needs_acknowledgements,
    trouble,  ///< the program is not one that can be explored
  };
  Why why = Why::ended;
  std::string text = {};  ///< what is wrong, for people
};

/// Answers the processes of a program, execution after execution. A process moves only when it is
/// told to, and until it asks again; so what it sends is known to be sent before anyone else moves.
class Controller {
 public:
  /// `patience`: how long a process may run without asking for anything.
  /// `names`: processes that the exploration's guide numbers already.
  Controller(Exploration& exploration, ControlSocket& socket, std::chrono::milliseconds patience,
             const std::vector<std::string>& names = {})
      : exploration_(exploration), socket_(socket), patience_(patience) {
    for (const std::string& name : names) static_cast<void>(index_of(name));
  }

  /// One execution, between `begin` and `end` of the exploration. `is_running` says whether the
  /// program still runs, `is_interrupted` whether someone wants the exploration to end.
  [[nodiscard]] ControlledEnd run(const std::function<bool()>& is_running,
                                  const std::function<bool()>& is_interrupted = {});
  /// Returns whether a process has ever come.
  [[nodiscard]] bool has_met_someone() const { return met_someone_; }
  /// The names of processes, as explorations and guides number them.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// What processes did, in any execution, that was not explored.
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
    Waiting waiting = {};     ///< for this, if it waits
    std::string in = {};      ///< in words
    std::string sender = {};  ///< the only one whose message it accepts
  };

  [[nodiscard]] std::uint32_t index_of(const std::string& name);
  [[nodiscard]] std::uint32_t number_of_context(const std::string& context);
  /// Accepts processes that have come. Returns whether there was one.
  [[nodiscard]] bool admit();
  void expect(const std::string& name);
  void spawn_those_who_came();
  [[nodiscard]] bool all_have_come() const;
  [[nodiscard]] ControlledEnd gather(const std::function<bool()>& is_running);
  [[nodiscard]] ControlMessage answer_to(const Exploration::Next& next) const;
  [[nodiscard]] ControlledEnd move(const Exploration::Next& next);
  /// Answers what a process says until its move is over.
  [[nodiscard]] ControlledEnd follow(std::uint32_t process);
  /// Waits until a process says something.
  [[nodiscard]] ControlledEnd await(std::uint32_t process);
  /// Something else than the processes' moves that ends an execution.
  [[nodiscard]] ControlledEnd disturbance();
  [[nodiscard]] std::string missing() const;
  [[nodiscard]] ControlledEnd hear(std::uint32_t process, const ControlMessage& message);
  void add_sends(std::uint32_t process, const control::Sends& message);
  void begin_wait(std::uint32_t process, const control::Takes& question);
  void end_move(std::uint32_t process);
  [[nodiscard]] ControlledEnd finish();
  [[nodiscard]] std::string trouble() const;

  Exploration& exploration_;
  ControlSocket& socket_;
  std::chrono::milliseconds patience_;
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> indices_;
  std::map<std::string, std::uint32_t, std::less<>> contexts_{{"", 0}};
  std::deque<Member> members_;         // by index; they stay where they are
  std::vector<std::string> expected_;  // who came to earlier executions, or is known to the others
  std::map<std::string, ControlChannel> come_;  // not spawned yet
  bool met_someone_ = false;
  std::string unknown_receiver_;          // who sent a message to anyone
  std::map<Identity, SpokenKind> kinds_;  // of messages that have one
  std::set<std::string> left_out_;
  std::string refusal_;
  std::function<bool()> is_interrupted_;
};

}  // namespace lightcone
