// Clients that send as fast as they can: memory has a limit, whoever is far ahead waits for others,
// and nobody waits forever.
#include "model/generators/arbitrary.h"
#include "monitor/shuffled_lines.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "accept/line_cutter.h"
#include "monitor_service.h"

namespace lightcone {
namespace {

using service::Arrival;
using service::LineCutter;
using service::MonitorService;
using std::chrono::hours;
using std::chrono::milliseconds;

constexpr const char* paced_rules = "watch seen : some flow contains seen\n";

[[nodiscard]] std::unique_ptr<MonitorService> start(service::ServiceOptions options) {
  auto service =
      MonitorService::start(parse_properties(paced_rules, "rules").value(), std::move(options));
  return std::move(service.value());
}

/// A client that sends text in pieces of about this size, and stays.
class PacedClient {
 public:
  PacedClient(MonitorService& service, std::string text, std::size_t piece)
      : thread_([this, &service, text = std::move(text), piece] {
          LineCutter cutter(source_, "run", {});
          for (std::size_t at = 0; at < text.size(); at += piece) {
            (void)cutter.add(std::string_view(text).substr(at, piece), [&](Arrival arrival) {
              const auto* lines =
                  std::get_if<std::shared_ptr<service::LinePiece>>(&arrival.content);
              const std::size_t bytes = lines != nullptr ? (*lines)->bytes() : 0;
              service.offer(std::move(arrival));
              bytes_ += bytes;
              ++pieces_;
            });
          }
        }) {}
  ~PacedClient() { thread_.join(); }

  /// Waits until so much memory was taken and nothing more is for a while; returns how much it was.
  [[nodiscard]] std::size_t bytes_when_stuck(std::size_t least) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (std::size_t before = 0; std::chrono::steady_clock::now() < end;) {
      std::this_thread::sleep_for(milliseconds(500));
      if (before == pieces_ && bytes_ >= least) break;
      before = pieces_;
    }
    return bytes_;
  }

 private:
  std::shared_ptr<QuietSource> source_ = std::make_shared<QuietSource>();
  std::atomic<std::size_t> bytes_ = 0, pieces_ = 0;
  std::thread thread_;
};

[[nodiscard]] std::size_t waiting_in(const MonitorService& service) {
  std::size_t events = 0;
  const auto status = nlohmann::json::parse(service.status());
  for (const auto& one : status["waiting"]) {
    events += one["events"].get<std::size_t>();
  }
  return events;
}

[[nodiscard]] std::string line(const std::string& process, const std::string& rest) {
  return "{\"process\": \"" + process + "\", " + rest + "}\n";
}

/// What one process sends, and what the other one receives of it.
[[nodiscard]] std::string sends(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += line("s", R"("kind": "send", "to": "r", "message": "m)" + std::to_string(i) + '"');
  }
  return text;
}
[[nodiscard]] std::string receives(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += line("r", R"("kind": "receive", "message": "m)" + std::to_string(i) + '"');
  }
  return text;
}

TEST(MonitorPace, WhatIsNotDecidedTakesNoMoreMemoryThanAllowed) {
  std::promise<void> go_on;
  auto may_go_on = go_on.get_future().share();
  service::ServiceOptions options;
  options.undecided_bytes = 4 << 20;
  options.show = [&](const auto&) { may_go_on.wait(); };
  const auto service = start(options);
  std::string text = line("p", R"("kind": "internal", "labels": ["seen"])");
  while (text.size() < std::size_t{10} << 20) text += line("p", R"("kind": "internal")");
  {
    const PacedClient client(*service, text, 64 << 10);
    const std::size_t taken = client.bytes_when_stuck(options.undecided_bytes / 2);
    EXPECT_LE(taken, options.undecided_bytes);
    EXPECT_GT(taken, options.undecided_bytes / 2);
    go_on.set_value();
  }
  service->settle();
  const auto status = nlohmann::json::parse(service->status());
  EXPECT_EQ(status["decided"].get<std::size_t>(),
            static_cast<std::size_t>(std::ranges::count(text, '\n')));
  EXPECT_NE(service->metrics().find("\nlightcone_queued_bytes 0\n"), std::string::npos);
  EXPECT_TRUE(service->stop(true));
}

TEST(MonitorPace, AClientFarAheadWaitsForTheOneBehind) {
  constexpr int count = 60'000;
  service::ServiceOptions options;
  options.undecided_bytes = 1 << 20;
  options.execution.far_ahead = 1000;
  options.longest_hold = hours(1);
  const auto service = start(options);
  {
    const PacedClient behind(*service, line("s", R"("kind": "internal")"), 1000);
    (void)behind.bytes_when_stuck(1);
    const PacedClient ahead(*service, receives(count), 16 << 10);
    (void)ahead.bytes_when_stuck(options.undecided_bytes / 4);
    service->settle();
    // What is on its way when it is told to wait comes after that.
    EXPECT_LE(waiting_in(*service), 10'000U);
    EXPECT_GT(waiting_in(*service), 1000U);
    const PacedClient sender(*service, sends(count), 16 << 10);
  }
  service->settle();
  EXPECT_EQ(waiting_in(*service), 0U);
  EXPECT_EQ(nlohmann::json::parse(service->status())["decided"].get<int>(), 2 * count + 1);
  EXPECT_TRUE(service->stop(true));
}

TEST(MonitorPace, OneClientWithAllProcessesIsNotHeld) {
  constexpr int count = 20'000;
  service::ServiceOptions options;
  options.execution.far_ahead = 100;
  options.longest_hold = hours(1);
  const auto service = start(options);
  { const PacedClient alone(*service, receives(count) + sends(count), 16 << 10); }
  service->settle();
  EXPECT_EQ(nlohmann::json::parse(service->status())["decided"].get<int>(), 2 * count);
  EXPECT_EQ(waiting_in(*service), 0U);
  EXPECT_TRUE(service->stop(true));
}

/// The process that others wait for is one that nobody has heard of, and another client that could
/// have it is silent.
TEST(MonitorPace, WhoIsHeldGoesOnAfterAWhile) {
  constexpr int count = 2000;
  service::ServiceOptions options;
  options.execution.far_ahead = 100;
  options.longest_hold = milliseconds(1);
  const auto service = start(options);
  const auto silent = std::make_shared<QuietSource>();
  LineCutter other(silent, "run", {});
  ASSERT_TRUE(other.add(line("x", R"("kind": "internal")"),
                        [&](Arrival arrival) { service->offer(std::move(arrival)); }));
  { const PacedClient client(*service, receives(count) + sends(count), 8 << 10); }
  service->settle();
  EXPECT_EQ(nlohmann::json::parse(service->status())["decided"].get<int>(), 2 * count + 1);
  EXPECT_TRUE(service->stop(true));
}

/// The lines of some processes, each with a client: first the initial states, then all else with
/// the processes mixed anyhow.
[[nodiscard]] std::vector<std::string> texts_of_clients(const Computation& c,
                                                        std::mt19937_64& random) {
  std::map<std::string, std::vector<std::string>> lines;  // of each process, backwards
  std::istringstream text(write_trace_text(c, Format::jsonl));
  for (std::string next; std::getline(text, next);) {
    if (next.starts_with("{\"lightcone\"")) continue;
    lines[next.substr(0, next.find(','))].push_back(next + '\n');
  }
  std::vector<std::string> texts(1 + random() % 4);
  std::vector<std::vector<std::vector<std::string>>> left(texts.size());
  for (auto& [process, all] : lines) {
    const std::size_t client = random() % texts.size();
    const bool begins = all.front().find("\"kind\": \"init\"") != std::string::npos;
    texts[client] += begins ? all.front() : process + ", \"kind\": \"init\"}\n";
    if (begins) all.erase(all.begin());
    std::ranges::reverse(all);
    if (!all.empty()) left[client].push_back(all);
  }
  for (std::size_t client = 0; client < texts.size(); ++client) {
    while (!left[client].empty()) {
      const std::size_t one = random() % left[client].size();
      for (std::size_t run = 1 + random() % 8; run > 0 && !left[client][one].empty(); --run) {
        texts[client] += left[client][one].back();
        left[client][one].pop_back();
      }
      std::erase_if(left[client], [](const auto& lines_left) { return lines_left.empty(); });
    }
  }
  return texts;
}

/// Clients are held as soon as one event waits, and forever. Whoever has what is waited for is
/// not.
TEST(MonitorPace, NobodyIsHeldWhoseEventsAreWaitedFor) {
  std::size_t decided = 0;
  arbitrary::for_all_computations("held clients", 200, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    service::ServiceOptions options;
    options.undecided_bytes = 1;
    options.execution.far_ahead = 0;
    options.longest_hold = hours(1);
    const auto service = start(options);
    const auto texts = texts_of_clients(c, random);
    auto all = std::async(std::launch::async, [&] {
      std::vector<std::unique_ptr<PacedClient>> clients;
      for (const std::string& text : texts) {
        clients.push_back(std::make_unique<PacedClient>(*service, text, 40 + random() % 400));
      }
    });
    const bool ends = all.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
    if (!ends) service->hold_nobody();
    all.wait();
    RC_ASSERT(ends);
    service->settle();
    RC_ASSERT(waiting_in(*service) == 0);
    decided += nlohmann::json::parse(service->status())["decided"].get<std::size_t>();
    RC_ASSERT(service->stop(true).has_value());
  });
  EXPECT_GT(decided, 1000U / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
