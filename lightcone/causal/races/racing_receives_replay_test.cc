// Random programs with wildcards, run again in other orders: if receives that could have taken
// another message are fixed, all others take what they took.
#include <lightcone/causal/races/racing_receives.h>

#include <gtest/gtest.h>
#include <lightcone/causal/builder.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {
namespace {

constexpr int any = -1;

struct Sent {
  int from = 0, tag = 0;
  std::uint64_t number = 0;  ///< of all messages of its sender
  friend bool operator==(const Sent&, const Sent&) = default;
};

/// What a rank of a program does, one after the other.
struct Step {
  enum class What { sends, posts, waits };
  What what = What::sends;
  int peer = any, tag = any;  ///< of a send or receive
  std::size_t request = 0;    ///< of this rank, in the order of posting
};
using Steps = std::vector<std::vector<Step>>;  // by rank

/// Matches messages and receives as MPI does: messages of a sender do not overtake each other, and
/// of the receives that accept a message the one that was posted first gets it.
class Matching {
 public:
  explicit Matching(std::size_t ranks)
      : sent_(ranks), on_the_way_(ranks, std::vector<std::deque<Sent>>(ranks)), ranks_(ranks) {}

  Sent send(int from, int to, int tag) {
    const Sent sent{from, tag, sent_[from]++};
    on_the_way_[from][to].push_back(sent);
    return sent;
  }
  /// Nothing, of a receive that is not posted.
  void post(int rank, std::optional<std::pair<int, int>> accepts) {
    RankState& at = ranks_[rank];
    const std::size_t request = at.got.size();
    at.got.emplace_back();
    if (!accepts) return;
    const auto first = std::find_if(at.unexpected.begin(), at.unexpected.end(),
                                    [&](const Sent& m) { return does_accept(*accepts, m); });
    if (first == at.unexpected.end()) return at.posted.push_back({request, *accepts});
    at.got[request] = *first;
    at.unexpected.erase(first);
  }
  /// The next message on this way comes, if there is one.
  bool deliver(int from, int to) {
    auto& way = on_the_way_[from][to];
    if (way.empty()) return false;
    RankState& at = ranks_[to];
    const auto first = std::find_if(at.posted.begin(), at.posted.end(), [&](const auto& posted) {
      return does_accept(posted.second, way.front());
    });
    if (first == at.posted.end()) {
      at.unexpected.push_back(way.front());
    } else {
      at.got[first->first] = way.front();
      at.posted.erase(first);
    }
    way.pop_front();
    return true;
  }
  [[nodiscard]] const std::vector<std::optional<Sent>>& got(int rank) const {
    return ranks_[rank].got;
  }

 private:
  struct RankState {
    std::deque<Sent> unexpected = {};
    std::deque<std::pair<std::size_t, std::pair<int, int>>> posted = {};
    std::vector<std::optional<Sent>> got = {};  // by request
  };
  [[nodiscard]] static bool does_accept(const std::pair<int, int>& accepts, const Sent& message) {
    return (accepts.first == any || accepts.first == message.from) &&
           (accepts.second == any || accepts.second == message.tag);
  }

  std::vector<std::uint64_t> sent_;
  std::vector<std::vector<std::deque<Sent>>> on_the_way_;  // from, to
  std::vector<RankState> ranks_;
};

/// A run of a random program: what its ranks did, and its trace.
class RecordedProgram {
 public:
  RecordedProgram(std::size_t ranks, std::uint64_t seed)
      : steps(ranks), receives(ranks), matching(ranks), random_(seed) {
    events_.resize(ranks);
    waited_.resize(ranks);
    for (std::size_t i = 0; i < ranks; ++i) static_cast<void>(process(static_cast<int>(i)));
    const std::size_t count = 20 + draw(60);
    for (std::size_t i = 0; i < count; ++i) move(static_cast<int>(draw(ranks)));
    for (std::size_t i = 0; i < ranks; ++i) {
      for (std::size_t r = 0; r < waited_[i].size(); ++r) wait(static_cast<int>(i), r);
    }
  }
  [[nodiscard]] Computation computation() { return *builder_.build(); }

  /// A receive that came to its end, with its request.
  struct Ended {
    Rank event = 0, begun = 0;
    std::size_t request = 0;
  };
  Steps steps;
  std::vector<std::vector<Ended>> receives;  // by rank
  Matching matching;

 private:
  [[nodiscard]] std::size_t draw(std::size_t below) { return random_() % below; }
  [[nodiscard]] ProcessIndex process(int rank) {
    return builder_.process("rank" + std::to_string(rank));
  }
  void move(int rank) {
    const int other = static_cast<int>(draw(steps.size()));
    const int tag = static_cast<int>(draw(2));
    switch (draw(5)) {
      case 0:
      case 1: return send(rank, other, tag);
      case 2: return post(rank, draw(3) == 0 ? other : any, draw(3) == 0 ? any : tag);
      case 3:
        if (!waited_[rank].empty()) wait(rank, draw(waited_[rank].size()));
        return;
      default: matching.deliver(other, rank);
    }
  }
  void send(int rank, int to, int tag) {
    steps[rank].push_back({Step::What::sends, to, tag});
    const Sent sent = matching.send(rank, to, tag);
    Arrival arrival;
    arrival.kind = Kind::send;
    arrival.sends = message(sent);
    add(rank, arrival, {"comm:w", "tag:" + std::to_string(tag)});
    const NameIndex name = builder_.name("rank" + std::to_string(to));
    builder_.set_to(builder_.name_set(std::span(&name, 1)));
  }
  void post(int rank, int from, int tag) {
    steps[rank].push_back({Step::What::posts, from, tag, waited_[rank].size()});
    matching.post(rank, std::pair(from, tag));
    waited_[rank].push_back({from, tag, events_[rank], false});
  }
  void wait(int rank, std::size_t request) {
    Posted& posted = waited_[rank][request];
    const auto& got = matching.got(rank)[request];
    if (posted.is_over || !got) return;
    posted.is_over = true;
    steps[rank].push_back({Step::What::waits, any, any, request});
    const MessageIndex taken = message(*got);
    Arrival arrival;
    arrival.kind = Kind::receive;
    arrival.takes = std::span(&taken, 1);
    std::vector<std::string> labels{"comm:w", "tag:" + std::to_string(got->tag)};
    if (posted.from == any) labels.emplace_back("any_source");
    if (posted.tag == any) labels.emplace_back("any_tag");
    add(rank, arrival, labels);
    receives[rank].push_back({events_[rank], posted.begun, request});
  }
  [[nodiscard]] MessageIndex message(const Sent& sent) {
    return builder_.message(std::to_string(sent.from) + ":" + std::to_string(sent.number));
  }
  void add(int rank, Arrival arrival, const std::vector<std::string>& labels) {
    arrival.process = process(rank);
    arrival.line = ++line_;
    builder_.add(arrival);
    std::vector<NameIndex> names;
    for (const std::string& label : labels) names.push_back(builder_.name(label));
    builder_.set_labels(builder_.name_set(names));
    ++events_[rank];
  }

  struct Posted {
    int from = any, tag = any;
    Rank begun = 0;
    bool is_over = false;
  };
  std::mt19937_64 random_;
  Builder builder_{"program"};
  std::uint32_t line_ = 0;
  std::vector<Rank> events_;
  std::vector<std::vector<Posted>> waited_;  // by rank and request
};

/// For each rank and request whether what it took is fixed.
[[nodiscard]] std::vector<std::vector<bool>> fixed_requests(RecordedProgram& program) {
  const Computation c = program.computation();
  const RacingReceives racing(c);
  const Timestamps known = timestamps(c);
  std::vector<std::vector<bool>> fixed;
  for (ProcessIndex p = 0; p < program.steps.size(); ++p) {
    std::vector<BegunReceive> receives;
    for (const auto& ended : program.receives[p]) {
      receives.push_back({c.first_event(p) + ended.event - 1, ended.begun});
    }
    const std::vector<bool> could = racing.of(p, receives, known);
    auto& own = fixed.emplace_back(program.matching.got(static_cast<int>(p)).size(), true);
    for (std::size_t i = 0; i < could.size(); ++i) own[program.receives[p][i].request] = could[i];
  }
  return fixed;
}

/// Runs the steps in another order. Returns whether all of them could be done, and receives got
/// what they got.
[[nodiscard]] testing::AssertionResult replays_the_same(const RecordedProgram& program,
                                                        const std::vector<std::vector<bool>>& fixed,
                                                        std::uint64_t seed) {
  const std::size_t ranks = program.steps.size();
  Matching again(ranks);
  std::mt19937_64 random(seed);
  std::vector<std::size_t> at(ranks, 0);
  const auto post = [&](int rank, const Step& step) {
    const auto& got = program.matching.got(rank)[step.request];
    const bool is_wildcard = step.peer == any || step.tag == any;
    if (!got && is_wildcard) return again.post(rank, std::nullopt);  // it gets nothing again
    if (!is_wildcard) return again.post(rank, std::pair(step.peer, step.tag));
    const bool is_fixed = fixed[rank][step.request];
    again.post(rank, is_fixed ? std::pair(got->from, got->tag) : std::pair(step.peer, step.tag));
  };
  const auto done = [&](int rank) {
    if (at[rank] == program.steps[rank].size()) return false;
    const Step& step = program.steps[rank][at[rank]];
    if (step.what == Step::What::waits && !again.got(rank)[step.request]) return false;
    if (step.what == Step::What::sends) static_cast<void>(again.send(rank, step.peer, step.tag));
    if (step.what == Step::What::posts) post(rank, step);
    ++at[rank];
    return true;
  };
  for (int idle = 0; idle < 400;) {
    const int rank = static_cast<int>(random() % ranks), other = static_cast<int>(random() % ranks);
    const bool moved = random() % 2 == 0 ? done(rank) : again.deliver(other, rank);
    idle = moved ? 0 : idle + 1;
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (at[rank] != program.steps[rank].size()) {
      return testing::AssertionFailure() << "rank " << rank << " waits, and nothing comes";
    }
    for (const auto& ended : program.receives[rank]) {
      const int r = static_cast<int>(rank);
      if (again.got(r)[ended.request] == program.matching.got(r)[ended.request]) continue;
      return testing::AssertionFailure() << "rank " << rank << " took another message";
    }
  }
  return testing::AssertionSuccess();
}

TEST(RacingReceives, FixedReceivesMakeAReplayTheSame) {
  std::uint64_t free = 0, fixed_ones = 0, differ = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RecordedProgram program(2 + seed % 3, seed);
    const auto fixed = fixed_requests(program);
    for (std::size_t p = 0; p < fixed.size(); ++p) {
      for (const auto& ended : program.receives[p]) ++(fixed[p][ended.request] ? fixed_ones : free);
    }
    auto none_fixed = fixed;
    for (auto& own : none_fixed) own.assign(own.size(), false);
    for (std::uint64_t order = 0; order < 3; ++order) {
      ASSERT_TRUE(replays_the_same(program, fixed, seed * 10 + order)) << "seed " << seed;
      differ += replays_the_same(program, none_fixed, seed * 10 + order) ? 0 : 1;
    }
  }
  EXPECT_GT(free, 1500U);
  EXPECT_GT(fixed_ones, 1500U);
  EXPECT_GT(differ, 400U) << "orders do not matter to these programs";
}

}  // namespace
}  // namespace lightcone
