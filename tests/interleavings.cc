// Everything that can happen next is tried, one thing after the other.
#include "interleavings.h"

#include <gtest/gtest.h>

#include <lightcone/explore/search/named_exploration.h>

#include <algorithm>
#include <map>

namespace lightcone::interleavings {
namespace {

using ChoiceKind = Guide::Choice::Kind;

[[nodiscard]] History choices(History history) {
  std::erase(history, Guide::Choice());
  return history;
}

[[nodiscard]] std::string text_of(const History& history) {
  std::string text;
  for (const Guide::Choice& choice : history) {
    text += "wtnb"[static_cast<int>(choice.kind)];
    if (choice.kind == ChoiceKind::takes) text += std::to_string(choice.sender) + ".";
    if (choice.kind != ChoiceKind::any) text += std::to_string(choice.value) + ",";
  }
  return text;
}

}  // namespace

AllInterleavings::AllInterleavings(const InterleavedProgram& program) : program_(program) {
  State begin;
  begin.members.resize(program.processes);
  for (Member& member : begin.members) member.now.waiting.what = Waiting::What::ready;
  for (std::uint32_t i = 0; i < program.outside_sends; ++i) {
    begin.parcels.push_back({i, outside, i + 1});
  }
  visit(begin);
}

void AllInterleavings::visit(const State& state) {
  std::string key;
  for (const Member& member : state.members) key += text_of(member.history) + "|";
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
    return go_on(state, patient, {ChoiceKind::nothing, 0, 0}, {}, state.moves);
  }
  std::string execution;
  for (const Member& member : state.members) execution += text_of(choices(member.history)) + "|";
  executions.insert(execution);
}

/// A copy of a message comes after the message.
std::vector<AllInterleavings::Parcel> AllInterleavings::takeable(const State& state,
                                                                 const Behaviour& now) const {
  std::vector<Parcel> parcels;
  for (auto p = state.parcels.begin(); p != state.parcels.end(); ++p) {
    if (p->mailbox != now.waiting.mailbox) continue;
    const auto earlier = [&](const auto& is) {
      return std::count_if(state.parcels.begin(), p, [&](const Parcel& other) {
        return other.mailbox == p->mailbox && other.sender == p->sender && is(other);
      });
    };
    if (earlier([&](const Parcel& other) { return other.number == p->number; }) != 0) continue;
    bool can = now.patterns.empty() &&
               (!program_.options.fifo || earlier([](const Parcel&) { return true; }) == 0);
    for (const MessagePattern& pattern : now.patterns) {
      const auto fits = [&](const Parcel& other) {
        return other.kind.context == pattern.context &&
               (pattern.sender == MessagePattern::any || pattern.sender == other.sender) &&
               (pattern.tag == MessagePattern::any || pattern.tag == other.kind.tag);
      };
      if (fits(*p) && earlier(fits) == pattern.skip) can = true;
    }
    if (can) parcels.push_back(*p);
  }
  return parcels;
}

bool AllInterleavings::moves_of(const State& state, std::uint32_t p) {
  const Member& member = state.members[p];
  const Behaviour& now = member.now;
  for (std::uint32_t b = 0; b < now.branch; ++b) go_on(state, p, {ChoiceKind::branch, 0, b}, {});
  if (now.branch != 0) return true;
  if (now.waiting.what == Waiting::What::ready) {
    go_on(state, p, {}, {});
    return true;
  }
  if (now.waiting.what == Waiting::What::ended) return false;
  const std::uint64_t closed = state.closed.value_or(0) | member.known;
  bool gives_up = state.closed.has_value();
  const std::vector<Parcel> parcels = takeable(state, now);
  for (const Parcel& parcel : parcels) {
    if ((parcel.move & closed) != 0) gives_up = false;
    go_on(state, p, {ChoiceKind::takes, parcel.sender, parcel.number}, parcel);
  }
  const bool polls = now.waiting.what == Waiting::What::polls;
  if (polls) gives_up = member.row < program_.options.empty_polls;
  if (gives_up) go_on(state, p, {ChoiceKind::nothing, 0, 0}, {}, polls ? 0 : closed);
  return !parcels.empty() || gives_up;
}

void AllInterleavings::go_on(State state, std::uint32_t p, const Guide::Choice& choice,
                             const std::optional<Parcel>& taken, std::uint64_t learnt) {
  Member& member = state.members[p];
  if (choice.kind != ChoiceKind::branch) {
    member.own = state.moves + 1;
    state.moves |= member.own;
  }
  member.known |= member.own | (taken ? taken->known : learnt);
  if (taken) state.parcels.erase(std::ranges::find(state.parcels, *taken));
  if (taken) member.row = 0;
  const bool polled = member.now.waiting.what == Waiting::What::polls;
  if (choice.kind == ChoiceKind::nothing && polled) ++member.row;
  member.history.push_back(choice);
  member.now = program_.behaviour(p, member.history);
  for (const Behaviour::Send& send : member.now.sends) {
    ++member.sent;
    for (std::uint32_t i = 0; i < send.copies; ++i) {
      state.parcels.push_back({send.mailbox, p, member.sent, send.kind, member.own, member.known});
    }
  }
  if (member.now.closes && !state.closed) state.closed = member.known;
  visit(state);
}

namespace {

void prefer(const Guide::Choice& choice, Exploration& exploration) {
  if (choice.kind == ChoiceKind::nothing) exploration.prefers(std::nullopt);
  if (choice.kind == ChoiceKind::takes) {
    exploration.prefers(MessagePattern{.sender = choice.sender});
  }
}

}  // namespace

void run(const InterleavedProgram& program, Exploration& exploration, const Guide& preferred) {
  struct Member {
    History history = {};
    std::uint64_t sent = 0;
  };
  std::vector<Member> members(program.processes);
  for (std::uint32_t p = 0; p < program.processes; ++p) exploration.spawns(p);
  for (std::uint32_t i = 0; i < program.outside_sends; ++i) exploration.sends(i, i + 1);
  while (const auto next = exploration.next()) {
    Member& member = members[next->process];
    const auto kind = static_cast<ChoiceKind>(next->what);
    member.history.push_back({kind, kind == ChoiceKind::takes ? next->sender : 0, next->number});
    for (;;) {
      Behaviour now = program.behaviour(next->process, member.history);
      for (const Behaviour::Send& send : now.sends) {
        ++member.sent;
        for (std::uint32_t i = 0; i < send.copies; ++i) {
          exploration.sends(send.mailbox, member.sent, send.kind);
        }
      }
      if (now.closes) exploration.closes();
      if (now.branch == 0) {
        if (!now.patterns.empty()) now.waiting.filter = exploration.filter(now.patterns);
        prefer(preferred.at(next->process, choices(member.history).size()), exploration);
        exploration.waits(now.waiting);
        break;
      }
      member.history.push_back({ChoiceKind::branch, 0, exploration.branches(now.branch)});
    }
  }
}

std::string text(const Guide& guide) {
  std::string text;
  for (const History& history : guide.processes) text += text_of(history) + "|";
  return text;
}

std::vector<Guide> explored(const InterleavedProgram& program, const Guide& first) {
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

std::vector<Guide> explored_with_preferences(const InterleavedProgram& program,
                                             const Guide& preferred) {
  std::vector<Guide> guides;
  Exploration exploration(program.options);
  while (exploration.begin()) {
    run(program, exploration, preferred);
    exploration.end();
    guides.push_back(exploration.guide());
  }
  EXPECT_TRUE(exploration.complete());
  return guides;
}

std::vector<Guide> explored_in_parts(const InterleavedProgram& program, std::uint64_t seed,
                                     std::uint64_t& parts_met) {
  QuickRandom random(seed);
  std::map<NamedExploration::PartPlace, std::vector<Guide>> met;
  std::vector<NamedExploration> parts;
  parts.emplace_back(program.options);
  while (!parts.empty()) {
    const std::size_t which = random.below(static_cast<std::uint32_t>(parts.size()));
    if (!parts[which].exploration().begin()) {
      EXPECT_TRUE(parts[which].exploration().complete());
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    while (random.below(3) != 0) {
      auto part = parts[which].split();
      if (!part) break;
      parts.push_back(std::move(*part));
    }
    Exploration& exploration = parts[which].exploration();
    run(program, exploration);
    exploration.end();
    met[parts[which].place()].push_back(exploration.guide());
  }
  parts_met += met.size();
  std::vector<Guide> guides;
  for (const auto& [place, some] : met) guides.insert(guides.end(), some.begin(), some.end());
  return guides;
}

std::uint64_t expect_each_execution_once(
    const std::function<InterleavedProgram(std::uint64_t seed)>& program, std::uint64_t programs,
    std::uint64_t least) {
  std::uint64_t compared = 0, executions = 0, parts = 0;
  for (std::uint64_t seed = 0; seed < programs && !testing::Test::HasFailure(); ++seed) {
    const InterleavedProgram arbitrary = program(seed);
    const AllInterleavings all(arbitrary);
    if (all.states > AllInterleavings::most) continue;
    std::set<std::string> met;
    for (const Guide& guide : explored(arbitrary)) {
      EXPECT_TRUE(met.insert(text(guide)).second) << "seed " << seed;
    }
    EXPECT_EQ(met, all.executions) << "seed " << seed;
    EXPECT_EQ(explored_in_parts(arbitrary, seed, parts), explored(arbitrary)) << "seed " << seed;
    ++compared;
    executions += met.size();
  }
  EXPECT_GT(compared, least);
  EXPECT_GT(parts, executions / 4) << "they are split";
  return executions;
}

std::uint64_t hash(std::uint64_t seed, std::uint32_t process, const History& history) {
  std::uint64_t hash = seed * 0x9e3779b97f4a7c15ULL + process;
  for (const Guide::Choice& choice : history) {
    hash = (hash ^ (static_cast<std::uint64_t>(choice.kind) + 5 * choice.value +
                    31 * std::uint64_t{choice.sender})) *
           0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace lightcone::interleavings
