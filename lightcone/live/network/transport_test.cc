// What authors of transports get: tags that can be told from texts, and contents in one piece.
#include <gtest/gtest.h>
#include <lightcone/process.h>
#include <lightcone/transport.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "temporary_folder.h"

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

[[nodiscard]] std::string no_contents() { return {}; }

TEST(Transport, WithoutPromptsTheProcessTakesWhatComes) {
  const auto sender = *Process::start({.name = "a", .on_snapshot_part = [](std::string_view) {}});
  const auto receiver = *Process::start({.name = "b"});
  Intake intake(*receiver);
  EXPECT_FALSE(intake.is_prompted());
  EXPECT_TRUE(intake.took(sender->send("b"), no_contents));
  EXPECT_EQ(sender->begin_snapshot(), 1U);
  EXPECT_FALSE(intake.took(sender->marker("b"), no_contents)) << "a marker is no message";
  intake.found_nothing();
  EXPECT_EQ(receiver->counts().events, 0U) << "the event is the caller's";
}

/// A process that takes messages, recorded or not. Handles must do the same in both.
class Taking : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] std::unique_ptr<Process> start(const std::string& name) {
    ProcessOptions options{.name = name, .members = {"a", "b"}};
    options.on_error = [this](const Error& error) { errors_.push_back(error.text()); };
    if (GetParam()) options.run = RunOrders{.directory = folder_.path()};
    return *Process::start(std::move(options));
  }
  [[nodiscard]] TakenMessage taken_by(Process& process) {
    return Intake(process).took(a_->send(process.name()), no_contents);
  }

  TemporaryFolder folder_{TemporaryFolder::in_memory()};
  std::vector<std::string> errors_;
  std::unique_ptr<Process> a_ = start("a"), b_ = start("b");
};

TEST_P(Taking, AMessageIsReceivedOnce) {
  TakenMessage message = taken_by(*b_);
  ASSERT_TRUE(message);
  EXPECT_EQ(b_->receive(std::move(message), {.labels = {"got"}}), "a");
  EXPECT_FALSE(message) << "it is consumed";
  EXPECT_EQ(b_->counts().received, 1U);
  EXPECT_DEATH(b_->receive(std::move(message)), "");
}

TEST_P(Taking, AMovedMessageIsInOnePlaceOnly) {
  TakenMessage first = taken_by(*b_);
  TakenMessage second = std::move(first);
  EXPECT_FALSE(first);
  first = std::move(second);
  EXPECT_FALSE(second);
  EXPECT_EQ(b_->receive(std::move(first)), "a");
}

TEST_P(Taking, SeveralMessagesAreOneEventInTheOrderOfTheList) {
  const auto c = start("c");
  std::vector<TakenMessage> batch;
  batch.push_back(Intake(*b_).took(c->send("b"), no_contents));
  for (int i = 0; i < 100; ++i) batch.push_back(taken_by(*b_));
  batch.push_back(Intake(*b_).took("", no_contents));  // of a peer without Lightcone
  EXPECT_EQ(b_->receive(batch), "c");
  EXPECT_EQ(b_->counts().events, 1U);
  EXPECT_EQ(b_->counts().received, 1U);
  EXPECT_EQ(b_->counts().without_tag, 1U);
  for (const TakenMessage& message : batch) EXPECT_FALSE(message);
}

TEST_P(Taking, EqualTagsAreDifferentMessages) {
  const std::string tag = a_->send("b");
  TakenMessage first = Intake(*b_).took(tag, no_contents);
  TakenMessage again = Intake(*b_).took(tag, no_contents);
  EXPECT_EQ(b_->receive(std::move(again)), "a");
  EXPECT_EQ(b_->receive(std::move(first)), "a");
  EXPECT_EQ(b_->counts().redelivered, 1U);
  EXPECT_EQ(b_->counts().bad_tags, 0U);
}

TEST_P(Taking, OthersMayBeReceivedFirstAndSomeNever) {
  for (int i = 0; i < 2'000; ++i) {
    TakenMessage kept = taken_by(*b_), dropped = taken_by(*b_), next = taken_by(*b_);
    EXPECT_EQ(b_->receive(std::move(next)), "a");
    EXPECT_EQ(b_->receive(std::move(kept)), "a");
  }
  EXPECT_EQ(b_->counts().received, 4'000U);
  EXPECT_TRUE(errors_.empty()) << errors_.front();
}

TEST_P(Taking, AMessageMayOutliveItsProcess) {
  const TakenMessage message = taken_by(*b_);
  b_.reset();
  EXPECT_TRUE(message);
}

TEST_P(Taking, AMessageOfAnotherProcessIsAMistake) {
  const auto c = start("c");
  TakenMessage message = taken_by(*b_);
  EXPECT_DEATH(c->receive(std::move(message)), "");
}

TEST_P(Taking, TheTransportSaysHowMessagesArrive) {
  std::vector<ArrivedMessage> waiting;
  waiting.push_back({a_->send("b"), "first"});
  waiting.push_back({a_->send("b"), "second"});
  std::vector<Intake::Patience> asked;
  const auto arrive = [&](Intake::Patience patience) -> std::optional<ArrivedMessage> {
    asked.push_back(patience);
    if (waiting.empty()) return std::nullopt;
    ArrivedMessage next = std::move(waiting.front());
    waiting.erase(waiting.begin());
    return next;
  };
  using std::chrono::milliseconds;
  TakenMessage first = Intake(*b_).take("b", std::nullopt, arrive);
  EXPECT_EQ(first.contents(), "first");
  EXPECT_EQ(first.release_contents(), "first");
  TakenMessage second = Intake(*b_).take("b", milliseconds(5), arrive);
  EXPECT_EQ(second.contents(), "second");
  EXPECT_FALSE(Intake(*b_).take("b", milliseconds(0), arrive));
  EXPECT_EQ(asked, (std::vector<Intake::Patience>{std::nullopt, milliseconds(5), milliseconds(0)}));
  EXPECT_EQ(b_->receive(std::move(second)), "a");
  EXPECT_EQ(b_->receive(std::move(first)), "a");
}

INSTANTIATE_TEST_SUITE_P(Processes, Taking, testing::Bool(), [](const auto& is_recorded) {
  return is_recorded.param ? "Recorded" : "NotRecorded";
});

}  // namespace
}  // namespace lightcone
