// Random programs that are recorded with checkpoints: from each complete one the rest is the same.
#include "model/generators/arbitrary.h"
#include "model/programs/wanderers.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/recording.h>
#include <lightcone/simulation.h>
#include <lightcone/snapshot.h>
#include <lightcone/trace/row_words.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>

namespace lightcone {
namespace {

constexpr int steps = 24;
constexpr std::uint64_t programs = 300 / arbitrary::one_in;

void run(Wanderers& program, const SimulationOptions& options) {
  SimulatedNetwork network(options);
  for (const char* name : Wanderers::names) {
    network.spawn(name, [&, name] { program.wander(network, name); });
  }
  network.run();
}

/// A program, its recording and the replays of it.
class Trial {
 public:
  explicit Trial(std::uint64_t seed, bool faults = false)
      : seed_(seed), fifo_(seed % 2 == 0 && !faults), faults_(faults) {}

  /// All that a process was given in the recording.
  std::map<std::string, std::string> given;
  bool saves = true;
  std::vector<std::string> errors;

  void record() {
    RecordOrders orders;
    orders.journal = seed_ % 4 < 2 ? JournalKind::full : JournalKind::races;
    orders.journal_only = seed_ % 8 == 7;
    orders.checkpoints = std::chrono::milliseconds(1 + seed_ % 3);
    const auto program = wanderers({recording_.path(), orders});
    program->saves = saves;
    SimulationOptions network{.seed = seed_, .fifo = fifo_ || seed_ % 3 == 0};
    if (faults_) network.loss_rate = network.duplicate_rate = 0.2;
    run(*program, network);
    given = program->given();
    errors = program->errors();
  }
  [[nodiscard]] std::vector<std::uint64_t> complete() const {
    const auto numbers = complete_checkpoints(directory());
    EXPECT_TRUE(numbers) << numbers.error().text();
    return numbers ? *numbers : std::vector<std::uint64_t>();
  }
  /// What became of each process, and all that each was given.
  [[nodiscard]] std::unique_ptr<Wanderers> replay(std::uint64_t from,
                                                  const TemporaryFolder& traces) const {
    auto program = wanderers({directory(), ReplayOrders{.from = from, .traces = traces.path()}});
    run(*program, {.seed = seed_ * 7919, .fifo = fifo_});
    return program;
  }
  [[nodiscard]] std::string directory() const { return recording_.path(); }
  /// The events of a process, as they were recorded.
  [[nodiscard]] static std::vector<std::string> rows(const std::string& folder, const char* name) {
    std::vector<std::string> lines;
    auto rows = RecordedRows::open(Recording::trace_path(folder, name));
    while (rows) {
      const auto row = rows->next();
      if (!row) break;
      lines.push_back(row->line());
    }
    return lines;
  }

 private:
  [[nodiscard]] std::unique_ptr<Wanderers> wanderers(const RunOrders& orders) const {
    auto program = std::make_unique<Wanderers>(orders, steps);
    if (fifo_) program->channels = Channels::fifo;
    if (seed_ % 5 < 2) program->on_part = [](std::string_view) {};
    return program;
  }
  std::uint64_t seed_;
  bool fifo_, faults_;
  TemporaryFolder recording_{TemporaryFolder::in_memory()};
};

void expect_the_same_rest(const Trial& trial, std::uint64_t from) {
  const TemporaryFolder traces(TemporaryFolder::in_memory());
  const auto replayed = trial.replay(from, traces);
  const Wanderers& again = *replayed;
  for (const char* name : Wanderers::names) {
    ASSERT_TRUE(again.reports().contains(name)) << reports_of(again);
    ASSERT_EQ(again.reports().at(name).why, RunReport::Why::ended) << reports_of(again);
    const auto rest = again.given().find(name);
    if (rest != again.given().end()) {
      ASSERT_TRUE(trial.given.at(name).ends_with(rest->second)) << rest->second;
    }
    const auto recorded = Trial::rows(trial.directory(), name);
    if (!recorded.empty() && std::filesystem::exists(Recording::trace_path(traces.path(), name))) {
      ASSERT_EQ(Trial::rows(traces.path(), name), recorded);
    }
  }
}

void replays_from_all(bool faults) {
  std::uint64_t checkpoints = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    Trial trial(seed, faults);
    trial.record();
    ASSERT_EQ(trial.errors.size(), 0U) << trial.errors[0];
    const std::vector<std::uint64_t> complete = trial.complete();
    checkpoints += complete.size();
    for (std::size_t i = seed % 4; i < complete.size(); i += 4) {
      expect_the_same_rest(trial, complete[i]);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", " << complete[i];
    }
  }
  EXPECT_GT(checkpoints, 4 * programs);
}

[[nodiscard]] std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::ptrdiff_t>(bytes.size()));
}

TEST(Checkpoints, TornFilesHoldWhatCameBefore) {
  std::mt19937_64 random(3);
  for (std::uint64_t seed = 1; seed <= programs / 4; ++seed) {
    Trial trial(seed);
    trial.record();
    const std::vector<std::uint64_t> before = trial.complete();
    const std::string path =
        Recording::checkpoints_path(trial.directory(), Wanderers::names[random() % 3]);
    const std::string bytes = bytes_of(path);
    write(path, bytes.substr(0, random() % bytes.size()));
    const std::vector<std::uint64_t> after = trial.complete();
    ASSERT_LE(after.size(), before.size());
    ASSERT_TRUE(std::includes(before.begin(), before.end(), after.begin(), after.end()));
    if (after.empty()) continue;
    // The journal is whole: it may ask for messages that the torn file has lost, and no others.
    const TemporaryFolder traces(TemporaryFolder::in_memory());
    const auto again = trial.replay(after.back(), traces);
    for (const auto& [name, report] : again->reports()) {
      ASSERT_NE(report.why, RunReport::Why::diverged) << reports_of(*again);
    }
  }
}

TEST(Checkpoints, DamagedFilesAreNamed) {
  std::mt19937_64 random(4);
  Trial trial(1);
  trial.record();
  const std::string path = Recording::checkpoints_path(trial.directory(), "b");
  const std::string bytes = bytes_of(path);
  const auto before = trial.complete();
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    const std::size_t at = random() % bytes.size();
    changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
    write(path, changed);
    const auto after = complete_checkpoints(trial.directory());
    if (after) {  // a size that is a lie makes it look torn
      ASSERT_TRUE(std::includes(before.begin(), before.end(), after->begin(), after->end()));
    } else {
      ASSERT_EQ(after.error().file, path);
    }
  }
}

TEST(Checkpoints, BytesComeBackAsTheyWereOrAreRefused) {
  std::mt19937_64 random(5);
  Checkpoint saved;
  saved.state = "state";
  saved.digest = 17;
  saved.opened = {"tag", ""};
  for (const char* name : {"a", "", "c"}) {
    Checkpoint::Peer peer{.name = name, .hash = Peers::hash_of("x"), .sent = random()};
    for (int i = 0; i < 9; ++i) peer.numbers.add(random() % 20000);
    saved.peers.push_back(peer);
  }
  const std::string bytes = saved.encode();
  ASSERT_EQ(Checkpoint::decode(bytes)->encode(), bytes);
  for (int i = 0; i < 20000; ++i) {
    std::string changed = bytes.substr(0, random() % 2 == 0 ? bytes.size() : random() % 200);
    for (std::uint64_t k = random() % 3; k > 0 && !changed.empty(); --k) {
      changed[random() % std::min<std::size_t>(changed.size(), 80)] = static_cast<char>(random());
    }
    const auto read = Checkpoint::decode(changed);
    if (read) {
      ASSERT_EQ(read->encode(), changed);
    }
  }
}

TEST(Checkpoints, ThoseThatAreNotCompleteAreRefused) {
  Trial trial(3);
  trial.record();
  const auto complete = trial.complete();
  ASSERT_FALSE(complete.empty());
  EXPECT_TRUE(must_be_complete(trial.directory(), complete[0]));
  const auto missing = must_be_complete(trial.directory(), 99999);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("there is no such checkpoint"), std::string::npos);
  EXPECT_NE(missing.error().text().find("complete are 1"), std::string::npos);
  std::filesystem::remove(Recording::checkpoints_path(trial.directory(), "b"));
  const auto incomplete = must_be_complete(trial.directory(), complete[0]);
  ASSERT_FALSE(incomplete);
  EXPECT_NE(incomplete.error().text().find("b has no part in it"), std::string::npos);
  EXPECT_NE(incomplete.error().text().find("no complete checkpoint"), std::string::npos);
  const TemporaryFolder traces(TemporaryFolder::in_memory());
  const auto again = trial.replay(complete[0], traces);
  ASSERT_FALSE(again->errors().empty());
  EXPECT_NE(again->errors()[0].find("holds no part of checkpoint"), std::string::npos);
}

TEST(Checkpoints, WithoutAStateThereAreNone) {
  Trial trial(1);
  trial.saves = false;
  trial.record();
  ASSERT_EQ(trial.errors.size(), 3U);
  EXPECT_NE(trial.errors[0].find("has no function to save its state"), std::string::npos);
  EXPECT_TRUE(trial.complete().empty());
}

TEST(Snapshots, AMessageToAnyoneEndsThem) {
  std::vector<std::string> errors;
  int parts = 0;
  ProcessOptions options{.name = "a"};
  options.on_error = [&](const Error& error) { errors.push_back(error.text()); };
  options.on_snapshot_part = [&](std::string_view) { ++parts; };
  const auto process = *Process::start(options);
  process->begin_snapshot();
  EXPECT_EQ(parts, 1);
  for (int i = 0; i < 2; ++i) EXPECT_NE(process->send_to_anyone(), "");
  process->begin_snapshot();
  EXPECT_EQ(parts, 1);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_NE(errors[0].find("a message to anyone cannot be counted"), std::string::npos);
}

/// The program counts its messages itself: a snapshot is consistent if its counts agree, too.
void expect_counts_to_agree(const GlobalSnapshot& snapshot) {
  std::map<std::string, Wanderers::Memory> states;
  for (const char* name : Wanderers::names) {
    states.emplace(name, Wanderers::Memory(snapshot.states().find(name)->second->state));
  }
  for (const char* from : Wanderers::names) {
    for (const char* to : Wanderers::names) {
      ASSERT_EQ(states[from].sent[to],
                states[to].received[from] + snapshot.in_transit(from, to).size());
    }
  }
}

TEST(Snapshots, OfAProgramShowConsistentStates) {
  std::uint64_t complete = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    SnapshotCollector collector(
        {.processes = {"a", "b", "c"}, .on_complete = [&](const GlobalSnapshot& snapshot) {
           ++complete;
           expect_counts_to_agree(snapshot);
         }});
    Wanderers program(std::nullopt, steps);
    if (seed % 2 == 0) program.channels = Channels::fifo;
    program.on_part = [&](std::string_view part) {
      const auto added = collector.add_bytes(part);
      ASSERT_TRUE(added) << added.error().text();
    };
    run(program, {.seed = seed, .fifo = seed % 2 == 0});
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
  }
  EXPECT_GT(complete, programs);
}

TEST(Checkpoints, TheRestIsTheSameFromEach) { replays_from_all(false); }
TEST(Checkpoints, LostAndDoubledMessagesDoNoHarm) { replays_from_all(true); }

}  // namespace
}  // namespace lightcone
