// Riders of a growing computation find what those of the whole one find, each as soon as they can.
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"
#include "model/programs/live_replay.h"

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/growing_ride.h>
#include <lightcone/riders/inspection.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace lightcone {
namespace {

using Place = std::tuple<std::uint32_t, std::string, Rank>;  // property, process, rank

/// Rows in an order that only respects that of each process: receives may stand before sends.
[[nodiscard]] std::vector<Row> random_lines(const Computation& c, std::mt19937_64& random) {
  std::vector<std::vector<Row>> left(c.process_count());
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    const Row initial = c.initial_row(p);
    const bool described = !c.labels(initial).empty() || !c.assignments(initial).empty();
    for (EventIndex e = c.end_event(p); e > c.first_event(p); --e) left[p].push_back(e - 1);
    if (described || random() % 2 == 0) left[p].push_back(initial);
  }
  std::vector<Row> lines;
  for (;;) {
    std::erase_if(left, [](const auto& rows) { return rows.empty(); });
    if (left.empty()) return lines;
    auto& rows = left[random() % left.size()];
    // Runs of lines of one process make others wait for long.
    for (std::uint64_t run = 1 + random() % 4; run > 0 && !rows.empty(); --run) {
      lines.push_back(rows.back());
      rows.pop_back();
    }
  }
}

/// After which line the past of each event has been told of, itself included.
[[nodiscard]] std::vector<std::size_t> decided_after(const Computation& c,
                                                     const std::vector<Row>& lines) {
  std::vector<std::size_t> after(c.row_count(), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) after[lines[i]] = i;
  for (const EventIndex e : c.order()) {
    if (e > c.first_event(c.process_of(e))) after[e] = std::max(after[e], after[e - 1]);
    for (const MessageIndex m : c.takes(e)) after[e] = std::max(after[e], after[c.sent_by(m)]);
  }
  return after;
}

void add_line(GrowingRide& ride, const Computation& c, Row row) {
  const live_replay::Content content(c, row);
  GrowingEvent event;
  event.labels = content.labels;
  event.variables = content.variables;
  if (row >= c.event_count()) {
    event.kind = Kind::initial;
    event.process = c.process_name(row - c.event_count());
    return ride.add(event);
  }
  event.kind = c.kind(row);
  event.process = c.process_name(c.process_of(row));
  std::vector<std::string> names;
  for (const MessageIndex m : c.takes(row)) names.push_back(c.message_name(m));
  const std::vector<std::string_view> takes(names.begin(), names.end());
  event.takes = takes;
  const std::string sent = c.sends(row) == none ? "" : c.message_name(c.sends(row));
  if (c.sends(row) != none) event.sends = sent;
  ride.add(event);
}

/// Where the properties are found in the whole computation; of a `require`, where it is missing.
[[nodiscard]] std::set<Place> places(const Inspection& inspection) {
  std::set<Place> all;
  const Computation& c = inspection.computation();
  const auto& properties = inspection.properties().source().properties;
  for (std::uint32_t i = 0; i < properties.size(); ++i) {
    if (inspection.answer(i) == nullptr) continue;
    for (Row row = 0; row < c.row_count(); ++row) {
      if (!inspection.is_asked(i, row)) continue;
      if (inspection.answer(i)->found_at(row) == (properties[i].verb == Verb::require)) continue;
      const bool initial = row >= c.event_count();
      const ProcessIndex p = initial ? row - c.event_count() : c.process_of(row);
      all.emplace(i, c.process_name(p), initial ? 0 : c.rank_of(row));
    }
  }
  return all;
}

TEST(GrowingRide, FindsWhatIsFoundInTheWholeAsSoonAsItIsDecided) {
  std::size_t found = 0, waited = 0;
  arbitrary::for_all_computations("growing rides", 1000, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = random_properties(random, arbitrary::property_options(c));
    const auto parsed = parse_property_syntax(text, "random");
    if (!parsed) RC_FAIL(parsed.error().text());
    const auto known = random() % 2 == 0 ? event_labels(c) : std::vector<std::string>();
    const auto compiled = CompiledProperties::compile(*parsed, known);
    const Inspection inspection(compiled, c);

    std::map<Place, std::size_t> told;
    std::size_t line = 0;
    GrowingRide ride(CompiledProperties::compile(*parsed, known), [&](const Sighting& it) {
      if (!told.try_emplace({it.property, std::string(it.process), it.rank}, line).second) {
        RC_FAIL("told twice\n" + text);
      }
    });
    const std::vector<Row> lines = random_lines(c, random);
    for (ProcessIndex p = 0; p < c.process_count(); ++p) ride.add_process(c.process_name(p));
    for (; line < lines.size(); ++line) {
      add_line(ride, c, lines[line]);
      waited += ride.waiting();
    }
    RC_ASSERT(ride.waiting() == 0U);
    ride.finish();

    const std::vector<std::size_t> after = decided_after(c, lines);
    std::set<Place> all;
    for (const auto& [place, when] : told) {
      all.insert(place);
      const auto& [property, process, rank] = place;
      for (EventIndex e = 0; rank > 0 && e < c.event_count(); ++e) {
        if (c.rank_of(e) != rank || c.process_name(c.process_of(e)) != process) continue;
        if (when != after[e]) RC_FAIL("told too late, or too early\n" + text);
      }
    }
    if (all != places(inspection)) RC_FAIL("found elsewhere\n" + text);
    found += all.size();
  });
  EXPECT_GT(found, 5000U / arbitrary::one_in);
  EXPECT_GT(waited, 5000U / arbitrary::one_in);
}

TEST(GrowingRide, LetsWhatCanNeverHappenWait) {
  auto parsed = parse_property_syntax("watch w : logic {\n x := receive\n}\n", "p");
  ASSERT_TRUE(parsed);
  std::vector<std::string> told;
  GrowingRide ride(CompiledProperties::compile(std::move(*parsed)), [&](const Sighting& it) {
    told.push_back(std::string(it.process) + std::to_string(it.rank));
  });
  const std::vector<std::string_view> own = {"own"}, lost = {"lost"}, late = {"late"};
  ride.add({.process = "p", .kind = Kind::receive, .takes = own, .sends = "own"});
  ride.add({.process = "q", .kind = Kind::receive, .takes = lost});
  ride.add({.process = "q", .kind = Kind::send, .sends = "late"});
  ride.add({.process = "q", .kind = Kind::send, .sends = "late"});
  ride.add({.process = "q", .kind = Kind::initial});
  ride.add({.process = "r", .kind = Kind::receive, .takes = late});
  EXPECT_EQ(ride.waiting(), 5U);
  EXPECT_EQ(told, std::vector<std::string>());
  ride.finish();
  EXPECT_EQ(ride.waiting(), 5U);
  ride.finish(/*lenient=*/true);
  EXPECT_EQ(ride.waiting(), 1U) << "the message that is received where it is sent";
  EXPECT_EQ(told, std::vector<std::string>{"r1"});
}

}  // namespace
}  // namespace lightcone
