// Receives that could have taken another message, by their definition.
#include <lightcone/causal/races/racing_receives.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

/// Nearly all events are of MPI, with few communicators and tags.
void decorate_wildcards(Builder& builder, ProcessIndex, std::uint8_t decoration,
                        std::uint8_t choice) {
  std::vector<NameIndex> labels;
  if (decoration % 16 != 0) labels.push_back(builder.name(choice % 7 == 0 ? "comm:b" : "comm:a"));
  if (decoration % 17 != 0) labels.push_back(builder.name(choice % 5 == 0 ? "tag:1" : "tag:2"));
  if (decoration % 4 < 3) labels.push_back(builder.name("any_source"));
  if (decoration % 5 < 2) labels.push_back(builder.name("any_tag"));
  builder.set_labels(builder.name_set(labels));
  if (decoration % 6 == 0) return;
  const NameIndex addressee = builder.name("p" + std::to_string(choice % 4 + 1));
  builder.set_to(builder.name_set(std::span(&addressee, 1)));
}

[[nodiscard]] std::string label_with(const Computation& c, EventIndex e, std::string_view prefix) {
  for (const NameIndex label : c.labels(e)) {
    if (c.names()[label].starts_with(prefix)) return std::string(c.names()[label]);
  }
  return "";
}

/// Returns whether labels say what a receive admits, and fit what it took.
[[nodiscard]] bool says_what_it_admits(const Computation& c, EventIndex receive) {
  if (c.takes(receive).size() != 1) return false;
  const EventIndex send = c.sent_by(c.takes(receive).front());
  for (const std::string_view prefix : {"comm:", "tag:"}) {
    const std::string sent = label_with(c, send, prefix);
    if (sent.empty() || sent != label_with(c, receive, prefix)) return false;
  }
  return true;
}

/// Returns whether a process received the message after an event of this rank, or it was sent to
/// the process and never received.
[[nodiscard]] bool is_there_after(const Computation& c, ProcessIndex p, MessageIndex m, Rank begun,
                                  EventIndex receive) {
  bool was_received = false;
  for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
    if (std::ranges::count(c.takes(e), m) == 0) continue;
    if (c.rank_of(e) > begun && e != receive) return true;
    was_received = true;
  }
  if (was_received) return false;
  return std::ranges::any_of(c.to(c.sent_by(m)),
                             [&](NameIndex name) { return c.names()[name] == c.process_name(p); });
}

[[nodiscard]] bool could_take_another(const Computation& c,
                                      const definition::HappenedBefore& before,
                                      const Admission& admission, const BegunReceive& receive) {
  if (!says_what_it_admits(c, receive.event)) return true;
  const MessageIndex taken = c.takes(receive.event).front();
  for (MessageIndex m = 0; m < c.message_count(); ++m) {
    if (m == taken || before(receive.event, c.sent_by(m)) || receive.event == c.sent_by(m))
      continue;
    if (!admission.admits(receive.event, taken, m)) continue;
    if (is_there_after(c, c.process_of(receive.event), m, receive.begun, receive.event))
      return true;
  }
  return false;
}

TEST(RacingReceives, AreThoseOfTheDefinition) {
  std::uint64_t with = 0, without = 0, early = 0;
  arbitrary::for_all("racing receives", 2000, [&] {
    const Computation c = arbitrary::play(*arbitrary::script(), decorate_wildcards);
    const definition::HappenedBefore before(c);
    const Admission admission(c);
    const RacingReceives racing(c);
    const Timestamps known = timestamps(c);
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      std::vector<BegunReceive> receives;
      for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
        if (c.takes(e).empty()) continue;
        const Rank latest = c.rank_of(e) - 1;
        receives.push_back({e, e % 3 == 0 ? latest / 2 : latest});
      }
      const std::vector<bool> could = racing.of(p, receives, known);
      for (std::size_t i = 0; i < receives.size(); ++i) {
        RC_ASSERT(could[i] == could_take_another(c, before, admission, receives[i]));
        if (!says_what_it_admits(c, receives[i].event)) continue;
        ++(could[i] ? with : without);
        early += receives[i].begun + 1 < c.rank_of(receives[i].event) ? 1 : 0;
      }
    }
  });
  EXPECT_GT(with, 500U / arbitrary::one_in);
  EXPECT_GT(without, 500U / arbitrary::one_in);
  EXPECT_GT(early, 500U / arbitrary::one_in);
}

// `races --pairs` lists them.
TEST(RacingReceives, AreTheFirstOfRacingPairsIfEachReceiveBeginsRightBeforeItsEvent) {
  arbitrary::for_all("racing receives and pairs", 1000, [&] {
    const Computation c = arbitrary::play(*arbitrary::script(), decorate_wildcards);
    std::set<EventIndex> firsts;
    for_each_racing_pair(
        c, [&](Reception first, Reception) { return firsts.insert(first.event), true; });
    for_each_unreceived_pair(
        c, [&](Reception first, Unreceived) { return firsts.insert(first.event), true; });
    const RacingReceives racing(c);
    const Timestamps known = timestamps(c);
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      if (c.takes(e).empty() || !says_what_it_admits(c, e)) continue;
      const BegunReceive receive{e, c.rank_of(e) - 1};
      RC_ASSERT(racing.of(c.process_of(e), std::span(&receive, 1), known).front() ==
                firsts.contains(e));
    }
  });
}

}  // namespace
}  // namespace lightcone
