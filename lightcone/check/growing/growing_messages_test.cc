// Messages are forgotten when all named receivers have them, and their names are not.
#include <lightcone/check/growing/growing_messages.h>

#include <gtest/gtest.h>
#include <lightcone/monitor.h>

#include <random>
#include <set>
#include <string>

namespace lightcone {
namespace {

TEST(NumberRanges, AreSetsOfNumbers) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    NumberRanges ranges;
    std::set<std::uint64_t> numbers;
    const std::uint64_t base = round % 3 == 0 ? UINT64_MAX - 40 : 0;
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t number = base + random() % 41;
      ranges.add(number);
      numbers.insert(number);
      std::size_t runs = 0;
      for (std::uint64_t k = 0; k <= 40; ++k) {
        const bool has = numbers.contains(base + k);
        ASSERT_EQ(ranges.contains(base + k), has);
        if (has && (k == 0 || !numbers.contains(base + k - 1))) ++runs;
      }
      ASSERT_EQ(ranges.ranges(), runs);
    }
  }
}

[[nodiscard]] PropertyFile properties() {
  return *parse_properties("watch w : logic {\n got := receive\n}\n", "p");
}

/// Sends and receives `count` messages from p to q.
void exchange(Monitor& monitor, std::uint64_t first, std::uint64_t count, bool names_receivers) {
  for (std::uint64_t i = first; i < first + count; ++i) {
    const std::string name = "m" + std::to_string(i);
    const std::vector<std::string_view> takes{name}, to{"q"};
    MonitoredEvent send{.process = "p", .kind = Kind::send, .sends = name};
    if (names_receivers) send.to = to;
    ASSERT_TRUE(monitor.add(send).has_value());
    ASSERT_TRUE(monitor.add({.process = "q", .kind = Kind::receive, .takes = takes}).has_value());
  }
}

TEST(GrowingMessages, AreForgottenWhenAllNamedReceiversHaveThem) {
  Monitor monitor(properties());
  exchange(monitor, 1, 100'000, true);
  EXPECT_LE(monitor.messages_kept(), GrowingMessages::usual_complete);
  const auto report = monitor.finish();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->properties[0].found_count, 100'000U);
  EXPECT_FALSE(report->wholeness.incomplete);
}

/// Whoever sends names a process; what receives is one of its incarnations.
TEST(GrowingMessages, AreForgottenWhenARestartedReceiverHasThem) {
  Monitor monitor(properties());
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "m" + std::to_string(i);
    const std::vector<std::string_view> takes{name}, to{"q"};
    const MonitoredEvent send{.process = "p", .kind = Kind::send, .sends = name, .to = to};
    ASSERT_TRUE(monitor.add(send).has_value());
    ASSERT_TRUE(monitor.add({.process = "q~2", .kind = Kind::receive, .takes = takes}).has_value());
  }
  EXPECT_LE(monitor.messages_kept(), GrowingMessages::usual_complete);
}

TEST(GrowingMessages, AreKeptWhereAnyoneMayReceiveThem) {
  Monitor monitor(properties());
  exchange(monitor, 1, 20'000, false);
  EXPECT_EQ(monitor.messages_kept(), 20'000U);
}

TEST(GrowingMessages, MayBeReceivedAgainForSomeTime) {
  Monitor monitor(properties());
  exchange(monitor, 1, 1000, true);
  const std::vector<std::string_view> first{"m1"};
  EXPECT_FALSE(monitor.add({.process = "q", .kind = Kind::receive, .takes = first}).has_value());
  ASSERT_TRUE(
      monitor.add({.process = "q", .kind = Kind::receive, .takes = first, .duplicate = true})
          .has_value());
  const auto report = monitor.finish();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->properties[0].found_count, 1001U);
  EXPECT_FALSE(report->wholeness.incomplete);
}

// What depends on a message that was forgotten is not known, and the report says so.
TEST(GrowingMessages, ReceivedMuchLaterMakeTheAnswerUnknown) {
  Monitor monitor(
      *parse_properties("forbid f : every flow at late contains sent\n"
                        "expect early : some flow contains sent\n",
                        "p"));
  const std::vector<std::string_view> sent{"sent"}, late{"late"}, first{"first0"}, to{"q"};
  ASSERT_TRUE(
      monitor.add({.process = "p", .kind = Kind::send, .labels = sent, .sends = "first0", .to = to})
          .has_value());
  ASSERT_TRUE(monitor.add({.process = "q", .kind = Kind::receive, .takes = first}).has_value());
  exchange(monitor, 1, 2 * GrowingMessages::usual_complete, true);
  const auto twice = monitor.add({.process = "p", .kind = Kind::send, .sends = "first0"});
  ASSERT_FALSE(twice.has_value());
  EXPECT_NE(twice.error().what.find("is sent a second time"), std::string::npos);
  ASSERT_TRUE(monitor.add({.process = "r", .kind = Kind::receive, .labels = late, .takes = first})
                  .has_value());
  const auto report = monitor.finish();
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->wholeness.incomplete);
  EXPECT_EQ(report->properties[0].verdict, Verdict::unknown);
  EXPECT_EQ(report->properties[1].verdict, Verdict::pass);
  ASSERT_EQ(report->notes.size(), 1U);
  EXPECT_NE(report->notes[0].find("check the trace as a file"), std::string::npos);
}

// With the header's processes all known, a process that it does not name cannot be taken in.
TEST(GrowingGlobals, DoNotKnowWhatALatecomerMeets) {
  const auto file = parse_properties(
      "watch all_on : possibly all(on)\nwatch two_on : possibly count(on) >= 2\n", "p");
  using Variables = std::vector<std::pair<std::string_view, SpelledValue>>;
  const Variables on{{"on", true}};
  std::vector<std::uint32_t> told;
  Monitor monitor(*file,
                  {.on_global = [&](const GlobalSighting& it) { told.push_back(it.property); }});
  monitor.add_process("p");
  monitor.add_process("q");
  monitor.close_processes();
  ASSERT_TRUE(monitor.add({.process = "p", .kind = Kind::internal, .variables = on}).has_value());
  EXPECT_TRUE(told.empty());
  ASSERT_TRUE(monitor.add({.process = "q", .kind = Kind::internal, .variables = on}).has_value());
  EXPECT_EQ(told, (std::vector<std::uint32_t>{0, 1}));
  ASSERT_TRUE(monitor.add({.process = "r", .kind = Kind::internal}).has_value());
  const auto report = monitor.finish();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->properties[0].verdict, Verdict::unknown);
  EXPECT_NE(report->properties[0].method.find("does not name the process r"), std::string::npos);
  EXPECT_EQ(report->properties[1].verdict, Verdict::info);
  EXPECT_TRUE(report->properties[1].found);
}

}  // namespace
}  // namespace lightcone
