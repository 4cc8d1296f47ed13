// What the monitor tells is what `check` finds on the recorded run, whatever the order in which
// lines come, in pieces, twice, and with others in between.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"
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

/// A client that is never answered, and must not be refused.
class QuietSource final : public service::LineSource {
 public:
  void stored(const std::string&, const std::map<std::string, std::uint64_t>&) override {}
  void refused(const std::string& why) override { refusal = why; }
  std::string refusal;
};

/// The lines of each process with their ranks, in an order of their own.
class ShuffledLines {
 public:
  ShuffledLines(const Computation& c, std::mt19937_64& random) {
    std::istringstream text(write_trace_text(c, Format::jsonl));
    std::map<std::string, std::vector<std::string>> left;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("{\"lightcone\"")) {
        if (random() % 2 == 0) header_ = line + '\n';
        continue;
      }
      recorded_ += line + '\n';
      left[line.substr(0, line.find(','))].push_back(line);
    }
    for (auto& [process, lines] : left) add_process(lines, random);
    mix(random);
  }

  [[nodiscard]] std::string recorded() const { return header_ + recorded_; }
  [[nodiscard]] std::string sent() const { return header_ + sent_; }

 private:
  /// Gives each line its rank, repeats some, and moves some; the initial state stays first.
  void add_process(const std::vector<std::string>& lines, std::mt19937_64& random) {
    std::vector<std::string> all;
    std::uint64_t rank = 0;
    std::size_t first = 0;
    for (const std::string& line : lines) {
      const bool is_initial = line.find("\"kind\": \"init\"") != std::string::npos;
      const std::uint64_t number = is_initial ? 0 : ++rank;
      if (is_initial) first = 1;
      all.push_back("{\"rank\": " + std::to_string(number) + ", " + line.substr(1) + '\n');
      if (random() % 4 == 0) all.push_back(all[random() % all.size()]);
    }
    for (std::size_t i = first; i < all.size(); ++i) {
      const std::size_t other = std::min(all.size() - 1, i + random() % 4);
      std::swap(all[i], all[other]);
    }
    processes_.push_back(std::move(all));
  }
  void mix(std::mt19937_64& random) {
    for (auto& lines : processes_) std::ranges::reverse(lines);
    for (;;) {
      std::erase_if(processes_, [](const auto& lines) { return lines.empty(); });
      if (processes_.empty()) return;
      auto& lines = processes_[random() % processes_.size()];
      sent_ += lines.back();
      lines.pop_back();
    }
  }

  std::string header_, recorded_, sent_;
  std::vector<std::vector<std::string>> processes_;
};

/// Sends bytes in random pieces.
void send_in_pieces(const std::string& text, std::mt19937_64& random,
                    const std::shared_ptr<service::LineSource>& source,
                    const std::function<void(Arrival)>& take) {
  service::LineCutter cutter(source, "run", {});
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = 1 + random() % 200;
    const auto cut = cutter.add(std::string_view(text).substr(at, size), take);
    if (!cut) RC_FAIL(cut.error().text());
    at += size;
  }
  if (const auto cut = cutter.finish(take); !cut) RC_FAIL(cut.error().text());
}

/// What the monitor tells, without threads.
[[nodiscard]] ToldVerdicts told_of(const std::string& text, const PropertyFile& properties,
                                   std::mt19937_64& random) {
  ToldVerdicts told;
  service::VerdictLog log(
      [&](std::uint64_t, const std::string& json, const std::string&) { told.add(json); });
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

void compare(const ToldVerdicts& told, const Properties& properties, const ShuffledLines& lines) {
  if (!told.trouble.empty()) RC_FAIL(told.trouble);
  const auto reading = read_trace_text(lines.recorded(), "trace", Format::jsonl, {});
  if (!reading) RC_FAIL(reading.error().text());
  const auto recorded = RecordedCheck::run(properties, *reading, {});
  if (!recorded) {
    RC_ASSERT(!told.why.empty());
    return;
  }
  const ToldVerdicts expected = expected_of(recorded->report());
  RC_ASSERT(told.finals == expected.finals);
  for (const auto& property : properties.properties) {
    const auto mine = told.places.find(property.name), theirs = expected.places.find(property.name);
    const auto none = std::set<ToldVerdicts::Place>();
    RC_ASSERT((mine == told.places.end() ? none : mine->second) ==
              (theirs == expected.places.end() ? none : theirs->second));
  }
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
    compare(told, *properties, lines);
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
        compare(told, properties, lines);
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
      options.show = [&](std::uint64_t, const std::string& json, const std::string&) {
        shown.add(json);
      };
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
    compare(shown, *properties, lines);
    ToldVerdicts kept;
    std::ifstream file(folder.path() + "/state/verdicts.jsonl");
    for (std::string line; std::getline(file, line);) kept.add(line);
    compare(kept, *properties, lines);
    for (const auto& [property, found] : kept.places) places += found.size();
  });
  EXPECT_GT(places, 20U);
}

}  // namespace
}  // namespace lightcone
