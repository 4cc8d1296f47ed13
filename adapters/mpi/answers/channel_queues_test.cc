// Queues of messages against one list of all messages, in the order in which they came.
#include "answers/channel_queues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lightcone::mpi {
namespace {

/// The definition: the first message in the list that is asked for.
class OneList {
 public:
  void add(const Channel& from, int message) { all_.push_back({from, message}); }
  [[nodiscard]] const int* find(int source, int tag) const {
    const auto place = find_place(source, tag);
    return place == all_.end() ? nullptr : &place->message;
  }
  void take(int source, int tag) { all_.erase(find_place(source, tag)); }

 private:
  struct Entry {
    Channel from;
    int message;
  };
  [[nodiscard]] std::vector<Entry>::const_iterator find_place(int source, int tag) const {
    const Receive wanted{source, tag};
    return std::find_if(all_.begin(), all_.end(),
                        [&](const Entry& entry) { return wanted.accepts(entry.from); });
  }
  std::vector<Entry> all_;
};

void compare(unsigned seed, int sources, int tags) {
  std::mt19937 random(seed);
  const auto below = [&](int limit) { return static_cast<int>(random() % unsigned(limit)); };
  ChannelQueues<int> queues;
  OneList list;
  for (int step = 0; step < 3000; ++step) {
    if (below(2) == 0) {
      const Channel from{below(sources), below(tags)};
      EXPECT_EQ(queues.add(from, step), step);
      list.add(from, step);
      continue;
    }
    const int source = below(4) == 0 ? any : below(sources),
              tag = below(4) == 0 ? any : below(tags);
    const int* const found = queues.find(source, tag);
    const int* const expected = list.find(source, tag);
    ASSERT_EQ(found == nullptr, expected == nullptr);
    if (found == nullptr) continue;
    ASSERT_EQ(*found, *expected);
    ASSERT_EQ(queues.take(source, tag), *expected);
    list.take(source, tag);
  }
}

TEST(ChannelQueues, GiveTheFirstThatIsAskedFor) {
  for (unsigned seed = 0; seed < 20; ++seed) compare(seed, 3, 2);
}

TEST(ChannelQueues, HaveRoomForManyTags) {
  for (unsigned seed = 0; seed < 5; ++seed) compare(seed, 4, 200);
}

}  // namespace
}  // namespace lightcone::mpi
