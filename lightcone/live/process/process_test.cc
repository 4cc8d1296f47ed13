// One live process at a time: tags, errors, callbacks, redeliveries, traces.
#include "temporary_folder.h"

#include <lightcone/live/process/process.h>

#include <gtest/gtest.h>
#include <lightcone/trace.h>

#include <thread>

namespace lightcone {
namespace {

/// A process that keeps what it tells.
struct Watched {
  std::vector<Detection> detections;
  std::vector<Error> errors;
  std::unique_ptr<Process> process;

  explicit Watched(ProcessOptions options) {
    options.on_detection = [this](const Detection& d) { detections.push_back(d); };
    options.on_error = [this](const Error& e) { errors.push_back(e); };
    auto started = Process::start(std::move(options));
    EXPECT_TRUE(started) << started.error().text();
    process = std::move(*started);
  }
};

const std::string stale = "forbid stale : some longest flow ends with write -> read without fresh";

TEST(Process, TellsOfAForbiddenFlowAtTheEventItself) {
  Watched a({.name = "a", .properties = stale});
  Watched b({.name = "b", .properties = stale});
  a.process->event({.labels = {"write"}});
  const std::string tag = a.process->send("b");
  EXPECT_EQ(b.process->receive(tag), "a");
  EXPECT_TRUE(b.detections.empty());
  b.process->event({.labels = {"read"}});
  ASSERT_EQ(b.detections.size(), 1U);
  const Detection& found = b.detections[0];
  EXPECT_EQ(found.property, "stale");
  EXPECT_TRUE(found.failed);
  EXPECT_EQ(found.process, "b");
  EXPECT_EQ(found.event, 2U);
  EXPECT_EQ(found.labels, std::vector<std::string>{"read"});
  ASSERT_EQ(found.predecessors.size(), 1U);
  EXPECT_EQ(found.predecessors[0].process, "a");
  EXPECT_EQ(found.predecessors[0].observed, 1U);
  EXPECT_NE(found.source.find("process_test.cc:"), std::string::npos);
  EXPECT_NE(found.line().find("forbid: stale at event 2 of b (read), after a#1"),
            std::string::npos);
}

TEST(Process, GoesOnAfterBadTagsAndCountsThem) {
  Watched a({.name = "a", .properties = stale});
  Watched b({.name = "b", .properties = stale});
  a.process->event({.labels = {"write"}});
  std::string tag = a.process->send("b");
  std::string newer = tag;
  newer[1] = 9;
  for (const std::string& bad : {tag.substr(0, 5), newer, tag + "x", std::string("\xC1")}) {
    EXPECT_EQ(b.process->receive(bad), "");
  }
  EXPECT_EQ(b.process->counts().bad_tags, 4U);
  EXPECT_EQ(b.errors.size(), 4U);
  EXPECT_EQ(b.process->receive(""), "");  // a peer without Lightcone
  EXPECT_EQ(b.process->counts().without_tag, 1U);
  EXPECT_EQ(b.process->receive(tag), "a");
  b.process->event({.labels = {"read"}});
  EXPECT_EQ(b.detections.size(), 1U);
  EXPECT_EQ(b.process->counts().events, 7U);
}

TEST(Process, RefusesATagThatKnowsMoreOfItThanItDoes) {
  Watched a({.name = "a", .properties = stale});
  Watched b({.name = "b", .properties = stale});
  a.process->event({.labels = {"write"}});
  b.process->receive(a.process->send("b"));
  b.process->event({.labels = {"write"}});
  const std::string back = b.process->send_to_anyone();
  Watched again({.name = "a", .properties = stale});  // a restarted process has forgotten
  EXPECT_EQ(again.process->receive(back), "");
  EXPECT_EQ(again.process->counts().bad_tags, 1U);
}

TEST(Process, ReadsTagsOfVersion1) {
  const std::string_view tag("\xc1\x01\x0a\x22\x96\x67\x00\x02\x00\x01\x00\x01\x02\x02", 14);
  const std::vector<std::string> members{"p", "q"};
  Watched p({.name = "p", .members = members, .properties = stale + '\n'});
  EXPECT_EQ(p.process->receive(tag, {.labels = {"read"}}), "q");
  EXPECT_EQ(p.detections.size(), 1U);
  Watched later({.name = "p", .incarnation = 2, .members = members, .properties = stale + '\n'});
  EXPECT_EQ(later.process->receive(tag), "") << "it does not say what it leaves out";
}

TEST(Process, SaysThatGlobalPropertiesAreNotWatched) {
  const Watched a({.name = "a", .properties = "watch g : possibly a.x == 1\n" + stale});
  ASSERT_EQ(a.errors.size(), 1U);
  EXPECT_NE(a.errors[0].what.find("g is about global states"), std::string::npos);
}

TEST(Process, KnowsRedeliveries) {
  Watched a({.name = "a"}), b({.name = "b"});
  const std::string first = a.process->send("b"), second = a.process->send("b");
  for (const std::string& tag : {second, first, second, first}) b.process->receive(tag);
  EXPECT_EQ(b.process->counts().received, 4U);
  EXPECT_EQ(b.process->counts().redelivered, 2U);
}

TEST(Process, BrokenFifoChannelsAreNoticed) {
  Watched a({.name = "a", .properties = stale, .channels = Channels::fifo});
  Watched b({.name = "b", .properties = stale, .channels = Channels::fifo});
  const std::string first = a.process->send("b"), second = a.process->send("b");
  EXPECT_EQ(b.process->receive(second), "");
  ASSERT_EQ(b.errors.size(), 1U);
  EXPECT_NE(b.errors[0].text().find("FIFO"), std::string::npos);
}

TEST(Process, LeavesOutOfTagsWhatTheReceiverHolds) {
  const std::vector<std::string> members{"a", "b", "c"};
  Watched a({.name = "a", .members = members, .properties = stale});
  Watched b({.name = "b", .members = members, .properties = stale});
  a.process->event({.labels = {"write"}});
  const std::string there = a.process->send("b");
  b.process->receive(there);
  const std::string back = b.process->send("a");  // a knows its own event
  EXPECT_LT(back.size(), there.size());
  EXPECT_EQ(b.process->counts().tag_entries, 0U);
}

TEST(Process, SaysWhatIsWrongWithItsOptions) {
  EXPECT_FALSE(Process::start({}));
  const auto wrong = Process::start({.name = "a", .properties = "forbid x : some flaw"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().line, 1U);
  EXPECT_FALSE(Process::start({.name = "a", .properties_file = "/nowhere.prop"}));
  EXPECT_FALSE(Process::start({.name = "a", .trace = "/nowhere/a.lct"}));
}

TEST(Process, MayBeUsedFromManyThreadsAndFromItsCallbacks) {
  const TemporaryFolder folder;
  std::atomic<int> told = 0;
  std::unique_ptr<Process> process;
  ProcessOptions options{.name = "a",
                         .properties = "watch odd : some flow at odd ends with odd",
                         .trace = folder.path() + "/a.lct",
                         .on_detection = [&](const Detection&) {
                           ++told;
                           process->event();  // no deadlock
                         }};
  process = std::move(*Process::start(options));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          if (i % 2 == 0) {
            process->event({.labels = {"odd"}, .variables = {{"i", i}}});
          } else {
            process->receive(process->send("a"), {.text = "to myself"});
          }
        }
      });
    }
  }
  EXPECT_EQ(process->counts().bad_tags, 0U);
  const std::uint64_t events = process->counts().events;
  process.reset();
  const auto reading = read_trace(folder.path() + "/a.lct", Format::lct);
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.event_count(), events);
  EXPECT_GE(told, 1000);
}

}  // namespace
}  // namespace lightcone
