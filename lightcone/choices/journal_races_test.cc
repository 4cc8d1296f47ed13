// A journal of races holds every receive that races, and never takes more than a full one.
#include <lightcone/choices/journal.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "property/arbitrary.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

struct Answer {
  JournalEntry entry;
  bool implied = false;
};

/// Receives from three senders, of which a share races, with other answers between them.
[[nodiscard]] std::vector<Answer> some_answers(std::mt19937_64& random, std::size_t count,
                                               double share) {
  std::vector<Answer> answers;
  std::vector<std::uint64_t> numbers(3, 0);
  std::bernoulli_distribution races(share);
  std::uint64_t receives = 0;
  while (answers.size() < count) {
    const std::uint64_t draw = random();
    if (draw % 8 == 0) {
      answers.push_back({ClockReading{draw >> 40}});
    } else if (draw % 8 == 1 && (answers.empty() || answers.back().entry.index() != 1)) {
      answers.push_back({EmptyPolls{receives + 1, 1 + (draw >> 60)}});
    } else {
      const auto sender = static_cast<std::uint32_t>(draw >> 32) % 3;
      const ReceivedMessage message{sender, ++numbers[sender], ++receives, {}};
      answers.push_back({message, !races(random)});
    }
  }
  return answers;
}

std::uint64_t write(const std::string& path, JournalKind kind, const std::vector<Answer>& answers,
                    std::size_t block) {
  auto writer = JournalWriter::create(path, {"p1", kind, false}, block);
  for (const char* name : {"a", "b", "c"}) static_cast<void>(writer->sender(name));
  for (const Answer& answer : answers) {
    const auto ok = answer.implied ? writer->add_implied(std::get<ReceivedMessage>(answer.entry))
                                   : writer->add(answer.entry);
    EXPECT_TRUE(ok.has_value());
  }
  EXPECT_TRUE(writer->end().has_value());
  return std::filesystem::file_size(path);
}

/// Whether the journal holds all answers but some that are implied, in their order.
[[nodiscard]] bool holds(const std::string& path, const std::vector<Answer>& answers) {
  auto journal = Journal::open(path);
  const JournalEntry* entry = *journal->next();
  for (const Answer& answer : answers) {
    const bool is_there = entry != nullptr && *entry == answer.entry;
    if (!is_there && !answer.implied) return false;
    if (is_there) entry = *journal->next();
  }
  return entry == nullptr && journal->ended();
}

TEST(JournalOfRaces, HoldsWhatRaces) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/journal";
  arbitrary::for_all("journal of races", 500, [&] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto share = 0.1 * *rc::gen::inRange(0, 11);
    const auto answers = some_answers(random, *rc::gen::inRange<std::size_t>(0, 200), share);
    write(path, JournalKind::races, answers, *rc::gen::inRange<std::size_t>(1, 60));
    RC_ASSERT(holds(path, answers));
  });
}

TEST(JournalOfRaces, TakesNoMoreThanAFullOne) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/journal";
  std::mt19937_64 random(1);
  for (const double share : {0.0, 0.01, 0.15, 0.5, 0.9, 1.0}) {
    const auto answers = some_answers(random, 40'000, share);
    for (const std::size_t block : {100U, 1000U, 65536U}) {
      const std::uint64_t full = write(path, JournalKind::full, answers, block);
      const std::uint64_t races = write(path, JournalKind::races, answers, block);
      EXPECT_LE(races, full) << share << " race, blocks of " << block;
      EXPECT_TRUE(holds(path, answers));
    }
  }
}

TEST(JournalOfRaces, IsEmptyWhereNothingRaces) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/journal";
  auto writer = JournalWriter::create(path, {"p1", JournalKind::races, false}, 100);
  const std::uint64_t empty = std::filesystem::file_size(path);
  const std::uint32_t sender = *writer->sender("p2");
  for (std::uint64_t n = 1; n <= 1000; ++n) {
    ASSERT_TRUE(writer->add_implied({sender, n, n, {}}).has_value());
  }
  ASSERT_TRUE(writer->flush().has_value());
  EXPECT_EQ(std::filesystem::file_size(path), empty);
  ASSERT_TRUE(writer->end().has_value());
  auto journal = Journal::open(path);
  EXPECT_EQ(*journal->next(), nullptr);
  EXPECT_TRUE(journal->ended());
}

}  // namespace
}  // namespace lightcone
