// A journal that is followed: the same answers, and a name for every difference.
#include <lightcone/run/answers/replayer.h>

#include <gtest/gtest.h>
#include <lightcone/run/answers/recorder.h>
#include <lightcone/run/journal/kept_message.h>

#include "temporary_folder.h"

namespace lightcone {
namespace {

using What = Prompter::Turn::What;
using Why = Standstill::Why;

[[nodiscard]] std::string event() { return "an event"; }

class Replaying : public testing::Test {
 protected:
  /// A process takes a:1, polls twice in vain, takes b:7, asks for the time, draws, chooses, reads.
  void record(JournalKind kind, bool ends = true) {
    auto recorder = Recorder::create(path_, "p", kind);
    ASSERT_TRUE(recorder && recorder->took({"a", 1, 1, 0}, true, {}));
    ASSERT_TRUE(recorder->found_nothing() && recorder->found_nothing());
    ASSERT_TRUE(recorder->took({"b", 7, 1, 0}, true, {}));
    ASSERT_TRUE(recorder->answered(ClockReading{42}) && recorder->answered(RandomDraw{5}));
    ASSERT_TRUE(recorder->answered(BranchTaken{1, 3}) && recorder->answered(BytesRead{"xyz"}));
    ASSERT_TRUE(recorder->made(2, 0xabcd));
    ASSERT_TRUE(ends ? recorder->end() : recorder->flush());
  }
  [[nodiscard]] Replayer replayer() {
    return std::move(*Replayer::open(path_, std::chrono::milliseconds(1)));
  }
  /// Takes what is recorded first.
  void follow_to_polls(Replayer& replayer) {
    ASSERT_EQ(replayer.begin_take("", false)->what, What::message);
    EXPECT_FALSE(replayer.admits({"b", 1, 1, 0}));
    EXPECT_FALSE(replayer.admits({"a", 2, 2, 0}));
    ASSERT_TRUE(replayer.admits({"a", 1, 1, 0}));
    replayer.took({"a", 1, 1, 0});
  }
  void follow_to_time(Replayer& replayer) {
    follow_to_polls(replayer);
    for (int i = 0; i < 2; ++i) ASSERT_EQ(replayer.begin_take("", true)->what, What::nothing);
    ASSERT_EQ(replayer.begin_take("", true)->what, What::message);
    EXPECT_EQ(replayer.waits_for(), "waits for b:7 as its receive 2");
    ASSERT_TRUE(replayer.admits({"b", 7, 1, 0}));
    replayer.took({"b", 7, 1, 0});
  }

  TemporaryFolder folder_{TemporaryFolder::in_memory()};
  std::string path_ = folder_.path() + "/p.journal";
};

TEST_F(Replaying, GivesTheAnswersAgain) {
  for (const JournalKind kind : {JournalKind::full, JournalKind::races}) {
    record(kind);
    Replayer again = replayer();
    follow_to_time(again);
    EXPECT_EQ(again.now(), 42U);
    EXPECT_EQ(again.random(), 5U);
    EXPECT_EQ(again.choose(3), 1U);
    EXPECT_EQ(**again.read(), "xyz");
    EXPECT_TRUE(again.made(2, 0xabcd, event));
    EXPECT_TRUE(again.end());
  }
}

TEST_F(Replaying, NamesWhatIsDifferent) {
  record(JournalKind::full);
  Replayer asks_early = replayer();
  const auto time = asks_early.now();
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().why, Why::diverged);
  EXPECT_EQ(time.error().text, "recorded: it takes a:1; came: it asks for the time");
  Replayer chooses = replayer();
  follow_to_time(chooses);
  EXPECT_EQ(chooses.random().error().text,
            "recorded: it asks for the time; came: it draws a random number");
  static_cast<void>(chooses.now());
  static_cast<void>(chooses.random());
  EXPECT_EQ(chooses.choose(4).error().text,
            "recorded: it chooses among 3; came: it chooses among 4");
  EXPECT_EQ(chooses.end().error().text, "recorded: it chooses among 3; came: it ends");
}

TEST_F(Replaying, AnotherDigestIsADifference) {
  record(JournalKind::full);
  Replayer again = replayer();
  follow_to_polls(again);
  EXPECT_TRUE(again.made(1, 1, event));
  const auto made = again.made(2, 0xabce, event);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().text, "not what was recorded, at one of the events 1 to 2");
}

/// Follows the journal up to its last answer, then makes so many events.
[[nodiscard]] Prompted<void> ends_after(Replayer again, std::uint64_t events) {
  for (int i = 0; i < 4; ++i) {
    const auto turn = again.begin_take("", true);
    if (turn->what == What::message) again.took({});
  }
  static_cast<void>(again.now());
  static_cast<void>(again.random());
  static_cast<void>(again.choose(3));
  static_cast<void>(again.read());
  for (std::uint64_t i = 1; i <= events; ++i) {
    if (auto made = again.made(i, i == 2 ? 0xabcd : 0, event); !made) return made;
  }
  return again.end();
}

TEST_F(Replaying, EventsAreCounted) {
  for (const JournalKind kind : {JournalKind::full, JournalKind::races}) {
    record(kind);
    EXPECT_TRUE(ends_after(replayer(), 2));
    EXPECT_EQ(ends_after(replayer(), 1).error().text,
              "recorded: 2 events; came: it ends after event 1");
    EXPECT_EQ(ends_after(replayer(), 0).error().why, Why::diverged);
    EXPECT_EQ(ends_after(replayer(), 3).error().text,
              "recorded: its end, after event 2; came: an event");
    record(kind, false);
    EXPECT_TRUE(ends_after(replayer(), 2));
    EXPECT_TRUE(ends_after(replayer(), 3));
    EXPECT_EQ(ends_after(replayer(), 1).error().text,
              "recorded: at least 2 events; came: it ends after event 1");
  }
}

TEST_F(Replaying, WhatWasCutOffEndsThere) {
  for (const bool ends : {true, false}) {
    record(JournalKind::full, ends);
    Replayer again = replayer();
    follow_to_time(again);
    static_cast<void>(again.now());
    static_cast<void>(again.random());
    static_cast<void>(again.choose(3));
    static_cast<void>(again.read());
    const auto more = again.begin_take("", false);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().why, ends ? Why::diverged : Why::recording_ended);
  }
}

TEST_F(Replaying, ContentsStandIn) {
  auto recorder = Recorder::create(path_, "p", JournalKind::races);
  ASSERT_TRUE(recorder->took({"", 0, 0, 0}, true, kept_message("tag", "contents")));
  ASSERT_TRUE(recorder->end());
  Replayer again = replayer();
  const auto turn = again.begin_take("", false);
  ASSERT_EQ(turn->what, What::stands_in);
  EXPECT_EQ(turn->kept.tag, "tag");
  EXPECT_EQ(turn->kept.contents, "contents");
}

TEST(KeptMessages, ComeBackWhole) {
  for (const std::string& tag : {std::string(), std::string("t"), std::string(300, 't')}) {
    const auto kept = message_kept(kept_message(tag, "c\n"));
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->tag, tag);
    EXPECT_EQ(kept->contents, "c\n");
  }
  EXPECT_FALSE(message_kept(""));
  EXPECT_FALSE(
      message_kept("\x05"
                   "abc"));
}

}  // namespace
}  // namespace lightcone
