// A journal of races holds every receive that races, and never takes more than a full one.
#include <lightcone/run/journal/journal.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

/// A file in memory, since thousands are written.
[[nodiscard]] std::string path() {
  static const int file = ::memfd_create("journal", 0);
  return "/proc/self/fd/" + std::to_string(file);
}

struct Answer {
  JournalEntry entry;
  std::uint64_t channel = 0;
  bool implied = false;
  bool flush = false;  ///< after it
};

/// What some processes are like that send to one.
struct Traffic {
  double races = 0;      ///< the share of the receives
  double lost = 0;       ///< messages
  double elsewhere = 0;  ///< messages to others
  double others = 0.25;  ///< the share of answers that are no messages
  double flushes = 0;    ///< after an answer
  std::uint32_t senders = 3;
  bool in_turn = false;
};

[[nodiscard]] std::vector<Answer> some_answers(std::mt19937_64& random, std::size_t count,
                                               const Traffic& traffic) {
  const auto happens = [&](double share) { return std::bernoulli_distribution(share)(random); };
  std::vector<Answer> answers;
  std::vector<std::uint64_t> numbers(traffic.senders, 0), channels(traffic.senders, 0);
  std::uint64_t receives = 0;
  while (answers.size() < count) {
    const std::uint64_t draw = random();
    if (happens(traffic.others)) {
      if (draw % 2 == 0) {
        answers.push_back({ClockReading{draw >> 40}});
      } else if (answers.empty() || answers.back().entry.index() != 1) {
        answers.push_back({EmptyPolls{receives + 1, 1 + (draw >> 60)}});
      }
      continue;
    }
    const auto chosen = traffic.in_turn ? receives : draw >> 32;
    const auto sender = static_cast<std::uint32_t>(chosen % traffic.senders);
    while (happens(traffic.elsewhere)) ++numbers[sender];
    while (happens(traffic.lost)) ++numbers[sender], ++channels[sender];
    const ReceivedMessage message{sender, ++numbers[sender], ++receives, {}};
    answers.push_back({message, ++channels[sender], !happens(traffic.races)});
    answers.back().flush = happens(traffic.flushes);
  }
  return answers;
}

[[nodiscard]] Expected<void> add(JournalWriter& writer, const Answer& answer) {
  const auto* message = std::get_if<ReceivedMessage>(&answer.entry);
  if (message == nullptr) return writer.add(answer.entry);
  if (answer.implied) return writer.add_implied(*message, answer.channel);
  return writer.add(*message, answer.channel);
}

std::uint64_t write(JournalKind kind, const std::vector<Answer>& answers, std::size_t block) {
  auto writer = JournalWriter::create(path(), {"p1", kind, false}, block);
  for (int sender = 0; sender < 40; ++sender) {
    static_cast<void>(writer->sender("p" + std::to_string(sender)));
  }
  std::uint32_t events = 0;
  for (const Answer& answer : answers) {
    ++events;
    writer->note(events, events * 0x9E3779B9U);
    EXPECT_TRUE(add(*writer, answer).has_value());
    if (answer.flush) {
      EXPECT_TRUE(writer->flush().has_value());
    }
  }
  EXPECT_TRUE(writer->end().has_value());
  return std::filesystem::file_size(path());
}

/// Whether the journal holds all answers but some that are implied, in their order.
[[nodiscard]] bool holds(const std::vector<Answer>& answers) {
  auto journal = Journal::open(path());
  const JournalEntry* entry = *journal->next();
  for (const Answer& answer : answers) {
    const bool is_there = entry != nullptr && *entry == answer.entry;
    if (!is_there && !answer.implied) return false;
    if (is_there) entry = *journal->next();
  }
  return entry == nullptr && journal->ended() && journal->facts().events == answers.size();
}

[[nodiscard]] Traffic some_traffic() {
  Traffic traffic;
  const auto share = [] { return 0.1 * *rc::gen::element(0, 0, 0, 1, 3, 7); };
  traffic.lost = share();
  traffic.elsewhere = share();
  traffic.others = share();
  traffic.flushes = 0.1 * share();
  traffic.senders = *rc::gen::element(1U, 2U, 3U, 7U, 40U);
  traffic.in_turn = *rc::gen::arbitrary<bool>();
  return traffic;
}

TEST(JournalOfRaces, HoldsWhatRacesAndTakesNoMoreThanAFullOne) {
  arbitrary::for_all("journal of races", 3000, [&] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    Traffic traffic = some_traffic();
    traffic.races = 0.1 * *rc::gen::inRange(0, 11);
    const auto answers = some_answers(random, *rc::gen::inRange<std::size_t>(0, 200), traffic);
    const auto block = *rc::gen::inRange<std::size_t>(1, 100);
    const std::uint64_t full = write(JournalKind::full, answers, block);
    const std::uint64_t races = write(JournalKind::races, answers, block);
    RC_ASSERT(races <= full);
    RC_ASSERT(holds(answers));
  });
}

TEST(JournalOfRaces, TakesNoMoreThanAFullOneWhereBlocksAreLarge) {
  if (arbitrary::one_in > 1) GTEST_SKIP() << "sanitizers change no sizes";
  std::mt19937_64 random(1);
  for (const double share : {0.0, 0.01, 0.15, 0.5, 0.9, 1.0}) {
    const auto answers = some_answers(random, 40'000, {.races = share});
    for (const std::size_t block : {1000U, 65536U}) {
      const std::uint64_t full = write(JournalKind::full, answers, block);
      const std::uint64_t races = write(JournalKind::races, answers, block);
      EXPECT_LE(races, full) << share << " race, blocks of " << block;
      EXPECT_TRUE(holds(answers));
    }
  }
}

/// Where nothing gets lost: a block with many gaps can take less with all receives.
TEST(JournalOfRaces, HoldsNothingWhereNothingRaces) {
  arbitrary::for_all("journal without races", 3000, [&] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    Traffic traffic = some_traffic();
    traffic.others = traffic.lost = traffic.elsewhere = 0;
    const auto count = *rc::gen::element<std::size_t>(1, 2, 3, 5, 20, 100, 300);
    const auto answers = some_answers(random, count, traffic);
    write(JournalKind::races, answers, *rc::gen::element<std::size_t>(1, 2, 3, 20, 1000));
    auto journal = Journal::open(path());
    const bool holds_nothing = *journal->next() == nullptr;
    RC_ASSERT(holds_nothing);
    RC_ASSERT(journal->ended());
    RC_ASSERT(journal->facts().receives == count);
  });
}

}  // namespace
}  // namespace lightcone
