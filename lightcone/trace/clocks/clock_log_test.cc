// Clocks become messages exactly by the covering relation, and wrong clocks are told apart.
#include <gtest/gtest.h>
#include <lightcone/trace/clocks/clock_log.h>

#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/definitions/definitions.h"

namespace lightcone {
namespace {

struct Line {
  std::string host;
  std::vector<std::pair<std::string, std::string>> clock;
};

Expected<Reading> read(const std::vector<Line>& lines, const ReadOptions& options = {}) {
  ClockLog log("t.log", options);
  std::uint64_t line = 0;
  for (const Line& event : lines) {
    log.begin_event(log.host(event.host), ++line);
    for (const auto& [host, number] : event.clock) {
      if (auto ok = log.add_entry(log.host(host), number); !ok) return failure(ok.error());
    }
  }
  return log.build();
}

void expect_error(const std::vector<Line>& lines, std::uint64_t line, const std::string& what,
                  const std::string& hint) {
  const auto reading = read(lines);
  ASSERT_FALSE(reading.has_value());
  EXPECT_EQ(reading.error().file, "t.log");
  EXPECT_EQ(reading.error().line, line) << reading.error().text();
  EXPECT_EQ(reading.error().what, what);
  EXPECT_NE(reading.error().hint.find(hint), std::string::npos) << reading.error().hint;
}

/// The edges as "a:1>b:2".
std::set<std::string> edges(const Computation& c) {
  std::set<std::string> found;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    const std::string taker =
        std::string(c.process_name(c.process_of(e))) + ":" + std::to_string(c.rank_of(e));
    for (const MessageIndex m : c.takes(e)) found.insert(c.message_name(m) + ">" + taker);
  }
  return found;
}

TEST(ClockLog, AnEventTakesFromWhatItCovers) {
  const auto reading = read({{"a", {{"a", "1"}}},
                             {"b", {{"b", "1"}, {"a", "1"}}},
                             {"c", {{"c", "1"}, {"a", "1"}, {"b", "1"}}},
                             {"b", {{"b", "2"}, {"a", "1"}}},
                             {"a", {{"a", "2"}, {"b", "2"}, {"c", "1"}}}});
  ASSERT_TRUE(reading.has_value()) << reading.error().text();
  const Computation& c = reading->computation;
  EXPECT_EQ(edges(c), (std::set<std::string>{"a:1>b:1", "b:1>c:1", "b:2>a:2", "c:1>a:2"}));
  EXPECT_EQ(c.kind(c.event(0, 1)), Kind::send);
  EXPECT_EQ(c.kind(c.event(1, 1)), Kind::receive);  // though it sends, too
  EXPECT_EQ(c.sent_by(c.sends(c.event(1, 1))), c.event(1, 1));
  EXPECT_EQ(c.message_count(), 4U);
  EXPECT_TRUE(reading->notes.empty());
}

TEST(ClockLog, SeveralWhoTakeFromOneEventShareAMessage) {
  const auto reading = read({{"a", {{"a", "1"}}},
                             {"b", {{"b", "1"}, {"a", "1"}}},
                             {"c", {{"c", "1"}, {"a", "1"}}},
                             {"c", {{"c", "2"}, {"a", "1"}}}});
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->computation.message_count(), 1U);
  EXPECT_EQ(reading->computation.edge_count(), 2U);
  EXPECT_EQ(reading->computation.kind(reading->computation.event(2, 2)), Kind::internal);
}

TEST(ClockLog, EventsMayStandOutOfOrder) {
  const auto reading = read({{"a", {{"a", "2"}, {"b", "1"}}},
                             {"b", {{"b", "2"}}},
                             {"a", {{"a", "1"}}},
                             {"b", {{"b", "1"}}}});
  ASSERT_TRUE(reading.has_value()) << reading.error().text();
  EXPECT_EQ(edges(reading->computation), std::set<std::string>{"b:1>a:2"});
}

TEST(ClockLog, ZeroIsTheSameAsNoEntry) {
  const auto reading = read({{"a", {{"a", "1"}, {"b", "0"}, {"never", "0"}}}});
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->computation.process_count(), 1U);
}

TEST(ClockLog, TextsAndAssignmentsStayWithTheirEvent) {
  ClockLog log("t.log", {});
  for (const char* rank : {"2", "1"}) {
    log.begin_event(log.host("a"), 1);
    ASSERT_TRUE(log.add_entry(log.host("a"), rank).has_value());
    log.set_text(log.name(std::string("text ") + rank));
    log.assign(log.name("x"), log.name(rank));
  }
  const auto reading = log.build();
  ASSERT_TRUE(reading.has_value());
  const Computation& c = reading->computation;
  EXPECT_EQ(c.text(0), "text 1");
  EXPECT_EQ(c.text(1), "text 2");
  ASSERT_EQ(c.assignments(0).size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(c.assignments(0)[0].value), 1);  // numbers in texts are read
}

TEST(ClockLog, AnEmptyLogIsAnEmptyComputation) {
  const auto reading = read({});
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->computation.event_count(), 0U);
}

TEST(ClockLogErrors, NoOwnEntry) {
  const std::string what = "the clock of this event of b has no entry for b";
  expect_error({{"a", {{"a", "1"}}}, {"b", {{"a", "1"}}}}, 2, what, "must count the event itself");
  expect_error({{"a", {{"a", "1"}}}, {"b", {{"b", "0"}}}}, 2, what, "the first event of b has 1");
  expect_error({{"b", {}}}, 1, what, "");
}

TEST(ClockLogErrors, TheSameOwnEntryTwice) {
  expect_error({{"a", {{"a", "1"}}}, {"b", {{"b", "1"}}}, {"a", {{"a", "1"}}}}, 3,
               "two events of a have the same own entry, 1 (the other is on line 1)",
               "--delimiter");
}

TEST(ClockLogErrors, AHoleInTheOwnEntries) {
  expect_error({{"a", {{"a", "3"}}}, {"a", {{"a", "1"}}}}, 1,
               "the event a:2 is missing before this one, a:3", "1, 2, 3, ...");
  expect_error({{"a", {{"a", "4294967295"}}}}, 1,
               "the events a:1 to a:4294967294 are missing before this one, a:4294967295",
               "no lines were lost");
}

TEST(ClockLogErrors, AReferenceToAnEventThatIsNotThere) {
  expect_error({{"a", {{"a", "1"}}}, {"b", {{"b", "1"}, {"a", "2"}}}}, 2,
               "the clock names the event a:2, but a has only 1 event in this log", "--lenient");
  expect_error({{"a", {{"a", "1"}, {"ghost", "7"}}}}, 1,
               "the clock names the event ghost:7, but ghost has no events in this log",
               "--lenient");
}

TEST(ClockLogErrors, AClockThatGoesBackwards) {
  expect_error({{"a", {{"a", "1"}}},
                {"a", {{"a", "2"}}},
                {"b", {{"b", "1"}, {"a", "2"}}},
                {"b", {{"b", "2"}, {"a", "1"}}}},
               4,
               "the clock goes backwards: the entry for a is 1, but 2 at the event before, b:1 "
               "(line 3)",
               "does not forget");
}

TEST(ClockLogErrors, TwoEventsThatKnowEachOther) {
  expect_error({{"a", {{"a", "1"}, {"b", "1"}}}, {"b", {{"b", "1"}, {"a", "1"}}}}, 1,
               "the clocks contradict each other: a:1 knows b:1 (line 2), which knows a:1",
               "neither of two events");
}

TEST(ClockLogErrors, AClockThatDoesNotDominateWhatItNames) {
  expect_error({{"a", {{"a", "1"}}},
                {"a", {{"a", "2"}}},
                {"b", {{"b", "1"}, {"a", "2"}}},
                {"c", {{"c", "1"}, {"b", "1"}}},
                {"d", {{"d", "1"}, {"b", "1"}, {"a", "1"}}}},
               4,
               "the clocks contradict each other: c:1 knows b:1 (line 3), which knows a:2, but "
               "c:1 knows nothing of a",
               "every entry becomes the greater");
  expect_error({{"a", {{"a", "1"}}},
                {"a", {{"a", "2"}}},
                {"b", {{"b", "1"}, {"a", "2"}}},
                {"d", {{"d", "1"}, {"b", "1"}, {"a", "1"}}}},
               4,
               "the clocks contradict each other: d:1 knows b:1 (line 3), which knows a:2, but "
               "d:1 knows a only up to 1",
               "sent and merged");
}

TEST(ClockLogErrors, Numbers) {
  const auto bad = [](const std::string& number, const std::string& what) {
    expect_error({{"a", {{"a", "1"}}}, {"b", {{"a", number}, {"b", "1"}}}}, 2,
                 "the clock entry for a is " + number + what, "");
  };
  for (const char* number : {"-1", "1.5", "1e3", "x", "\"1\"", "null", "", "+1", "1 2"}) {
    bad(number, ", which is not a non-negative integer");
  }
  bad("4294967296", ", which does not fit 32 bits");
  bad("99999999999999999999999999", ", which does not fit 32 bits");
  expect_error({{"a", {{"a", "1"}, {"a", "1"}}}}, 1,
               "the clock entry for a occurs twice in the clock", "one entry");
}

TEST(ClockLogLenient, ReferencesToMissingEventsAreIgnored) {
  // The log of b ends after b:1; what is known of it stays known.
  const std::vector<Line> lines = {{"b", {{"b", "1"}}},
                                   {"a", {{"a", "1"}, {"b", "3"}, {"ghost", "2"}}},
                                   {"a", {{"a", "2"}, {"b", "3"}, {"ghost", "2"}}},
                                   {"c", {{"c", "1"}, {"a", "2"}, {"b", "4"}, {"ghost", "2"}}}};
  ASSERT_FALSE(read(lines).has_value());
  ReadOptions options;
  options.lenient = true;
  const auto reading = read(lines, options);
  ASSERT_TRUE(reading.has_value()) << reading.error().text();
  EXPECT_EQ(edges(reading->computation), (std::set<std::string>{"b:1>a:1", "a:2>c:1"}));
  EXPECT_EQ(reading->computation.process_count(), 3U);
  ASSERT_EQ(reading->notes.size(), 1U);
  EXPECT_EQ(reading->notes[0], "4 references to events that the log does not have ignored.");
}

/// Clocks of up to 4 hosts. Those of a random execution, with some entries then changed.
using Clocks = std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>>;

Clocks random_clocks() {
  const auto hosts = *rc::gen::inRange<std::size_t>(1, 5);
  const auto events = *rc::gen::inRange<std::size_t>(0, 14);
  std::vector<std::vector<std::uint32_t>> now(hosts, std::vector<std::uint32_t>(hosts, 0));
  Clocks clocks;
  for (std::size_t i = 0; i < events; ++i) {
    const auto p = *rc::gen::inRange<std::size_t>(0, hosts);
    ++now[p][p];
    for (int takes = *rc::gen::inRange(0, 3); takes > 0 && !clocks.empty(); --takes) {
      const auto& from = clocks[*rc::gen::inRange<std::size_t>(0, clocks.size())].second;
      for (std::size_t q = 0; q < hosts; ++q) now[p][q] = std::max(now[p][q], from[q]);
    }
    clocks.emplace_back(p, now[p]);
  }
  for (int changes = *rc::gen::inRange(0, 4); changes > 0 && !clocks.empty(); --changes) {
    auto& clock = clocks[*rc::gen::inRange<std::size_t>(0, clocks.size())].second;
    clock[*rc::gen::inRange<std::size_t>(0, hosts)] = *rc::gen::inRange<std::uint32_t>(0, 5);
  }
  return clocks;
}

/// Whether the clocks are those of a computation: "f is in the clock of e" is a partial order.
bool are_vector_clocks(const Clocks& clocks) {
  const auto knows = [&](std::size_t e, std::size_t f) {
    const auto& [host, clock] = clocks[f];
    return clocks[e].second[host] >= clock[host];
  };
  std::set<std::pair<std::size_t, std::uint32_t>> events;
  for (const auto& [host, clock] : clocks) events.emplace(host, clock[host]);
  if (events.size() != clocks.size()) return false;
  for (std::size_t e = 0; e < clocks.size(); ++e) {
    const auto& [host, clock] = clocks[e];
    if (clock[host] == 0) return false;
    for (std::size_t q = 0; q < clock.size(); ++q) {
      for (std::uint32_t k = 1; k <= clock[q]; ++k) {
        if (!events.contains({q, k})) return false;
      }
    }
    for (std::size_t f = 0; f < clocks.size(); ++f) {
      if (e != f && knows(e, f) && knows(f, e)) return false;
      for (std::size_t g = 0; g < clocks.size(); ++g) {
        if (knows(e, f) && knows(f, g) && !knows(e, g)) return false;
      }
    }
  }
  return true;
}

RC_GTEST_PROP(ClockLogProperty, AcceptsExactlyVectorClocksAndFindsTheCoveringRelation, ()) {
  const Clocks clocks = random_clocks();
  std::vector<Line> lines;
  for (const auto& [host, clock] : clocks) {
    Line line{std::to_string(host), {}};
    for (std::size_t q = 0; q < clock.size(); ++q) {
      line.clock.emplace_back(std::to_string(q), std::to_string(clock[q]));
    }
    lines.push_back(line);
  }
  const auto reading = read(lines);
  const bool right = are_vector_clocks(clocks);
  RC_CLASSIFY(right);
  if (!reading) RC_LOG(reading.error().text());
  RC_ASSERT(reading.has_value() == right);
  if (!right) return;

  const Computation& c = reading->computation;
  const definition::HappenedBefore before(c);
  const auto event = [&](std::size_t i) {
    const auto& [host, clock] = clocks[i];
    return c.event(*c.find_process(std::to_string(host)), clock[host]);
  };
  std::size_t covered = 0;
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    for (std::size_t j = 0; j < clocks.size(); ++j) {
      const auto [p, clock] = clocks[i];
      RC_ASSERT(before(event(i), event(j)) == (i != j && clocks[j].second[p] >= clock[p]));
      const bool covers = definition::covers(c, before, Selection::all(c), event(j), event(i));
      if (covers && p != clocks[j].first) ++covered;
    }
  }
  RC_ASSERT(c.edge_count() == covered);
}

}  // namespace
}  // namespace lightcone
