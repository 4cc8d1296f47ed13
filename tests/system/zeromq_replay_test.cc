// A hundred random programs of real processes over ZeroMQ: every kind of journal gives the same
// computation again, and one that was altered does not go unnoticed.
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/trace/row_words.h>

#include <deque>
#include <fstream>
#include <functional>
#include <random>

#include "system/shell.h"

namespace lightcone {
namespace {

constexpr const char* at_once = "4";

/// What to record, and who replays it.
struct Kind {
  const char* name;
  int programs;
  const char* record;
  const char* replay;
  std::vector<std::string> who;
};

class RandomPrograms : public Shell {
 protected:
  /// Records each program, lets `between` have the recordings, and replays them, several at a time.
  /// What every process draws and chooses is random, so that no two of them do the same; how long
  /// they sleep is, too, and not the same again in the replay.
  void for_all(int count, const std::string& record, const std::string& replay,
               const std::function<void(const std::string&)>& between) const {
    const std::string courier = "-- '" + std::string(LIGHTCONE_COURIER) + "' '' --steps 20";
    const std::string each =
        "seq " + std::to_string(count) + " | timeout 120 xargs -P " + at_once + " -I{} sh -c ";
    const Result recorded =
        run(each + "\"lightcone record --out r{} " + record + " " + courier + " 2> {}.err\"");
    ASSERT_EQ(recorded.status, 0) << recorded.err;
    for (int i = 1; i <= count; ++i) between(path("r", i));
    static_cast<void>(run(each + "\"lightcone replay r{} --json --out again{} " + replay + " " +
                          courier + " > {}.json 2>> {}.err\""));
  }
  [[nodiscard]] std::string path(const char* what, int program) const {
    return (folder() / (what + std::to_string(program))).string();
  }
  /// How the replay of a program ended.
  [[nodiscard]] nlohmann::json outcome_of(int program) const {
    std::ifstream file(folder() / (std::to_string(program) + ".json"));
    return nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  }
  [[nodiscard]] static std::vector<std::string> events(const std::string& in,
                                                       const std::string& process) {
    std::vector<std::string> lines;
    auto rows = RecordedRows::open(Recording::trace_path(in, process));
    if (!rows) return {rows.error().text()};
    while (const auto row = rows->next()) lines.push_back(row->line());
    return lines;
  }
};

class ZeromqReplay : public RandomPrograms, public testing::WithParamInterface<Kind> {};

TEST_P(ZeromqReplay, GivesTheSameComputation) {
  const Kind& kind = GetParam();
  for_all(kind.programs, kind.record, kind.replay, [](const std::string&) {});
  std::size_t all = 0;
  for (int i = 1; i <= kind.programs; ++i) {
    const auto outcome = outcome_of(i);
    ASSERT_TRUE(outcome.is_object()) << run("cat " + std::to_string(i) + ".err").out;
    ASSERT_EQ(outcome["same"], true) << outcome;
    ASSERT_EQ(outcome["processes"].size(), kind.who.size());
    for (const std::string& process : kind.who) {
      const auto recorded = events(path("r", i), process);
      ASSERT_EQ(events(path("again", i), process), recorded) << process;
      all += recorded.size();
    }
  }
  EXPECT_GT(all, static_cast<std::size_t>(kind.programs) * kind.who.size() * 8);
}

INSTANTIATE_TEST_SUITE_P(
    Journals, ZeromqReplay,
    testing::Values(
        Kind{"full", 100, "", "", {"a", "b", "c"}},
        Kind{"races", 100, "--journal races", "", {"a", "b", "c"}},
        Kind{"contents", 50, "--contents b", "--only b", {"b"}},
        Kind{"races_and_contents", 50, "--journal races --contents a,c", "--only a,c", {"a", "c"}}),
    [](const auto& test) { return test.param.name; });

/// Writes a journal again, with another message in the place of one; which it was, counted from 1.
[[nodiscard]] std::uint64_t alter(const std::string& path, std::mt19937_64& random) {
  auto journal = Journal::open(path);
  std::vector<JournalEntry> entries;
  std::deque<std::string> texts;  // what entries are views of
  auto writer = JournalWriter::create(path + ".new", journal->header());
  std::vector<ReceivedMessage*> received;
  JournalFacts facts;
  while (*journal->next_block()) {
    for (; journal->peek() != nullptr; journal->pop()) {
      entries.push_back(*journal->peek());
      if (auto* read = std::get_if<BytesRead>(&entries.back())) {
        read->bytes = texts.emplace_back(read->bytes);
      } else if (auto* message = std::get_if<ReceivedMessage>(&entries.back())) {
        message->sender = *writer->sender(journal->sender(message->sender));
      }
    }
    facts = journal->facts();
  }
  for (JournalEntry& entry : entries) {
    if (auto* message = std::get_if<ReceivedMessage>(&entry)) received.push_back(message);
  }
  const std::size_t which = random() % received.size();
  received[which]->number += 1 + random() % 3;
  for (const JournalEntry& entry : entries) static_cast<void>(writer->add(entry));
  writer->note(facts.events, facts.digest);
  static_cast<void>(writer->end());
  std::filesystem::rename(path + ".new", path);
  return which + 1;
}

using AlteredZeromqReplay = RandomPrograms;

TEST_F(AlteredZeromqReplay, IsFoundAndNamed) {
  constexpr int count = 12;
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> altered;
  for_all(count, "", "--patience 0.3", [&](const std::string& recording) {
    altered.push_back(alter(Recording::journal_path(recording, "b"), random));
  });
  for (int i = 1; i <= count; ++i) {
    const auto outcome = outcome_of(i);
    ASSERT_TRUE(outcome.is_object());
    EXPECT_EQ(outcome["same"], false) << outcome;
    std::string text;
    for (const auto& process : outcome["processes"]) {
      if (process["process"] == "b" && process["why"] != "ended") text = process["text"];
    }
    EXPECT_NE(text, "") << altered[static_cast<std::size_t>(i - 1)] << outcome;
  }
}

}  // namespace
}  // namespace lightcone
