// What authors of transports get: tags that can be told from texts, and contents in one piece.
#include <gtest/gtest.h>
#include <lightcone/process.h>
#include <lightcone/transport.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {
namespace {

using Texts = std::vector<std::string_view>;

TEST(Transport, TellsTagsFromTexts) {
  const auto process = *Process::start({.name = "a"});
  EXPECT_TRUE(is_tag(process->send("b")));
  EXPECT_FALSE(is_tag("text"));
  EXPECT_FALSE(is_tag(""));
}

TEST(Transport, AnUnusableTagIsRefusedAndCounted) {
  const auto process = *Process::start({.name = "a"});
  EXPECT_TRUE(is_tag(unusable_tag()));
  EXPECT_EQ(process->receive(unusable_tag()), "");
  EXPECT_EQ(process->counts().bad_tags, 1U);
  EXPECT_EQ(process->counts().events, 1U);
}

TEST(Transport, PacksTextsOfAnyBytes) {
  const std::string zeros(300, '\0');
  for (const Texts& texts : {Texts{}, Texts{""}, Texts{"a", "", "b\xC1"}, Texts{zeros, "x"}}) {
    const std::string bytes = packed(texts);
    EXPECT_EQ(unpacked(bytes), texts);
  }
}

TEST(Transport, WhatIsCutOffEndsWithTheLastWholeText) {
  const std::string bytes = packed(Texts{"first", "second"});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Texts texts = unpacked(std::string_view(bytes).substr(0, size));
    EXPECT_EQ(texts, size < 6 ? Texts{} : Texts{"first"}) << size;
  }
}

TEST(Transport, WithoutPromptsTheProcessTakesWhatComes) {
  const auto sender = *Process::start({.name = "a", .on_snapshot_part = [](std::string_view) {}});
  const auto receiver = *Process::start({.name = "b"});
  Intake intake(*receiver);
  EXPECT_FALSE(intake.is_prompted());
  EXPECT_TRUE(intake.took(sender->send("b"), [] { return std::string(); }));
  EXPECT_EQ(sender->begin_snapshot(), 1U);
  EXPECT_FALSE(intake.took(sender->marker("b"), [] { return std::string(); }));
  intake.found_nothing();
  EXPECT_EQ(receiver->counts().events, 0U) << "the event is the caller's";
}

}  // namespace
}  // namespace lightcone
