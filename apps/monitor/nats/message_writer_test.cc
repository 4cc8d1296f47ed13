// What is kept of clients whose executions have ended.
#include "nats/message_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "accept/line_cutter.h"

namespace lightcone::service {
namespace {

class CountingSource final : public LineSource {
 public:
  void stored(const std::string&, const std::map<std::string, std::uint64_t>& events) override {
    for (const auto& [process, count] : events) sum += count;
  }
  void refused(const std::string&) override {}
  std::uint64_t sum = 0;
};

/// Each message can be sent, and nothing is counted of executions whose end was told.
TEST(MessageWriter, ForgetsExecutionsThatEnded) {
  constexpr std::size_t most = 64 << 10;
  MessageWriter writer(4, most);
  const auto source = std::make_shared<CountingSource>();
  LineCutter cutter(source, "default", {});
  for (int i = 0; i < 1000; ++i) {
    const std::string begin = "{\"lightcone\": 1, \"execution\": \"e" + std::to_string(i) + '"';
    ASSERT_TRUE(cutter.add(begin + ", \"answers\": true, \"process\": \"p\", \"from\": 1}\n" +
                               "{\"process\": \"p\", \"kind\": \"internal\"}\n" + begin +
                               ", \"end\": true}\n",
                           [&](const Arrival& arrival) { writer.add(arrival); }));
    if (i % 10 != 9) continue;
    for (const auto& message : writer.take()) EXPECT_LE(message.bytes.size(), 2 * most);
    writer.tell_clients();
    EXPECT_EQ(source->cursors.size(), 0U);
  }
  EXPECT_EQ(source->sum, 1000U);
}

}  // namespace
}  // namespace lightcone::service
