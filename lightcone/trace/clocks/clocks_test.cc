// The `clocks` format: real posets, and every way in which a line can be wrong.
#include <gtest/gtest.h>
#include <lightcone/trace.h>
#include <lightcone/trace/clocks/clocks.h>

#include <string>

namespace lightcone {
namespace {

Expected<Reading> read(std::string_view text, bool lenient = false) {
  ReadOptions options;
  options.lenient = lenient;
  return read_clocks(text, "t.clocks", options);
}

void expect_error(std::string_view text, std::uint64_t line, const std::string& what,
                  const std::string& hint = {}) {
  const auto reading = read(text);
  ASSERT_FALSE(reading.has_value()) << text;
  EXPECT_EQ(reading.error().file, "t.clocks");
  EXPECT_EQ(reading.error().line, line) << reading.error().text();
  EXPECT_NE(reading.error().what.find(what), std::string::npos) << reading.error().text();
  EXPECT_NE(reading.error().hint.find(hint), std::string::npos) << reading.error().text();
}

TEST(Clocks, RealPosets) {
  for (const std::uint32_t events : {10U, 50U, 100U, 300U}) {
    const std::string file =
        LIGHTCONE_TEST_DATA "/data/posets/d-" + std::to_string(events) + ".txt";
    const auto reading = read_trace(file, Format::clocks);
    ASSERT_TRUE(reading.has_value()) << reading.error().text();
    EXPECT_EQ(reading->computation.event_count(), events);
    EXPECT_EQ(reading->computation.process_count(), 10U);
  }
}

TEST(Clocks, BlanksAndLineEnds) {
  const auto reading = read("\n 0:(1, 0)\r\n\r\n1 : ( 1,1 )\n\t\n0:(2,0)");
  ASSERT_TRUE(reading.has_value()) << reading.error().text();
  const Computation& c = reading->computation;
  EXPECT_EQ(c.event_count(), 3U);
  EXPECT_EQ(c.edge_count(), 1U);
  EXPECT_EQ(c.process_name(0), "0");
  EXPECT_EQ(c.message_name(0), "0:1");
}

TEST(Clocks, MayBeginWithAByteOrderMark) {
  const auto reading = read_trace_text(
      "\xef\xbb\xbf"
      "0:(1,0)\n1:(1,1)\n",
      "c", Format::clocks);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), 2U);
}

TEST(Clocks, ProcessesWithoutEvents) {
  const auto reading = read("2:(0,0,1)\n");
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->computation.process_count(), 3U);
  EXPECT_EQ(reading->computation.last_rank(2), 1U);
}

TEST(Clocks, AnEmptyFileIsAnEmptyComputation) {
  for (const char* text : {"", "\n", " \n\n\t"}) {
    const auto reading = read(text);
    ASSERT_TRUE(reading.has_value());
    EXPECT_EQ(reading->computation.event_count(), 0U);
    EXPECT_EQ(reading->computation.process_count(), 0U);
  }
}

TEST(Clocks, WritesWhatItReads) {
  const std::string text = "0:(1,0)\n1:(1,1)\n1:(1,2)\n0:(2,1)\n";
  const auto reading = read(text);
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(write_trace_text(reading->computation, Format::clocks), text);
}

TEST(ClocksErrors, WhatIsNotAnEvent) {
  using namespace std::string_view_literals;
  const std::string hint = "0:(1,0,0)";
  expect_error("0:(1)\nnonsense\n", 2, "this is not an event: nonsense", hint);
  expect_error("0\n", 1, "this is not an event: 0", hint);
  expect_error("0:1,2\n", 1, "this is not an event", hint);
  expect_error("0:(1,2", 1, "this is not an event", hint);
  expect_error("0:(", 1, "this is not an event", hint);
  expect_error("0:", 1, "this is not an event", hint);
  expect_error(":\n", 1, "this is not an event", hint);
  expect_error("\0\n"sv, 1, "this is not an event", hint);
  expect_error("0:(1\0)\n"sv, 1, "not a non-negative integer");
  expect_error("\xff\xfe:(1)\n", 1, "there is no process \xff\xfe");
}

TEST(ClocksErrors, ProcessesThatAreNotThere) {
  expect_error("0:(1,0)\n2:(0,0)\n", 2, "there is no process 2", "processes are 0 to 1");
  expect_error("-1:(1,0)\n", 1, "there is no process -1");
  expect_error(":(1,0)\n", 1, "there is no process");
  expect_error("p0:(1,0)\n", 1, "there is no process p0");
  expect_error("99999999999999999999999:(1,0)\n", 1, "there is no process 9999");
}

TEST(ClocksErrors, ClocksOfAnotherLength) {
  expect_error("\n0:(1,0)\n1:(0,1,0)\n", 3, "this clock has 3 entries, the one on line 2 has 2",
               "one entry per process");
}

TEST(ClocksErrors, Numbers) {
  expect_error("0:(1,0)\n1:(-1,1)\n", 2, "the clock entry for 0 is -1, which is not");
  expect_error("0:()\n", 1, "which is not a non-negative integer");
  expect_error("0:(1,)\n", 1, "the clock entry for 1 is , which is not");
  expect_error("0:(1 2)\n", 1, "which is not a non-negative integer");
  expect_error("0:(4294967296)\n", 1, "which does not fit 32 bits");
  expect_error("0:((1))\n", 1, "which is not a non-negative integer");
}

TEST(ClocksErrors, ClocksThatCannotBe) {
  expect_error("0:(1,0)\n0:(0,1)\n", 2, "has no entry for 0");
  expect_error("0:(1,0)\n0:(1,0)\n", 2, "the same own entry, 1 (the other is on line 1)");
  expect_error("0:(1,0)\n0:(3,0)\n", 2, "the event 0:2 is missing");
  expect_error("0:(1,1)\n", 1, "the clock names the event 1:1, but 1 has no events");
  expect_error("0:(1,1)\n1:(1,1)\n", 1, "contradict each other");
  expect_error("0:(1,0)\n1:(1,1)\n1:(0,2)\n", 3, "goes backwards");
}

TEST(ClocksLenient, MissingEventsAreCounted) {
  const auto reading = read("0:(1,1)\n", true);
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->notes.size(), 1U);
}

}  // namespace
}  // namespace lightcone
