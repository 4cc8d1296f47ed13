// The picture of a whole trace: what it counts, and that it is sound for any trace.
#include "draw/overview_svg.h"

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/trace.h>

#include "svg_soundness.h"

namespace lightcone::cli {
namespace {

TEST(OverviewSvg, CountsMessagesFromEachToEach) {
  const auto reading = read_trace_text(
      R"({"lightcone": 1, "processes": ["p1", "p2"]}
{"process": "p1", "kind": "send", "message": "m1", "to": "p2"}
{"process": "p1", "kind": "send", "message": "m2", "to": "p2"}
{"process": "p2", "kind": "receive", "message": "m1"}
{"process": "p2", "kind": "receive", "message": "m2"}
)",
      "t", Format::jsonl);
  ASSERT_TRUE(reading);
  const std::string svg = overview_svg(reading->computation, "a title");
  expect_sound_svg(svg);
  EXPECT_EQ(count(svg, "p1 to p2: 2 messages"), 1U);
  EXPECT_EQ(count(svg, "p2 to p1: 0 messages"), 1U);
  EXPECT_EQ(count(svg, "Events over causal depth"), 1U);
  EXPECT_EQ(count(svg, "prefers-color-scheme:dark"), 1U);
}

TEST(OverviewSvg, ManyProcessesShareRows) {
  const auto computation = random_computation({.processes = 200, .events = 5000, .times = true});
  ASSERT_TRUE(computation);
  const std::string svg = overview_svg(*computation, "many");
  expect_sound_svg(svg);
  EXPECT_EQ(count(svg, "Events over time"), 1U);
  EXPECT_EQ(count(svg, "4 processes share a row"), 1U);
  EXPECT_LT(svg.size(), 2'000'000U);
}

TEST(OverviewSvg, OfNothing) {
  expect_sound_svg(overview_svg(Computation(), "nothing"));
  const auto silent = random_computation({.processes = 3, .events = 9, .message_rate = 0});
  ASSERT_TRUE(silent);
  const std::string svg = overview_svg(*silent, "<&>");
  expect_sound_svg(svg);
  EXPECT_EQ(count(svg, "Messages from"), 0U);
}

}  // namespace
}  // namespace lightcone::cli
