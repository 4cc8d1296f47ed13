// Live processes in threads, over an unruly network, tell what brute force finds.
#include "model/programs/lives.h"

#include <gtest/gtest.h>
#include <lightcone/network.h>

#include <thread>

namespace lightcone {
namespace {

TEST(ThreadAgreement, LiveProcessesTellWhatBruteForceFinds) {
  for_all_lives("threads", 1000, [](const PlannedLives& plan, std::mt19937_64& random) {
    ThreadNetwork network(random());
    Lives lives(plan, network);
    {
      std::vector<std::jthread> threads;
      for (ProcessIndex p = 0; p < plan.computation.process_count(); ++p) {
        threads.emplace_back([&, p] { lives.live(p); });
      }
    }
    return lives.told();
  });
}

}  // namespace
}  // namespace lightcone
