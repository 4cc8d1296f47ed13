// An exploration meets every execution that differs, once: those that a search through all
// interleavings finds.
#include <lightcone/choices/exploration.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace lightcone {
namespace {

using Kind = Guide::Choice::Kind;
using History = std::vector<Guide::Choice>;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t share = 8;
#else
constexpr std::uint64_t share = 1;
#endif

/// What a process does until it waits, decides or ends.
struct Behaviour {
  struct Send {
    std::uint32_t mailbox = 0, copies = 1;  ///< none: it is lost
  };
  std::vector<Send> sends = {};
  bool closes = false;
  std::uint32_t branch = 0;  ///< between so many alternatives
  Waiting waiting = {};
};

/// Programs are functions from what a process has chosen so far, with {} for each waking, to what
/// it does.
struct Program {
  std::uint32_t processes = 2;
  std::uint32_t outside_sends = 0;  ///< to mailboxes 0, 1, …
  ExplorationOptions options = {};
  std::function<Behaviour(std::uint32_t, const History&)> behaviour;
};

/// The definition. A state is what all processes have chosen; all that can follow is tried.
class AllInterleavings {
 public:
  static constexpr std::uint64_t most = 150;  ///< states; larger programs are left alone

  explicit AllInterleavings(const Program& program) : program_(program) {
    State begin;
    begin.members.resize(program.processes);
    for (Member& member : begin.members) member.now.waiting.what = Waiting::What::ready;
    for (std::uint32_t i = 0; i < program.outside_sends; ++i) {
      begin.parcels.push_back({i, outside, i + 1});
    }
    visit(begin);
  }
  std::set<std::string> executions;
  std::uint64_t states = 0;

 private:
  struct Parcel {
    std::uint32_t mailbox = 0, sender = 0;
    std::uint64_t number = 0;
    std::uint64_t move = 1, known = 1;  ///< that sent it, and those before it; one bit each
    auto operator<=>(const Parcel&) const = default;
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

  void visit(const State& state) {
    std::string key;
    for (const Member& member : state.members) key += text(member.history) + "|";
    if (states > most || !seen_.insert(key).second) return;
    ++states;
    bool moved = false;
    for (std::uint32_t p = 0; p < program_.processes && !moved; ++p) {
      moved = state.members[p].now.branch != 0 && moves_of(state, p);  // at once
    }
    if (moved) return;
    for (std::uint32_t p = 0; p < program_.processes; ++p) moved = moves_of(state, p) || moved;
    if (moved) return;
    std::uint32_t patient = outside;
    for (std::uint32_t p = 0; p < program_.processes; ++p) {
      if (state.members[p].now.waiting.what != Waiting::What::polls) continue;
      if (patient == outside || state.members[p].row < state.members[patient].row) patient = p;
    }
    if (patient != outside) {
      return go_on(state, patient, {Kind::nothing, 0, 0}, {}, state.moves);
    }
    std::string execution;
    for (const Member& member : state.members) execution += text(choices(member.history)) + "|";
    executions.insert(execution);
  }

  [[nodiscard]] bool moves_of(const State& state, std::uint32_t p) {
    const Member& member = state.members[p];
    const Behaviour& now = member.now;
    for (std::uint32_t b = 0; b < now.branch; ++b) go_on(state, p, {Kind::branch, 0, b}, {});
    if (now.branch != 0) return true;
    if (now.waiting.what == Waiting::What::ready) {
      go_on(state, p, {}, {});
      return true;
    }
    if (now.waiting.what == Waiting::What::ended) return false;
    bool moved = false;
    const std::uint64_t closed = state.closed.value_or(0) | member.known;
    bool gives_up = state.closed.has_value();
    std::set<std::uint32_t> senders;
    for (const Parcel& parcel : state.parcels) {
      if (parcel.mailbox != now.waiting.mailbox) continue;
      if ((parcel.move & closed) != 0) gives_up = false;
      if (!senders.insert(parcel.sender).second && program_.options.fifo) continue;
      go_on(state, p, {Kind::takes, parcel.sender, parcel.number}, parcel);
      moved = true;
    }
    const bool polls = now.waiting.what == Waiting::What::polls;
    if (polls) gives_up = member.row < program_.options.empty_polls;
    if (gives_up) go_on(state, p, {Kind::nothing, 0, 0}, {}, polls ? 0 : closed);
    return moved || gives_up;
  }

  void go_on(State state, std::uint32_t p, const Guide::Choice& choice,
             const std::optional<Parcel>& taken, std::uint64_t learnt = 0) {
    Member& member = state.members[p];
    if (choice.kind != Kind::branch) {
      member.own = state.moves + 1;
      state.moves |= member.own;
    }
    member.known |= member.own | (taken ? taken->known : learnt);
    if (taken) state.parcels.erase(std::ranges::find(state.parcels, *taken));
    if (taken) member.row = 0;
    const bool polled = member.now.waiting.what == Waiting::What::polls;
    if (choice.kind == Kind::nothing && polled) ++member.row;
    member.history.push_back(choice);
    member.now = program_.behaviour(p, member.history);
    for (const Behaviour::Send& send : member.now.sends) {
      ++member.sent;
      for (std::uint32_t i = 0; i < send.copies; ++i) {
        state.parcels.push_back({send.mailbox, p, member.sent, member.own, member.known});
      }
    }
    if (member.now.closes && !state.closed) state.closed = member.known;
    visit(state);
  }

 public:
  [[nodiscard]] static History choices(History history) {
    std::erase(history, Guide::Choice());
    return history;
  }
  [[nodiscard]] static std::string text(const History& history) {
    std::string text;
    for (const Guide::Choice& choice : history) {
      text += "wtnb"[static_cast<int>(choice.kind)];
      if (choice.kind == Kind::takes) text += std::to_string(choice.sender) + ".";
      if (choice.kind != Kind::any) text += std::to_string(choice.value) + ",";
    }
    return text;
  }

 private:
  const Program& program_;
  std::set<std::string> seen_;
};

/// Runs a program once, as an exploration says.
void run(const Program& program, Exploration& exploration) {
  struct Member {
    History history = {};
    std::uint64_t sent = 0;
  };
  std::vector<Member> members(program.processes);
  for (std::uint32_t p = 0; p < program.processes; ++p) exploration.spawns(p);
  for (std::uint32_t i = 0; i < program.outside_sends; ++i) exploration.sends(i, i + 1);
  while (const auto next = exploration.next()) {
    Member& member = members[next->process];
    const auto kind = static_cast<Kind>(next->what);
    member.history.push_back({kind, kind == Kind::takes ? next->sender : 0, next->number});
    for (;;) {
      const Behaviour now = program.behaviour(next->process, member.history);
      for (const Behaviour::Send& send : now.sends) {
        ++member.sent;
        for (std::uint32_t i = 0; i < send.copies; ++i) {
          exploration.sends(send.mailbox, member.sent);
        }
      }
      if (now.closes) exploration.closes();
      if (now.branch == 0) {
        exploration.waits(now.waiting);
        break;
      }
      member.history.push_back({Kind::branch, 0, exploration.branches(now.branch)});
    }
  }
}

[[nodiscard]] std::string text(const Guide& guide) {
  std::string text;
  for (const History& history : guide.processes) text += AllInterleavings::text(history) + "|";
  return text;
}

/// All executions, in their order.
[[nodiscard]] std::vector<Guide> explored(const Program& program, const Guide& first = {}) {
  std::vector<Guide> guides;
  Exploration exploration(program.options, first);
  while (exploration.begin()) {
    run(program, exploration);
    exploration.end();
    guides.push_back(exploration.guide());
  }
  EXPECT_TRUE(exploration.complete());
  EXPECT_EQ(exploration.executions(), guides.size());
  return guides;
}

[[nodiscard]] std::uint64_t hash(std::uint64_t seed, std::uint32_t process,
                                 const History& history) {
  std::uint64_t hash = seed * 0x9e3779b97f4a7c15ULL + process;
  for (const Guide::Choice& choice : history) {
    hash = (hash ^ (static_cast<std::uint64_t>(choice.kind) + 5 * choice.value +
                    31 * std::uint64_t{choice.sender})) *
           0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

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

/// A small program whose processes do anything, depending on all they have seen.
[[nodiscard]] Program arbitrary_program(std::uint64_t seed) {
  QuickRandom shape(seed * 0x9e3779b97f4a7c15ULL);
  Program program;
  program.processes = 2 + shape.below(3);
  program.options.fifo = shape.below(2) == 0;
  program.options.empty_polls = shape.below(3);
  program.outside_sends = shape.below(4) == 0 ? 1 + shape.below(2) : 0;
  const std::uint32_t mailboxes = program.processes + shape.below(2);  // one may have two
  const std::uint32_t length = (program.processes == 2 ? 4 : 3) + shape.below(2);
  const std::uint32_t polls = shape.below(3), faults = shape.below(3), closing = shape.below(3);
  const bool dense = shape.below(2) == 0;
  program.behaviour = [=, processes = program.processes](std::uint32_t p, const History& history) {
    QuickRandom random(hash(seed, p, history));
    Behaviour now;
    const auto takes = std::ranges::count(history, Kind::branch, &Guide::Choice::kind);
    const auto moves = static_cast<std::uint32_t>(history.size() - std::size_t(takes));
    const bool decided = history.back().kind == Kind::branch;
    const std::uint32_t sends = random.below(dense ? 3 : 2);
    for (std::uint32_t i = 0; i < sends && moves <= length; ++i) {
      now.sends.push_back({random.below(mailboxes)});
      if (decided && faults == 1) now.sends.back().copies = random.below(3);
    }
    now.closes = p == 0 && closing == 0 && random.below(3) == 0;
    if (!decided && faults != 0 && random.below(5) == 0) {
      now.branch = 1 + random.below(3);
    } else if (moves < length && random.below(8) != 0) {
      const std::uint32_t own = p + processes < mailboxes && random.below(2) == 0 ? processes : 0;
      now.waiting = {Waiting::What::receives, p + own};
      if (random.below(4) < polls) now.waiting.what = Waiting::What::polls;
      if (random.below(10) == 0) now.waiting = {Waiting::What::ready, 0};
    }
    return now;
  };
  return program;
}

TEST(Exploration, MeetsEveryExecutionOnce) {
  std::uint64_t programs = 0, executions = 0;
  for (std::uint64_t seed = 0; seed < 1200 / share; ++seed) {
    const Program program = arbitrary_program(seed);
    const AllInterleavings all(program);
    if (all.states > AllInterleavings::most) continue;
    std::set<std::string> met;
    for (const Guide& guide : explored(program)) {
      EXPECT_TRUE(met.insert(text(guide)).second) << "seed " << seed;
    }
    ASSERT_EQ(met, all.executions) << "seed " << seed;
    ++programs;
    executions += met.size();
  }
  EXPECT_GT(programs, 400 / share);
  EXPECT_GT(executions, 2000 / share);
}

/// Whatever execution comes first, the others are the same; and it is met once.
TEST(Exploration, BeginsWithAGivenExecution) {
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 0; seed < 200 / share; ++seed) {
    const Program program = arbitrary_program(seed);
    if (AllInterleavings(program).states > AllInterleavings::most) continue;
    const auto text_of = [](const Guide& guide) { return text(guide); };
    const std::vector<Guide> guides = explored(program);
    std::set<std::string> all;
    for (const Guide& guide : guides) all.insert(text(guide));
    for (std::size_t i = 1; i < guides.size(); i += 1 + guides.size() / 5) {
      const std::vector<Guide> again = explored(program, guides[i]);
      EXPECT_EQ(text(again.front()), text(guides[i])) << "seed " << seed;
      EXPECT_TRUE(follows(again.front(), guides[i]));
      EXPECT_FALSE(follows(again.back(), guides[i]) && again.size() > 1);
      std::set<std::string> met;
      for (const Guide& guide : again) EXPECT_TRUE(met.insert(text_of(guide)).second);
      // A given execution may poll in vain more often than others do.
      EXPECT_TRUE(std::ranges::includes(met, all)) << "seed " << seed;
    }
    ++programs;
  }
  EXPECT_GT(programs, 40 / share);
}

/// Processes that send, each to its mailbox, and then end.
[[nodiscard]] Program senders(std::vector<std::uint32_t> mailboxes,
                              std::vector<std::uint32_t> receives) {
  Program program;
  const auto readers = static_cast<std::uint32_t>(receives.size());
  program.processes = readers + static_cast<std::uint32_t>(mailboxes.size());
  program.behaviour = [=](std::uint32_t p, const History& history) {
    Behaviour now;
    if (p >= readers) now.sends.push_back({mailboxes[p - readers]});
    if (p < readers && history.size() <= receives[p]) now.waiting = {Waiting::What::receives, p};
    return now;
  };
  return program;
}

TEST(Exploration, CountsWhatCanBeCounted) {
  EXPECT_EQ(explored(senders({0, 0, 0, 0, 0, 0}, {6})).size(), 720);
  EXPECT_EQ(explored(senders({0, 0, 0, 0, 0}, {2})).size(), 20);
  EXPECT_EQ(explored(senders({0, 0, 0, 1, 1, 1, 1}, {3, 4})).size(), 6 * 24);
  EXPECT_EQ(explored(senders({0, 1, 2}, {1, 1, 1})).size(), 1);
  EXPECT_EQ(explored(senders({}, {1})).size(), 1);
  EXPECT_EQ(explored(senders({}, {})).size(), 1);
}

TEST(Exploration, EndsPollingLoops) {
  Program program;
  program.processes = 2;
  program.behaviour = [](std::uint32_t p, const History& history) {
    Behaviour now;
    if (p == 1) now.sends.push_back({0});
    if (p == 0 && history.back().kind != Kind::takes) now.waiting = {Waiting::What::polls, 0};
    return now;
  };
  for (std::uint32_t empty = 0; empty < 5; ++empty) {
    program.options.empty_polls = empty;
    EXPECT_EQ(explored(program).size(), empty + 1);
  }
}

[[nodiscard]] Exploration::Trouble trouble_of(const Program& program) {
  Exploration exploration(program.options);
  while (exploration.begin()) {
    run(program, exploration);
    exploration.end();
  }
  EXPECT_FALSE(exploration.complete());
  return exploration.trouble().value_or(Exploration::Trouble());
}

TEST(Exploration, SaysWhyItCannotGoOn) {
  using What = Exploration::Trouble::What;
  Program program = senders({0, 0}, {1, 1});
  const auto one_mailbox = [&, behaviour = program.behaviour](std::uint32_t p, const History& h) {
    Behaviour now = behaviour(p, h);
    now.waiting.mailbox = 0;
    return now;
  };
  program.behaviour = one_mailbox;
  const auto second = trouble_of(program);
  EXPECT_EQ(second.what, What::second_reader);
  EXPECT_EQ(second.process, 1);
  EXPECT_EQ(second.other, 0);

  program = senders({0, 0}, {1});
  program.behaviour = [behaviour = program.behaviour](std::uint32_t p, const History& history) {
    Behaviour now = behaviour(p, history);
    now.closes = p != 0;
    return now;
  };
  EXPECT_EQ(trouble_of(program).what, What::second_closing);

  program = senders({0, 0}, {2});
  program.behaviour = [behaviour = program.behaviour, calls = 0](std::uint32_t p,
                                                                 const History& history) mutable {
    Behaviour now = behaviour(p, history);
    if (p == 2 && ++calls > 1) now.sends.clear();
    return now;
  };
  const auto difference = trouble_of(program);
  EXPECT_EQ(difference.what, What::difference);
  EXPECT_EQ(difference.process, 2);
}

}  // namespace
}  // namespace lightcone
