// Small programs, all that can happen in them by brute force, and what an exploration of them
// meets.
#pragma once

#include <lightcone/explore/search/exploration.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lightcone::interleavings {

using History = std::vector<Guide::Choice>;

/// What a process does until it waits, decides or ends.
struct Behaviour {
  struct Send {
    std::uint32_t mailbox = 0, copies = 1;  ///< none: it is lost
    MessageKind kind = {};
  };
  std::vector<Send> sends = {};
  bool closes = false;
  std::uint32_t branch = 0;                   ///< between so many alternatives
  Waiting waiting = {};                       ///< with filter 0
  std::vector<MessagePattern> patterns = {};  ///< what it accepts there; none: everything
};

/// Programs are functions from what a process has chosen so far, with {} for each waking, to what
/// it does.
struct InterleavedProgram {
  std::uint32_t processes = 2;
  std::uint32_t outside_sends = 0;  ///< to mailboxes 0, 1, …
  ExplorationOptions options = {};
  std::function<Behaviour(std::uint32_t, const History&)> behaviour;
};

/// The definition. A state is what all processes have chosen; all that can follow is tried.
class AllInterleavings {
 public:
  static constexpr std::uint64_t most = 150;  ///< states; larger programs are left alone

  explicit AllInterleavings(const InterleavedProgram& program);
  std::set<std::string> executions;
  std::uint64_t states = 0;

 private:
  struct Parcel {
    std::uint32_t mailbox = 0, sender = 0;
    std::uint64_t number = 0;
    MessageKind kind = {};
    std::uint64_t move = 1, known = 1;  ///< that sent it, and those before it; one bit each
    friend bool operator==(const Parcel&, const Parcel&) = default;
  };
  struct Member {
    History history = {};
    Behaviour now = {};
    std::uint32_t row = 0;
    std::uint64_t sent = 0, own = 0, known = 1;
  };
  struct State {
    std::vector<Member> members = {};
    std::vector<Parcel> parcels = {};
    std::uint64_t moves = 1;                   ///< all
    std::optional<std::uint64_t> closed = {};  ///< the moves before that
  };

  void visit(const State& state);
  [[nodiscard]] std::vector<Parcel> takeable(const State& state, const Behaviour& now) const;
  [[nodiscard]] bool moves_of(const State& state, std::uint32_t p);
  void go_on(State state, std::uint32_t p, const Guide::Choice& choice,
             const std::optional<Parcel>& taken, std::uint64_t learnt = 0);

  const InterleavedProgram& program_;
  std::set<std::string> seen_;
};

/// Runs a program once, as an exploration says. Processes prefer what a guide says, as far as a
/// pattern can.
void run(const InterleavedProgram& program, Exploration& exploration, const Guide& preferred = {});
/// All executions that an exploration meets whose processes prefer what a guide says.
[[nodiscard]] std::vector<Guide> explored_with_preferences(const InterleavedProgram& program,
                                                           const Guide& preferred);
/// All executions that an exploration meets, in their order.
[[nodiscard]] std::vector<Guide> explored(const InterleavedProgram& program,
                                          const Guide& first = {});
/// The same of an exploration that is split at random into parts, which run in any order. Returns
/// the executions in the order of the parts, and adds the number of parts.
[[nodiscard]] std::vector<Guide> explored_in_parts(const InterleavedProgram& program,
                                                   std::uint64_t seed, std::uint64_t& parts);
/// What all processes chose, as a text.
[[nodiscard]] std::string text(const Guide& guide);

/// Compares what explorations of so many programs meet with all their interleavings, those that are
/// few enough; how many executions there were.
[[nodiscard]] std::uint64_t expect_each_execution_once(
    const std::function<InterleavedProgram(std::uint64_t seed)>& program, std::uint64_t programs,
    std::uint64_t least);

/// A number for what a process has chosen.
[[nodiscard]] std::uint64_t hash(std::uint64_t seed, std::uint32_t process, const History& history);

/// Random numbers that are quick to begin with.
class QuickRandom {
 public:
  explicit QuickRandom(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(((state_ >> 33) * end) >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace lightcone::interleavings
