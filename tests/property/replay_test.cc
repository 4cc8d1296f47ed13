// Random programs, recorded and replayed: the same computation every time, or a divergence that is
// named.
#include "model/generators/arbitrary.h"
#include "model/programs/wanderers.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/network.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/simulation.h>
#include <lightcone/trace/row_words.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <thread>
#include <variant>

namespace lightcone {
namespace {

/// A network that delays, reorders, and where asked for loses and doubles.
[[nodiscard]] SimulationOptions network_of(std::uint64_t seed, bool faults) {
  SimulationOptions options{.seed = seed, .fifo = seed % 2 == 0};
  if (faults && seed % 3 == 0) options.loss_rate = options.duplicate_rate = 0.2;
  return options;
}

SimulationOutcome simulate(Wanderers& program, const SimulationOptions& options) {
  SimulatedNetwork network(options);
  for (const char* name : Wanderers::names) {
    network.spawn(name, [&, name] { program.wander(network, name); });
  }
  return network.run();
}

/// The events that a process left in a trace.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& folder, const char* process) {
  std::vector<std::string> lines;
  auto rows = RecordedRows::open(Recording::trace_path(folder, process));
  if (!rows) return {rows.error().text()};
  while (const auto row = rows->next()) lines.push_back(row->line());
  return lines;
}

/// Orders for a recording in one folder, and for its replay.
struct Runs {
  TemporaryFolder recording{TemporaryFolder::in_memory()};
  TemporaryFolder again{TemporaryFolder::in_memory()};

  [[nodiscard]] RunOrders record(JournalKind journal, bool journal_only = false,
                                 std::vector<std::string> contents = {}) const {
    return {recording.path(),
            RecordOrders{
                .journal = journal, .journal_only = journal_only, .contents = std::move(contents)}};
  }
  [[nodiscard]] RunOrders replay(std::vector<std::string> only = {}) const {
    return {recording.path(), ReplayOrders{.only = std::move(only),
                                           .traces = again.path(),
                                           .patience = std::chrono::milliseconds(500)}};
  }
};

constexpr int steps = 16;
constexpr std::uint64_t programs = 1000 / arbitrary::one_in;

void replays_the_same(JournalKind journal) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Runs runs;
    Wanderers first(runs.record(journal), steps), second(runs.replay(), steps);
    ASSERT_EQ(simulate(first, network_of(seed, true)).end, SimulationOutcome::End::finished);
    ASSERT_EQ(reports_of(first), "");
    simulate(second, network_of(seed * 7919, false));
    ASSERT_EQ(second.given(), first.given()) << "seed " << seed << "\n" << reports_of(second);
    for (const char* name : Wanderers::names) {
      ASSERT_EQ(second.reports().at(name).why, RunReport::Why::ended) << reports_of(second);
      ASSERT_EQ(lines_of(runs.again.path(), name), lines_of(runs.recording.path(), name));
    }
  }
}

TEST(Replay, FullJournalsGiveTheSameComputation) { replays_the_same(JournalKind::full); }
TEST(Replay, JournalsOfRacesGiveTheSameComputation) { replays_the_same(JournalKind::races); }

TEST(Replay, ContentsStandInForTheOthers) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Runs runs;
    const std::vector<std::string> chosen =
        seed % 2 == 0 ? std::vector<std::string>{"b"} : std::vector<std::string>{"a", "c"};
    const RunOrders replay = runs.replay(chosen);
    const auto journal = seed % 4 < 2 ? JournalKind::full : JournalKind::races;
    Wanderers first(runs.record(journal, false, chosen), steps), second(replay, steps);
    simulate(first, network_of(seed, true));
    simulate(second, network_of(seed * 7919, false));
    for (const std::string& name : chosen) {
      ASSERT_EQ(second.reports().at(name).why, RunReport::Why::ended) << reports_of(second);
      ASSERT_EQ(lines_of(runs.again.path(), name.c_str()),
                lines_of(runs.recording.path(), name.c_str()));
    }
    ASSERT_EQ(second.reports().size(), chosen.size());
  }
}

TEST(Replay, AnotherNetworkGivesTheSameComputation) {
  for (std::uint64_t seed = 1; seed <= programs / 10; ++seed) {
    const Runs runs;
    const auto journal = seed % 2 == 0 ? JournalKind::full : JournalKind::races;
    Wanderers first(runs.record(journal, true), steps), second(runs.replay(), steps);
    simulate(first, network_of(seed, true));
    ThreadNetwork network(seed);
    std::vector<std::jthread> threads;
    for (const char* name : Wanderers::names) {
      threads.emplace_back([&, name] { second.wander(network, name); });
    }
    threads.clear();
    ASSERT_EQ(second.given(), first.given()) << reports_of(second);
    ASSERT_EQ(second.reports().size(), 3U);
  }
}

/// Writes the journal of a process again, with one entry changed; false if nothing can be.
[[nodiscard]] bool alter(const std::string& folder, const std::string& process,
                         std::mt19937_64& random) {
  const std::string path = Recording::journal_path(folder, process);
  auto journal = Journal::open(path);
  std::vector<std::string> senders;
  std::vector<JournalEntry> entries;
  std::deque<std::string> texts;  // what entries are views of
  JournalFacts facts;
  while (*journal->next_block()) {
    for (; journal->peek() != nullptr; journal->pop()) {
      entries.push_back(*journal->peek());
      if (auto* m = std::get_if<ReceivedMessage>(&entries.back())) {
        m->sender = static_cast<std::uint32_t>(
            std::find(senders.begin(), senders.end(), journal->sender(m->sender)) -
            senders.begin());
        if (m->sender == senders.size()) senders.push_back(journal->sender(m->sender));
        if (m->contents) m->contents = texts.emplace_back(*m->contents);
      } else if (auto* read = std::get_if<BytesRead>(&entries.back())) {
        read->bytes = texts.emplace_back(read->bytes);
      }
    }
    facts = journal->facts();
  }
  std::vector<JournalEntry*> changeable;
  for (JournalEntry& entry : entries) {
    const auto* message = std::get_if<ReceivedMessage>(&entry);
    if ((message != nullptr && !message->contents) || std::holds_alternative<EmptyPolls>(entry)) {
      changeable.push_back(&entry);
    }
  }
  if (changeable.empty()) return false;
  JournalEntry& changed = *changeable[random() % changeable.size()];
  if (auto* message = std::get_if<ReceivedMessage>(&changed)) {
    message->number = message->number % 4 + 1 + (random() % 2 == 0 && message->number > 4 ? 4 : 0);
  } else {
    ++std::get<EmptyPolls>(changed).count;
  }
  auto writer = JournalWriter::create(path, journal->header());
  for (const std::string& sender : senders) static_cast<void>(writer->sender(sender));
  for (const JournalEntry& entry : entries) static_cast<void>(writer->add(entry));
  writer->note(facts.events, facts.digest);
  return writer->end().has_value();
}

TEST(Replay, AnAlteredEntryIsFoundAndNamed) {
  std::mt19937_64 random(5);
  int altered = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Runs runs;
    Wanderers first(runs.record(JournalKind::full, seed % 2 == 0), steps);
    Wanderers second(runs.replay(), steps);
    simulate(first, network_of(seed, false));
    const std::string process = Wanderers::names[random() % 3];
    if (!alter(runs.recording.path(), process, random)) continue;
    ++altered;
    simulate(second, network_of(seed * 7919, false));
    const RunReport& report = second.reports().at(process);
    ASSERT_NE(report.why, RunReport::Why::ended) << "seed " << seed << "\n" << reports_of(second);
    ASSERT_NE(report.text, "");
  }
  EXPECT_GT(altered, 100 / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
