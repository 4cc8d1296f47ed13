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

}  // namespace
}  // namespace lightcone
