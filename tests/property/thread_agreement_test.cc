// Live processes in threads, over an unruly network, tell what brute force finds.
#include "property/arbitrary.h"
#include "property/arbitrary_properties.h"
#include "property/lives.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>
#include <lightcone/live/thread_network.h>
#include <lightcone/property/parser.h>

#include <thread>

namespace lightcone {
namespace {

TEST(ThreadAgreement, LiveProcessesTellWhatBruteForceFinds) {
  int lived = 0;
  arbitrary::for_all_computations("processes in threads", 1000, [&](const Computation& c) {
    if (!can_be_lived(c)) return;
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_properties(text, "random");
    RC_ASSERT(properties.has_value());
    if (!CompiledProperties::compile(*properties, event_labels(c)).undecided().empty()) return;
    ++lived;
    RC_LOG() << text;
    const TemporaryFolder folder(TemporaryFolder::in_memory());
    ThreadNetwork network(random());
    Lives lives(c, text, network, folder.path());
    {
      std::vector<std::jthread> threads;
      for (ProcessIndex p = 0; p < c.process_count(); ++p)
        threads.emplace_back([&, p] { lives.live(p); });
    }
    expect_told(*properties, c, lives.told());
    expect_same_trace(c, folder.path());
  });
  EXPECT_GT(lived, 100 / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
