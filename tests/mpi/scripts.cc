// Tries everything that can happen next, in every state that can be reached.
#include "mpi/scripts.h"

#include <random>

namespace lightcone {

Scripts arbitrary_scripts(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
  const int ranks = 3;
  Scripts scripts(ranks);
  std::vector<std::string> begun(ranks);
  const auto peer_of = [&](int rank) {
    return static_cast<char>('0' + (rank + 1 + below(ranks - 1)) % ranks);
  };
  // Each message has a receive somewhere, though others may take it.
  const auto insert = [&](int rank, const std::string& text, char later) {
    auto& script = scripts[static_cast<std::size_t>(rank)];
    script = below(2) == 0 ? script + text : text + script;
    if (later != 0) begun[static_cast<std::size_t>(rank)] += later;
  };
  const int messages = 3 + below(2);
  for (int i = 0; i < messages; ++i) {
    const int to = below(ranks);
    const char from = peer_of(to);
    const char source = below(2) == 0 ? from : '*';
    const bool begins = below(2) == 0;
    insert(to, {begins ? 'i' : 'r', source}, begins ? 'w' : '\0');
    const char how = "ssby"[below(4)];
    insert(from - '0', {how, static_cast<char>('0' + to)}, how == 'y' ? 'v' : '\0');
  }
  for (std::size_t r = 0; r < scripts.size(); ++r) scripts[r] += begun[r];
  return scripts;
}

AllOutcomes::AllOutcomes(const Scripts& scripts, bool unbuffered)
    : scripts_(scripts), unbuffered_(unbuffered) {
  State state;
  state.ranks.resize(scripts.size());
  state.under_way.assign(scripts.size(), std::vector<std::vector<Message>>(scripts.size()));
  visit(state);
}

void AllOutcomes::match(State& state, std::size_t rank, int place, const Message& message) {
  state.ranks[rank].received[static_cast<std::size_t>(place)] = message.value;
  state.ranks[static_cast<std::size_t>(message.from)].matched.insert(message.send);
}

void AllOutcomes::arrive(State& state, std::size_t from, std::size_t to) {
  auto& channel = state.under_way[from][to];
  const Message message = channel.front();
  channel.erase(channel.begin());
  auto& posted = state.ranks[to].posted;
  for (auto receive = posted.begin(); receive != posted.end(); ++receive) {
    if (receive->source != -1 && receive->source != message.from) continue;
    const int place = receive->place;
    posted.erase(receive);
    return match(state, to, place, message);
  }
  state.ranks[to].arrived.push_back(message);
}

void AllOutcomes::post(State& state, std::size_t rank, const Receive& receive) {
  auto& arrived = state.ranks[rank].arrived;
  for (auto message = arrived.begin(); message != arrived.end(); ++message) {
    if (receive.source != -1 && receive.source != message->from) continue;
    const Message taken = *message;
    arrived.erase(message);
    return match(state, rank, receive.place, taken);
  }
  state.ranks[rank].posted.push_back(receive);
}

/// Whether a rank that is in a call can leave it.
bool AllOutcomes::goes_on(State& state, std::size_t index, char what) const {
  Rank& rank = state.ranks[index];
  const auto is_received = [&](int place) {
    return rank.received[static_cast<std::size_t>(place)] >= 0;
  };
  switch (what) {
    case 's': return rank.matched.contains(rank.sends - 1);
    case 'b': return !unbuffered_ || rank.matched.contains(rank.sends - 1);
    case 'r': return is_received(rank.receives - 1);
    case 'v':
      if (!rank.matched.contains(rank.begun_sends.front())) return false;
      rank.begun_sends.erase(rank.begun_sends.begin());
      return true;
    case 'w':
      if (!is_received(rank.begun_receives.front())) return false;
      rank.begun_receives.erase(rank.begun_receives.begin());
      return true;
    default: return true;
  }
}

/// Begins a call, or ends the one that the rank is in; false if it cannot move.
bool AllOutcomes::step(State& state, std::size_t index) const {
  Rank& rank = state.ranks[index];
  const std::string& script = scripts_[index];
  if (rank.at == script.size()) return false;
  const char what = script[rank.at];
  const bool alone = what == 'v' || what == 'w';
  if (rank.waits || alone) {
    if (!goes_on(state, index, what)) return false;
    rank.waits = false;
    rank.at += alone ? 1 : 2;
    return true;
  }
  const char with = script[rank.at + 1];
  if (what == 'r' || what == 'i') {
    if (what == 'i') rank.begun_receives.push_back(rank.receives);
    rank.received.push_back(-1);
    post(state, index, {with == '*' ? -1 : with - '0', rank.receives++});
  } else {
    const int self = static_cast<int>(index);
    if (what == 'y') rank.begun_sends.push_back(rank.sends);
    state.under_way[index][static_cast<std::size_t>(with - '0')].push_back(
        {self, 10 * self + rank.sends, rank.sends});
    ++rank.sends;
  }
  rank.waits = true;
  return true;
}

std::string AllOutcomes::key(const State& state) {
  std::string text;
  const auto add = [&](int number) { text += std::to_string(number) + ','; };
  for (const Rank& rank : state.ranks) {
    add(static_cast<int>(rank.at));
    add(rank.waits ? 1 : 0);
    for (const int value : rank.received) add(value);
    text += ';';
    for (const Message& message : rank.arrived) add(message.value);
    text += ';';
    for (const int send : rank.matched) add(send);
    text += '|';
  }
  for (const auto& from : state.under_way) {
    for (const auto& channel : from) add(static_cast<int>(channel.size()));
  }
  return text;
}

void AllOutcomes::end(const State& state) {
  std::string stuck, text = "outcome";
  for (std::size_t r = 0; r < state.ranks.size(); ++r) {
    if (state.ranks[r].at != scripts_[r].size()) stuck += std::to_string(r) + ' ';
    text += ' ' + std::to_string(r) + ':';
    for (const int value : state.ranks[r].received) text += std::to_string(value) + ',';
  }
  if (stuck.empty()) {
    outcomes.insert(text);
  } else {  // rank 0 waits for what others have received
    deadlocks.insert(stuck[0] == '0' ? stuck : "0 " + stuck);
  }
}

void AllOutcomes::visit(const State& state) {
  if (!seen_.insert(key(state)).second) return;
  bool moved = false;
  for (std::size_t r = 0; r < state.ranks.size(); ++r) {
    State next = state;
    if (step(next, r)) {
      moved = true;
      visit(next);
    }
    for (std::size_t to = 0; to < state.ranks.size(); ++to) {
      if (state.under_way[r][to].empty()) continue;
      next = state;
      arrive(next, r, to);
      moved = true;
      visit(next);
    }
  }
  if (!moved) end(state);
}

}  // namespace lightcone
