// Processes that restart under their old name: incarnations in tags, traces and detections.
#include "live_and_checked.h"
#include "temporary_folder.h"

#include <lightcone/network.h>
#include <lightcone/process.h>

#include <gtest/gtest.h>
#include <malloc.h>

#include <filesystem>
#include <thread>

namespace lightcone {
namespace {

const std::string properties = R"(
  forbid stale : some longest flow ends with write -> read without fresh
  require seen : every longest flow over {write, read} contains write
  watch after : some flow at read ends with write -> read
  watch past : logic {
    x := write or any x
    y := read and any x
  }
)";

/// A process that keeps what goes wrong.
struct Started {
  std::vector<std::string> errors;
  std::unique_ptr<Process> process;

  explicit Started(ProcessOptions options) {
    options.on_error = [this](const Error& error) { errors.push_back(error.what); };
    auto started = Process::start(std::move(options));
    EXPECT_TRUE(started) << started.error().text();
    if (started) process = std::move(*started);
  }
  Process* operator->() const { return process.get(); }
};

TEST(Restart, EachIncarnationHasANameAndATraceOfItsOwn) {
  const TemporaryFolder folder;
  std::vector<std::string> identities;
  for (int i = 0; i < 3; ++i) {
    const Started p({.name = "p1", .traces = folder.path()});
    EXPECT_EQ(p->name(), "p1");
    identities.emplace_back(p->identity());
    p->event();
  }
  EXPECT_EQ(identities, (std::vector<std::string>{"p1", "p1~2", "p1~3"}));
  const auto reading = read_directory(folder.path(), {});
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.process_count(), 3U);
}

TEST(Restart, WhoSaysItsIncarnationHasThatOneOrNone) {
  const TemporaryFolder folder;
  const Started first({.name = "p", .incarnation = 4, .traces = folder.path()});
  EXPECT_EQ(first->identity(), "p~4");
  const auto again = Process::start({.name = "p", .incarnation = 4, .traces = folder.path()});
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().what.find("incarnation 4 of p"), std::string::npos);
  const Started without({.name = "p", .incarnation = 2});
  EXPECT_EQ(without->identity(), "p~2");
  EXPECT_FALSE(Process::start({.name = "p~2"}));
  EXPECT_FALSE(Process::start({.name = "p", .incarnation = 1'000'001}));
  EXPECT_FALSE(Process::start({.name = "p", .traces = folder.path() + "/nowhere"}));
}

TEST(Restart, StartsAtTheSameTimeDoNotCollide) {
  const TemporaryFolder folder;
  std::vector<std::string> identities(16);
  {
    std::vector<std::jthread> threads;
    for (std::string& identity : identities) {
      threads.emplace_back([&] {
        const Started p({.name = "p", .traces = folder.path()});
        identity = p->identity();
        p->event();
      });
    }
  }
  const std::set<std::string> different(identities.begin(), identities.end());
  EXPECT_EQ(different.size(), identities.size());
  EXPECT_EQ(read_directory(folder.path(), {})->computation.process_count(), 16U);
}

TEST(Restart, AStartThatFailsLeavesNoFile) {
  const TemporaryFolder folder;
  EXPECT_FALSE(
      Process::start({.name = "p", .trace = folder.path() + "/no/p.lct", .traces = folder.path()}));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Restart, MessagesOfTwoIncarnationsAreToldApart) {
  const Started first({.name = "p", .members = {"p", "q"}, .properties = properties});
  const Started second(
      {.name = "p", .incarnation = 2, .members = {"p", "q"}, .properties = properties});
  const Started q({.name = "q", .members = {"p", "q"}, .properties = properties});
  const std::string late = first->send("q", {.labels = {"write"}});
  EXPECT_EQ(q->receive(second->send("q", {.labels = {"write"}})), "p");
  EXPECT_EQ(q->receive(late), "p") << "a message of the one before, which comes later";
  EXPECT_EQ(q->counts().redelivered, 0U);
  EXPECT_EQ(q->counts().bad_tags, 0U);
}

TEST(Restart, NothingIsLeftOutForWhoHasForgottenIt) {
  const std::vector<std::string> members{"p", "q"};
  const Started q({.name = "q", .members = members, .properties = properties});
  auto p = std::make_unique<Started>(
      ProcessOptions{.name = "p", .members = members, .properties = properties});
  q->event({.labels = {"write"}});
  (*p)->receive(q->send("p"), {.labels = {"read"}});
  q->receive((*p)->send("q"));
  const std::string stale = q->send("p");  // leaves out what p has shown to hold
  p = std::make_unique<Started>(
      ProcessOptions{.name = "p", .incarnation = 2, .members = members, .properties = properties});
  EXPECT_EQ((*p)->receive(stale), "");
  ASSERT_EQ(p->errors.size(), 1U);
  EXPECT_NE(p->errors[0].find("incarnation 1 of this process, and this is incarnation 2"),
            std::string::npos);
  q->receive((*p)->send("q"));  // now q knows
  EXPECT_EQ((*p)->receive(q->send("p")), "q");
  EXPECT_EQ((*p)->receive(q->send_to_anyone()), "q");
  EXPECT_EQ(p->errors.size(), 1U);
}

TEST(Restart, AFifoChannelToTheNextIncarnationBeginsAnew) {
  const Started q({.name = "q", .channels = Channels::fifo});
  const Started old({.name = "p", .channels = Channels::fifo});
  EXPECT_EQ(old->receive(q->send("p")), "q");
  EXPECT_EQ(q->receive(old->send("q")), "p");
  const Started p({.name = "p", .incarnation = 2, .channels = Channels::fifo});
  EXPECT_EQ(p->receive(q->send("p")), "") << "was sent to the one before";
  EXPECT_EQ(q->receive(p->send("q")), "p");
  EXPECT_EQ(p->receive(q->send("p")), "q");
  EXPECT_EQ(p->receive(q->send("p")), "q");
  EXPECT_EQ(q->counts().bad_tags, 0U);
}

/// A process that lives, and now and then ends and begins again in the middle.
void live(ThreadNetwork& network, const ProcessOptions& options, std::uint64_t seed,
          std::atomic<std::uint64_t>& refused) {
  std::mt19937_64 random(seed);
  constexpr std::array<std::string_view, 3> labels{"write", "read", "fresh"};
  const std::array<std::string_view, 4> names{"p1", "p2", "p3", "outsider"};
  auto process = *Process::start(options);
  for (int i = 0; i < 60; ++i) {
    const std::array<std::string_view, 1> label{labels[random() % labels.size()]};
    const LiveState state{.labels = std::span<const std::string_view>(label)};
    switch (random() % 8) {
      case 0: process->event(state); break;
      case 1:
        if (random() % 4 != 0) break;
        refused += process->counts().bad_tags;
        process.reset();
        process = *Process::start(options);
        break;
      case 2:
      case 3:
      case 4: send(network, *process, names[random() % names.size()], "", state); break;
      default:
        auto parcel = poll(network, *process);
        if (parcel) process->receive(std::move(parcel->taken), state);
    }
  }
  refused += process->counts().bad_tags;
}

TEST(Restart, LiveProcessesThatRestartTellWhatACheckOfTheirTracesFinds) {
  std::uint64_t restarts = 0, detections = 0;
  std::atomic<std::uint64_t> refused = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TemporaryFolder folder(TemporaryFolder::in_memory());
    ThreadNetwork network(seed);
    LiveTold live_told;
    {
      std::vector<std::jthread> threads;
      for (const std::string name : {"p1", "p2", "p3", "outsider"}) {
        ProcessOptions options{.name = name,
                               .members = {"p1", "p2", "p3"},
                               .properties = properties,
                               .traces = folder.path(),
                               .clocks = seed % 2 == 0,
                               .on_detection = live_told.teller()};
        threads.emplace_back([&, options, own = seed * 10 + name.size() + name.back()] {
          live(network, options, own, refused);
        });
      }
    }
    EXPECT_EQ(live_told.told(), told_by_check(folder.path(), properties)) << seed;
    detections += live_told.told().size();
    restarts += read_directory(folder.path(), {})->computation.process_count() - 4;
  }
  EXPECT_GT(restarts, 100U);
  EXPECT_GT(detections, 1000U);
  EXPECT_GT(refused, 0U) << "tags that were made for an incarnation before are among them";
}

TEST(Restart, IncarnationsAreRecordedAndReplayedInTheirOrder) {
  const TemporaryFolder folder, reports;
  const auto live_three_times = [](const RunOrders& orders) {
    std::vector<std::string> lives;
    for (int i = 0; i < 3; ++i) {
      const Started p({.name = "p", .run = orders});
      lives.push_back(std::string(p->identity()) + ' ' + std::to_string(p->random()));
      p->event();
    }
    return lives;
  };
  const auto recorded = live_three_times({folder.path(), RecordOrders{}});
  EXPECT_TRUE(recorded[2].starts_with("p~3 ")) << recorded[2];
  const ReplayOrders replay{.reports = reports.path()};
  EXPECT_EQ(live_three_times({folder.path(), replay}), recorded);
}

TEST(Restart, APropertyMeansTheIncarnationThatItNames) {
  const std::string text = R"(
    group everyone = p, p~*
    watch first : some flow at p:go ends with go
    watch second : some flow at "p~2":go ends with go
    watch any : some flow at everyone:go ends with go
  )";
  for (const std::uint32_t incarnation : {1U, 2U, 3U}) {
    std::set<std::string> told;
    auto p = Process::start({.name = "p",
                             .incarnation = incarnation,
                             .properties = text,
                             .on_detection = [&](const Detection& d) { told.insert(d.property); }});
    ASSERT_TRUE(p) << p.error().text();
    (*p)->event({.labels = {"go"}});
    std::set<std::string> wanted{"any"};
    if (incarnation == 1) wanted.insert("first");
    if (incarnation == 2) wanted.insert("second");
    EXPECT_EQ(told, wanted) << incarnation;
  }
}

TEST(LiveTexts, ThatNoStateRefersToAreForgotten) {
  const std::string text = R"(
    label same = x == y
    label special = x == "the 77777th value of this variable, which is long enough"
    watch found : some flow at same ends with same
    watch once : some flow at special ends with special
  )";
  std::map<std::string, std::vector<std::uint64_t>> told;
  auto p =
      *Process::start({.name = "p", .properties = text, .on_detection = [&](const Detection& d) {
                         told[d.property].push_back(d.event);
                       }});
  p->event({.variables = {{"y", "the 4th value of this variable, which is long enough"}}});
  const auto in_use = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const std::size_t before = in_use();
  for (std::uint64_t i = 2; i < 200'000; ++i) {
    const std::uint64_t number = i == 190'000 ? 4 : i;
    const std::string value =
        "the " + std::to_string(number) + "th value of this variable, which is long enough";
    p->event({.labels = {std::string_view(value)}, .variables = {{"x", std::string_view(value)}}});
  }
  EXPECT_LT(in_use(), before + (4 << 20));
  EXPECT_EQ(told["found"], (std::vector<std::uint64_t>{4, 190'000}));
  EXPECT_EQ(told["once"], (std::vector<std::uint64_t>{77'777}));
}

}  // namespace
}  // namespace lightcone
