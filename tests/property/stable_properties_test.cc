// Termination and deadlock as snapshots show them: never a false alarm, and found once they are
// there; the sets of deadlocked processes are what the definition says.
#include "model/generators/arbitrary.h"
#include "model/programs/snapshot_program.h"

#include <gtest/gtest.h>
#include <lightcone/base/wire.h>
#include <lightcone/live/simulation/process_random.h>
#include <lightcone/snapshot.h>

#include <algorithm>
#include <random>

namespace lightcone {
namespace {

using namespace std::chrono_literals;

constexpr SimulatedTime for_long = std::chrono::hours(24);

/// Some processes work, and the last one watches them by snapshots, until it has seen enough.
class WatchedProgram : public SnapshotProgram {
 public:
  WatchedProgram(std::uint64_t seed, std::uint32_t workers, SnapshotMethod method)
      : SnapshotProgram({.seed = seed}, workers + 1, method),
        watcher_(workers),
        collector_({.processes = names(), .on_complete = [this](GlobalSnapshot snapshot) {
                      ++complete_;
                      on_complete(snapshot);
                    }}) {
    on_part = [this](const std::string& bytes) {
      const auto added = collector_.add_bytes(bytes);
      EXPECT_TRUE(added) << added.error().text();
    };
    spawn(watcher_, [this] { watch(); });
  }
  [[nodiscard]] std::uint32_t workers() const { return watcher_; }
  [[nodiscard]] std::uint64_t complete() const { return complete_; }

  /// Whether nothing will happen any more.
  std::function<bool()> is_over;
  std::function<void(const GlobalSnapshot&)> on_complete;
  /// Called with the last snapshot's number before it begins.
  std::function<void(std::uint64_t)> on_last;

 private:
  void watch() {
    for (bool over = false; !over;) {
      network().sleep(std::chrono::microseconds(network().random_below(2000)));
      over = is_over();
      if (over) on_last(members()[watcher_].rider.colour() + 1);
      begin(watcher_);
      const SimulatedTime patience = over ? 10s : std::chrono::microseconds(500);
      EXPECT_FALSE(take(watcher_, patience)) << "no one sends to the watcher";
    }
    network().close();
  }

  std::uint32_t watcher_;
  std::uint64_t complete_ = 0;
  SnapshotCollector collector_;
};

/// Workers that become active by messages, as long as their strength lasts.
class Diffusion : public WatchedProgram {
 public:
  Diffusion(std::uint64_t seed, std::uint32_t count, SnapshotMethod method)
      : WatchedProgram(seed, count, method), active_(count + 1, false) {
    state = [this](std::uint32_t p) { return active_[p] ? "active" : "passive"; };
    is_over = [this] { return really_terminated(); };
    on_last = [this](std::uint64_t number) { last_ = number; };
    on_complete = [this](const GlobalSnapshot& snapshot) {
      const bool found = is_terminated(
          snapshot, [](std::string_view, std::string_view saved) { return saved == "passive"; });
      EXPECT_TRUE(!found || really_terminated()) << "a false alarm";
      if (snapshot.number() == last_) found_ = found;
    };
    for (std::uint32_t p = 0; p < count; ++p) spawn(p, [this, p] { work(p); });
  }
  [[nodiscard]] bool found() const { return found_; }

 private:
  [[nodiscard]] bool really_terminated() const {
    return begun_ == workers() && in_transit() == 0 && std::ranges::count(active_, true) == 0;
  }
  void work(std::uint32_t p) {
    PortableRandom& random = random_of(network());
    active_[p] = random.below(2) == 0;
    ++begun_;
    std::uint32_t strength = random.below(24);
    for (;;) {
      while (active_[p]) {
        if (random.below(3) == 0) static_cast<void>(take(p, 1us));
        network().sleep(std::chrono::microseconds(random.below(1000)));
        if (strength > 0 && random.below(3) != 0) {
          --strength;
          send(p, random.below(workers()), {});
        } else {
          active_[p] = false;
        }
      }
      if (!take(p, for_long)) return;
      active_[p] = random.below(4) != 0;
    }
  }

  std::vector<bool> active_;
  std::uint32_t begun_ = 0;
  std::uint64_t last_ = 0;
  bool found_ = false;
};

/// What a worker waits for, as its state says it.
[[nodiscard]] std::string text(const Awaited& wait, std::uint64_t number) {
  WireWriter wire;
  wire.number(static_cast<std::uint64_t>(wait.what));
  wire.number(number);
  for (const std::string& sender : wait.senders) wire.text(sender);
  return std::move(wire.bytes());
}
[[nodiscard]] std::pair<Awaited, std::uint64_t> read_wait(std::string_view state) {
  WireReader wire(state);
  Awaited wait = {static_cast<Awaited::For>(wire.number()), {}};
  const std::uint64_t number = wire.number();
  while (wire.left() > 0) wait.senders.emplace_back(wire.text(100));
  return {wait, number};
}

/// Workers that send and then wait, again and again, for some of the others.
class Waiters : public WatchedProgram {
 public:
  Waiters(std::uint64_t seed, std::uint32_t count, SnapshotMethod method)
      : WatchedProgram(seed, count, method), waits_(count + 1), numbers_(count + 1, 0) {
    waits_[count].what = Awaited::For::no_one;  // the watcher sends no messages
    state = [this](std::uint32_t p) { return text(waits_[p], numbers_[p]); };
    is_over = [this] { return in_transit() == 0 && really_waiting().size() == still_there(); };
    on_last = [this](std::uint64_t number) { last_ = number; };
    on_complete = [this](const GlobalSnapshot& snapshot) { find(snapshot); };
    for (std::uint32_t p = 0; p < count; ++p) spawn(p, [this, p] { work(p); });
  }
  /// At the end of the run: whoever was said to be deadlocked must not have gone on.
  void check() const {
    for (const auto& [name, number] : alarms) {
      const auto p = static_cast<std::size_t>(std::ranges::find(names(), name) - names().begin());
      EXPECT_EQ(numbers_[p], number) << name << " went on";
    }
    EXPECT_EQ(found_, really_waiting());
  }
  std::set<std::pair<std::string, std::uint64_t>> alarms;
  std::uint64_t early_alarms = 0;

 private:
  void find(const GlobalSnapshot& snapshot) {
    const auto found = deadlocked(
        snapshot, [](std::string_view, std::string_view saved) { return read_wait(saved).first; });
    for (const std::string& name : found) {
      alarms.emplace(name, read_wait(snapshot.states().at(name)->state).second);
    }
    if (!found.empty() && last_ == 0) ++early_alarms;
    if (snapshot.number() == last_) found_ = found;
  }
  [[nodiscard]] std::vector<std::string> really_waiting() const {
    std::vector<std::string> waiting;
    for (std::uint32_t p = 0; p < workers(); ++p) {
      const Awaited::For what = waits_[p].what;
      if (what == Awaited::For::any || what == Awaited::For::all) waiting.push_back(names()[p]);
    }
    return waiting;
  }
  [[nodiscard]] std::size_t still_there() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        waits_, [](const Awaited& wait) { return wait.what != Awaited::For::no_one; }));
  }

  void work(std::uint32_t p) {
    PortableRandom& random = random_of(network());
    for (std::uint32_t round = random.below(20); round > 0; --round) {
      for (std::uint32_t sends = random.below(4); sends > 0; --sends) {
        network().sleep(std::chrono::microseconds(random.below(1000)));
        if (random.below(4) == 0) static_cast<void>(take(p, 1us));
        send(p, random.below(workers()), {});
      }
      if (!wait(p)) return;
    }
    waits_[p] = {Awaited::For::no_one, {}};
    while (take(p, for_long)) {
    }
  }
  /// Waits for some; false when the run has ended.
  [[nodiscard]] bool wait(std::uint32_t p) {
    PortableRandom& random = random_of(network());
    Awaited& wait = waits_[p];
    ++numbers_[p];
    wait.what = random.below(2) == 0 ? Awaited::For::any : Awaited::For::all;
    for (std::uint32_t count = 1 + random.below(2); count > 0; --count) {
      const std::string& sender = names()[random.below(workers())];
      if (std::ranges::find(wait.senders, sender) == wait.senders.end())
        wait.senders.push_back(sender);
    }
    while (!wait.senders.empty()) {
      const auto taken = take(p, for_long);
      if (!taken) return false;
      const bool awaited = std::erase(wait.senders, names()[taken->sender]) > 0;
      if (awaited && wait.what == Awaited::For::any) wait.senders.clear();
    }
    wait.what = Awaited::For::nothing;
    return true;
  }

  std::vector<Awaited> waits_;
  std::vector<std::uint64_t> numbers_;  // how manieth wait of each
  std::uint64_t last_ = 0;
  std::optional<std::vector<std::string>> found_;
};

constexpr SnapshotMethod all_methods[] = {SnapshotMethod::markers, SnapshotMethod::coloured_fifo,
                                          SnapshotMethod::colours};
constexpr std::uint64_t programs = 2000 / arbitrary::one_in;

TEST(StableProperties, TerminationIsFoundWhenItIsThereAndOnlyThen) {
  std::uint64_t snapshots = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Diffusion program(seed, 2 + seed % 4, all_methods[seed % 3]);
    const SimulationOutcome outcome = program.network().run();
    ASSERT_EQ(outcome.end, SimulationOutcome::End::finished) << outcome.text();
    ASSERT_TRUE(program.found());
    snapshots += program.complete();
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(snapshots, 4 * programs);
}

TEST(StableProperties, DeadlockIsFoundWhenItIsThereAndOnlyThen) {
  std::uint64_t snapshots = 0, alarms = 0, early = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Waiters program(seed, 2 + seed % 5, all_methods[seed % 3]);
    const SimulationOutcome outcome = program.network().run();
    ASSERT_EQ(outcome.end, SimulationOutcome::End::finished) << outcome.text();
    program.check();
    snapshots += program.complete();
    alarms += program.alarms.size();
    early += program.early_alarms;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(snapshots, 2 * programs);
  EXPECT_GT(alarms, programs);
  EXPECT_GT(early, programs / 10);  // while others still work
}

/// A snapshot of processes that wait for each other at random.
struct Tangle {
  static constexpr std::uint32_t count = 5;
  explicit Tangle(std::uint64_t seed) : random(seed) {
    for (std::uint32_t p = 0; p < count; ++p) names.push_back(std::string(1, "abcde"[p]));
    std::vector<LocalPart> parts;
    for (std::uint32_t p = 0; p < count; ++p) {
      waits.push_back({static_cast<Awaited::For>(draw({1, 5, 5, 1, 2})), {}});
      for (std::uint32_t s = random.below(3) + random.below(2); s > 0; --s) {
        waits[p].senders.push_back(names[random.below(count)]);
      }
      if (random.below(20) == 0) waits[p].senders.emplace_back("stranger");
      parts.push_back({names[p], {1, 1}, text(waits[p], 0), {}, {}});
    }
    for (int sent = static_cast<int>(random.below(4)); sent > 0; --sent) {
      const std::string &from = names[random.below(count)], &to = names[random.below(count)];
      LocalPart& sender = parts[static_cast<std::size_t>(from[0] - 'a')];
      if (!sender.sent.emplace(to, 1).second) continue;
      if (random.below(2) == 0) continue;  // nobody takes it
      const auto message = InTransitPart{to, {1, 1}, from, sender.sent.size(), {}};
      EXPECT_TRUE(snapshot.add(std::make_shared<const InTransitPart>(message)));
    }
    for (const LocalPart& part : parts) {
      EXPECT_TRUE(snapshot.add(std::make_shared<const LocalPart>(part)));
    }
  }
  /// One of the places, each as often as its number says.
  [[nodiscard]] std::size_t draw(std::initializer_list<std::uint32_t> shares) {
    std::vector<std::size_t> places;
    for (const std::uint32_t* share = shares.begin(); share != shares.end(); ++share) {
      places.insert(places.end(), *share, static_cast<std::size_t>(share - shares.begin()));
    }
    return places[random.below(static_cast<std::uint32_t>(places.size()))];
  }
  [[nodiscard]] bool is_in_transit(const std::string& from, const std::string& to) const {
    return snapshot.states().find(from)->second->sent.contains(to);
  }
  /// Whether the sender will never send what the process lacks, if the members never go on.
  [[nodiscard]] bool lacks(std::uint32_t p, const std::string& sender, unsigned members) const {
    const auto s = static_cast<std::size_t>(std::ranges::find(names, sender) - names.begin());
    if (s == count || is_in_transit(sender, names[p])) return false;
    return (members >> s & 1U) != 0 || waits[s].what == Awaited::For::no_one;
  }
  [[nodiscard]] bool is_stuck(std::uint32_t p, unsigned members) const {
    const auto lacked = [&](const std::string& sender) { return lacks(p, sender, members); };
    if (waits[p].what == Awaited::For::any) return std::ranges::all_of(waits[p].senders, lacked);
    if (waits[p].what == Awaited::For::idle) return std::ranges::all_of(names, lacked);
    return waits[p].what == Awaited::For::all && std::ranges::any_of(waits[p].senders, lacked);
  }
  /// The union of all sets whose members are stuck if none of them goes on, without the idle ones.
  [[nodiscard]] std::vector<std::string> by_definition() const {
    unsigned found = 0;
    for (unsigned members = 1; members < 1U << count; ++members) {
      bool stuck = true;
      for (std::uint32_t p = 0; p < count; ++p) {
        if ((members >> p & 1U) != 0 && !is_stuck(p, members)) stuck = false;
      }
      if (stuck) found |= members;
    }
    std::vector<std::string> processes;
    for (std::uint32_t p = 0; p < count; ++p) {
      const bool is_idle = waits[p].what == Awaited::For::idle;
      if ((found >> p & 1U) != 0 && !is_idle) processes.push_back(names[p]);
    }
    return processes;
  }

  PortableRandom random;
  std::vector<std::string> names;
  std::vector<Awaited> waits;
  GlobalSnapshot snapshot{1, {}};
};

TEST(StableProperties, DeadlockedAreTheGreatestSetOfThoseWhoWaitForEachOther) {
  std::map<std::size_t, int> sizes;
  int incomplete = 0;
  for (std::uint64_t seed = 1; seed <= 4000 / arbitrary::one_in; ++seed) {
    const Tangle tangle(seed);
    ASSERT_TRUE(tangle.snapshot.has_all_states());
    incomplete += tangle.snapshot.complete() ? 0 : 1;
    const auto found = deadlocked(tangle.snapshot, [](std::string_view, std::string_view saved) {
      return read_wait(saved).first;
    });
    ASSERT_EQ(found, tangle.by_definition()) << "seed " << seed;
    ++sizes[found.size()];
  }
  EXPECT_EQ(sizes.size(), Tangle::count + 1);
  EXPECT_GT(incomplete, 100);
}

}  // namespace
}  // namespace lightcone
