// A process that makes more events than can be counted goes on, and says what is not watched.
#include <lightcone/live/watch/watched_properties.h>
#include <lightcone/live/watch/watcher.h>

#include <gtest/gtest.h>

namespace lightcone {
namespace {

[[nodiscard]] ProcessOptions options_of(std::string name) {
  return {.name = std::move(name),
          .members = {"a", "b"},
          .properties =
              "watch last : some longest flow ends with w -> w\n"
              "watch past : some flow ends with w -> r\n",
          .clocks = true};
}

/// A process that has made so many events.
[[nodiscard]] std::unique_ptr<Watcher> watcher_after(std::uint32_t events,
                                                     const std::string& name) {
  auto properties = *WatchedProperties::of(options_of(name));
  auto watcher = std::make_unique<Watcher>(std::move(properties.compiled), properties.agreement,
                                           options_of(name));
  watcher->start({});
  watcher->resume_counts(events);
  return watcher;
}

[[nodiscard]] std::vector<std::string> found_at_event(Watcher& watcher, std::string_view label) {
  watcher.event(Kind::internal, {.labels = {label}});
  std::vector<std::string> found;
  for (const Detection& detection : watcher.detections()) found.push_back(detection.property);
  watcher.detections().clear();
  return found;
}

using Found = std::vector<std::string>;

TEST(WatcherLimits, MoreLabelledEventsThanCanBeCountedAreTold) {
  const auto after = watcher_after(most_observed - 2, "a");
  Watcher& watcher = *after;
  EXPECT_EQ(found_at_event(watcher, "w"), Found{});
  EXPECT_EQ(found_at_event(watcher, "w"), Found{"last"});  // number 2^31 - 1
  EXPECT_TRUE(watcher.errors().empty());
  EXPECT_EQ(found_at_event(watcher, "w"), Found{});
  ASSERT_EQ(watcher.errors().size(), 1U);
  EXPECT_NE(watcher.errors()[0].what.find("2147483647 labelled events"), std::string::npos);
  EXPECT_EQ(found_at_event(watcher, "r"), Found{"past"}) << "other properties are watched";
  EXPECT_EQ(watcher.errors().size(), 1U) << "it is told once";
}

TEST(WatcherLimits, TagsOfSuchAProcessAreStillRead) {
  const auto a = watcher_after(most_observed - 1, "a"), b = watcher_after(0, "b");
  const std::string_view to = "b";
  for (std::uint64_t number = 0; number < 5; ++number) {
    a->event(Kind::send, {.labels = {"w"}});
    const auto envelope = b->open(a->send(std::span(&to, 1), number));
    ASSERT_TRUE(envelope) << envelope.error().what;
    b->receive(std::span(&*envelope, 1), {.labels = {"w"}});
  }
  EXPECT_EQ(a->errors().size(), 1U);
  EXPECT_TRUE(b->errors().empty());
}

TEST(WatcherLimits, AClockStandsStillAtItsEnd) {
  const auto after = watcher_after(UINT32_MAX - 1, "a");
  Watcher& watcher = *after;
  watcher.errors().clear();
  watcher.event(Kind::internal, {});
  EXPECT_EQ(watcher.clock()[0], UINT32_MAX);
  EXPECT_TRUE(watcher.errors().empty());
  watcher.event(Kind::internal, {});
  watcher.event(Kind::internal, {});
  EXPECT_EQ(watcher.clock()[0], UINT32_MAX);
  ASSERT_EQ(watcher.errors().size(), 1U);
  EXPECT_NE(watcher.errors()[0].what.find("clock stands still"), std::string::npos);
}

TEST(WatcherLimits, ReceivesThatCannotBeCountedAreAllTraced) {
  RaceRider rider(0);
  rider.resume(UINT32_MAX - 1);
  EXPECT_FALSE(rider.must_trace(UINT32_MAX - 1));
  rider.receive();
  EXPECT_TRUE(rider.must_trace(UINT32_MAX));
  rider.receive();
  EXPECT_EQ(rider.receives(), UINT32_MAX);
  EXPECT_TRUE(rider.must_trace(UINT32_MAX));
}

}  // namespace
}  // namespace lightcone
