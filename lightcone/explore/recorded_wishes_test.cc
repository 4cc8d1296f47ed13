// What a journal of an MPI process says is found by the numbers of what was asked.
#include <lightcone/explore/recorded_wishes.h>

#include <gtest/gtest.h>
#include <lightcone/run/answers/mpi_recorder.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "temporary_folder.h"

namespace lightcone {
namespace {

[[nodiscard]] MpiRecorder recorder(const std::string& path, JournalKind kind = JournalKind::full) {
  auto made = MpiRecorder::create(path, {"rank0", kind, false});
  EXPECT_TRUE(made) << made.error().text();
  return std::move(*made);
}

TEST(RecordedWishes, FindMatchesHoweverLateTheyWereKnown) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/rank0.journal";
    std::mt19937_64 random(seed);
    std::map<std::uint64_t, std::pair<int, int>> matches;
    {
      MpiRecorder journal = recorder(path);
      std::vector<std::uint64_t> open;
      for (int i = 0; i < 40; ++i) {
        if (open.empty() || random() % 2 == 0) {
          open.push_back(journal.open());
          continue;
        }
        const auto place = open.begin() + static_cast<std::ptrdiff_t>(random() % open.size());
        if (random() % 5 == 0) {
          journal.cancelled(*place);
        } else {
          const auto source = static_cast<int>(random() % 9), tag = static_cast<int>(random() % 9);
          journal.matched(*place, source, tag);
          matches[*place] = {source, tag};
        }
        open.erase(place);
      }
      ASSERT_TRUE(journal.end());
    }
    const auto wishes = RecordedWishes::read(path);
    ASSERT_TRUE(wishes) << wishes.error().text();
    for (std::uint64_t i = 0; i < 41; ++i) {
      const auto found = wishes->match(i);
      ASSERT_EQ(found.has_value(), matches.contains(i)) << seed << ' ' << i;
      if (!found) continue;
      EXPECT_EQ(std::pair(found->source, found->tag), matches[i]) << seed << ' ' << i;
    }
  }
}

TEST(RecordedWishes, FindPollsAndRequestsInTheirOrder) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/rank0.journal";
  const std::vector<bool> polls = {false, false, true, true, false, true, false, false, false};
  {
    MpiRecorder journal = recorder(path);
    for (std::size_t i = 0; i < polls.size(); ++i) {
      journal.add(PollResult{polls[i], 1});
      if (i % 3 == 0) journal.add(RequestChoice{i, 10});
    }
    ASSERT_TRUE(journal.end());
  }
  const auto wishes = RecordedWishes::read(path);
  ASSERT_TRUE(wishes) << wishes.error().text();
  for (std::size_t i = 0; i < polls.size(); ++i) EXPECT_EQ(wishes->poll(i), polls[i]) << i;
  EXPECT_FALSE(wishes->poll(polls.size()));
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(wishes->request(i), 3 * i);
  EXPECT_FALSE(wishes->request(3));
  EXPECT_FALSE(wishes->match(0));
  EXPECT_FALSE(RecordedWishes::read(folder.path() + "/none.journal"));
}

}  // namespace
}  // namespace lightcone
