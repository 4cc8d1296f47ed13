// What the monitor tells is what `check` finds on the recorded run, whatever the order in which
// lines come, in pieces, twice, and with others in between.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"
#include "monitor/shuffled_lines.h"
#include "monitor/told_verdicts.h"

#include <gtest/gtest.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/monitor.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "accept/acceptance.h"
#include "accept/line_cutter.h"
#include "decide/decider.h"
#include "monitor_service.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using service::Arrival;

/// What the monitor tells, without threads.
[[nodiscard]] ToldVerdicts told_of(const std::string& text, const PropertyFile& properties,
                                   std::mt19937_64& random) {
  ToldVerdicts told;
  service::VerdictLog log([&](const service::VerdictLog::Line& line) { told.add(line.json); });
  service::Decider decider(properties, {}, log, [](const std::string&) {});
  service::Acceptance acceptance({});
  const auto decide = [&](const service::AcceptedItem& item) {
    decider.decide(item, 1);
    (void)log.flush();
  };
  auto source = std::make_shared<QuietSource>();
  send_in_pieces(text, random, source,
                 [&](const Arrival& arrival) { acceptance.accept(arrival, decide); });
  if (!source->refusal.empty()) RC_FAIL("refused: " + source->refusal);
  acceptance.end_quiet(std::chrono::steady_clock::now(), std::chrono::seconds(0), decide);
  return told;
}

TEST(MonitorAgreement, TellsTheFlowsAndLogicOfTheRecordedRun) {
  std::size_t places = 0;
  arbitrary::for_all_computations("monitored flows", 1000, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    if (!properties || !Monitor::can_check(PropertyFile(*properties))) return;
    const ShuffledLines lines(c, random);
    const ToldVerdicts told = told_of(lines.sent(), PropertyFile(*properties), random);
    expect_agreement(told, *properties, lines);
    for (const auto& [property, found] : told.places) places += found.size();
  });
  EXPECT_GT(places, 2000U / arbitrary::one_in);
}

TEST(MonitorAgreement, TellsTheGlobalPropertiesOfTheRecordedRun) {
  std::size_t found = 0;
  arbitrary::for_all_globals(
      "monitored globals", 1000, [&](const Computation& c, const Properties& properties) {
        std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
        const ShuffledLines lines(c, random);
        const ToldVerdicts told = told_of(lines.sent(), PropertyFile(properties), random);
        expect_agreement(told, properties, lines);
        for (const auto& [property, verdict] : told.finals)
          found += verdict.ends_with(" 1") ? 1 : 0;
      });
  EXPECT_GT(found, 300U / arbitrary::one_in);
}

/// Feeds a service that is stopped and started again in between; the clients begin anew each time.
TEST(MonitorAgreement, GoesOnWhereItWasStopped) {
  std::size_t places = 0;
  arbitrary::for_all_computations("stopped monitors", 60, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    if (!properties || !Monitor::can_check(PropertyFile(*properties))) return;
    const ShuffledLines lines(c, random);
    const TemporaryFolder folder(TemporaryFolder::in_memory());
    const std::string sent = lines.sent();
    ToldVerdicts shown;
    for (int turn = 0; turn <= 3; ++turn) {
      service::ServiceOptions options;
      options.state = folder.path() + "/state";
      options.identity = text;
      options.show = [&](const service::VerdictLog::Line& line) { shown.add(line.json); };
      auto service = service::MonitorService::start(PropertyFile(*properties), options);
      if (!service) RC_FAIL(service.error().text());
      auto source = std::make_shared<QuietSource>();
      std::size_t size = turn == 3 ? sent.size() : random() % (sent.size() + 1);
      size = turn == 3 ? size : sent.rfind('\n', size) + 1;  // whole lines
      send_in_pieces(sent.substr(0, size), random, source,
                     [&](Arrival arrival) { (*service)->offer(std::move(arrival)); });
      RC_ASSERT((*service)->stop(turn == 3).has_value());
      RC_ASSERT(source->refusal.empty());
    }
    expect_agreement(shown, *properties, lines);
    ToldVerdicts kept;
    std::ifstream file(folder.path() + "/state/verdicts.jsonl");
    for (std::string line; std::getline(file, line);) kept.add(line);
    expect_agreement(kept, *properties, lines);
    for (const auto& [property, found] : kept.places) places += found.size();
  });
  EXPECT_GT(places, 20U);
}

/// The files of the log are small: executions begin in one of them, end in another, and some files
/// are removed before the monitor is started again.
TEST(MonitorAgreement, GoesOnAfterFilesOfTheLogWereRemoved) {
  std::size_t places = 0, removed = 0;
  arbitrary::for_all_computations("small files", 60, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const auto text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    if (!properties || !Monitor::can_check(PropertyFile(*properties))) return;
    constexpr std::size_t runs = 8;
    std::vector<ShuffledLines> lines;
    std::vector<std::vector<std::string>> left;
    for (std::size_t i = 0; i < runs; ++i) {
      lines.emplace_back(c, random);
      left.push_back(messages_of(lines.back(), "run-" + std::to_string(i), random));
      std::ranges::reverse(left.back());
    }
    const TemporaryFolder folder(TemporaryFolder::in_memory());
    const auto start = [&] {
      service::ServiceOptions options;
      options.state = folder.path() + "/state";
      options.identity = text;
      options.log_file_bytes = 300;
      auto service = service::MonitorService::start(PropertyFile(*properties), options);
      if (!service) RC_FAIL(service.error().text());
      return std::move(*service);
    };
    auto service = start();
    std::vector<std::vector<std::string>> sent(runs);
    const auto send = [&](const std::string& message) {
      service::LineCutter cutter(std::make_shared<QuietSource>(), "none", {});
      const auto cut =
          cutter.add(message, [&](Arrival arrival) { service->offer(std::move(arrival)); });
      RC_ASSERT(cut.has_value());
    };
    for (std::size_t begin = 0; begin < runs;) {
      // Few are open at a time, and they overlap.
      const std::size_t run = std::min(runs - 1, begin + random() % 3);
      auto& one = left[run];
      if (!one.empty()) {
        send(one.back());
        sent[run].push_back(one.back());
        one.pop_back();
        if (random() % 4 == 0) service->settle();
      }
      while (begin < runs && left[begin].empty()) ++begin;
      if (random() % 12 != 0) continue;
      RC_ASSERT(service->stop(false).has_value());
      service.reset();
      service = start();
      // Lines that waited for others were not stored: clients send them again.
      for (std::size_t i = begin; i < runs; ++i) {
        if (left[i].empty()) continue;
        for (const std::string& message : sent[i]) send(message);
      }
    }
    RC_ASSERT(service->stop(false).has_value());
    std::map<std::string, ToldVerdicts> told;
    std::uint64_t last = 0;
    std::ifstream file(folder.path() + "/state/verdicts.jsonl");
    for (std::string line; std::getline(file, line);) {
      auto json = nlohmann::json::parse(line);
      RC_ASSERT(json["sequence"] == ++last);
      ToldVerdicts& of_one = told[json["execution"]];
      json["sequence"] = of_one.last + 1;
      of_one.add(json.dump());
    }
    for (std::size_t i = 0; i < runs; ++i) {
      const ToldVerdicts& of_one = told["run-" + std::to_string(i)];
      expect_agreement(of_one, *properties, lines[i]);
      for (const auto& [property, found] : of_one.places) places += found.size();
    }
    removed += std::filesystem::exists(folder.path() + "/state/accepted.00000001") ? 0 : 1;
  });
  EXPECT_GT(places, 200U / arbitrary::one_in);
  EXPECT_GT(removed, 10U / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
