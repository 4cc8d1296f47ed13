// What processes that lived must have left behind.
#include "model/programs/lives.h"

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_properties.h"
#include "temporary_folder.h"

#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>
#include <rapidcheck.h>

namespace lightcone {
namespace {

/// Whether live processes can do this: one can receive or send in one event, not both.
[[nodiscard]] bool can_be_lived(const Computation& c) {
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    if (c.sends(e) != none && c.kind(e) != Kind::send) return false;
  }
  return true;
}

/// Fails unless the traces that were left behind are the computation that was lived.
void expect_same_trace(const Computation& c, const std::string& folder) {
  const auto reading = read_trace(folder, Format::lct);
  if (!reading) RC_FAIL(reading.error().text());
  const Computation& lived = reading->computation;
  RC_ASSERT(lived.event_count() == c.event_count());
  RC_ASSERT(lived.edge_count() == c.edge_count());
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    const auto q = lived.find_process(c.process_name(p));
    RC_ASSERT(q.has_value());
    RC_ASSERT(lived.last_rank(*q) == c.last_rank(p));
    for (Rank k = 1; k <= c.last_rank(p); ++k) {
      RC_ASSERT(lived.kind(lived.event(*q, k)) == c.kind(c.event(p, k)));
      RC_ASSERT(lived.takes(lived.event(*q, k)).size() == c.takes(c.event(p, k)).size());
    }
  }
}

/// Fails unless each property was told of where brute force finds it.
void expect_told(const Properties& properties, const Computation& c, const Told& told) {
  for (const Property& property : properties.properties) {
    const auto expected = definition::answer(properties, property, c);
    if (!expected) continue;
    const auto found = told.find(property.name);
    const auto places = found == told.end() ? std::set<definition::State>() : found->second;
    if (places != live_replay::places_told(*expected, property.verb)) RC_FAIL(property.name);
  }
}

}  // namespace

void for_all_lives(const std::string& what, int cases,
                   const std::function<Told(const PlannedLives&, std::mt19937_64& random)>& live) {
  int lived = 0;
  arbitrary::for_all_computations(what, cases, [&](const Computation& c) {
    if (!can_be_lived(c)) return;
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    RC_ASSERT(properties.has_value());
    if (!CompiledProperties::compile(*properties, event_labels(c)).undecided().empty()) return;
    ++lived;
    RC_LOG() << text;
    const TemporaryFolder folder(TemporaryFolder::in_memory());
    expect_told(*properties, c, live({c, text, folder.path()}, random));
    expect_same_trace(c, folder.path());
  });
  EXPECT_GT(lived, cases / 10 / arbitrary::one_in);
}

}  // namespace lightcone
