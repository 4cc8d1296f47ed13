// What processes that lived must have left behind.
#include "property/lives.h"

#include <lightcone/trace/trace.h>
#include <rapidcheck.h>

namespace lightcone {

bool can_be_lived(const Computation& c) {
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    if (c.sends(e) != none && c.kind(e) != Kind::send) return false;
  }
  return true;
}

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

void expect_told(const Properties& properties, const Computation& c,
                 const std::map<std::string, std::set<definition::State>>& told) {
  for (const Property& property : properties.properties) {
    const auto expected = definition::answer(properties, property, c);
    if (!expected) continue;
    const auto found = told.find(property.name);
    const auto places = found == told.end() ? std::set<definition::State>() : found->second;
    if (places != live_replay::places_told(*expected, property.verb)) RC_FAIL(property.name);
  }
}

}  // namespace lightcone
