// The same computation, whatever the chunks in which its events arrive.
#include <lightcone/causal/builder.h>

#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>

namespace lightcone {
namespace {

/// Builds the computation again from its own events, in chunks of this many rows.
Expected<Computation> rebuilt(const Computation& c, std::size_t chunk_rows) {
  Builder builder;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) builder.process(c.process_name(p));
  for (MessageIndex m = 0; m < c.message_count(); ++m) builder.message(c.message_name(m));
  Arrivals chunk;
  for (const EventIndex e : c.order()) {
    auto flags = static_cast<std::uint8_t>(c.kind(e));
    const auto takes = c.takes(e);
    chunk.process.push_back(c.process_of(e));
    chunk.taken.insert(chunk.taken.end(), takes.begin(), takes.end());
    if (takes.size() > 1) {
      flags |= Arrivals::batch;
      chunk.take_counts.push_back(static_cast<std::uint32_t>(takes.size()));
    }
    if (c.sends(e) != none) {
      if (c.kind(e) != Kind::send) flags |= Arrivals::sends_too;
      chunk.sent.push_back(c.sends(e));
    }
    if (c.is_duplicate(e)) flags |= Arrivals::duplicate;
    chunk.flags.push_back(flags);
    if (chunk.size() == chunk_rows) builder.add(std::exchange(chunk, {}));
  }
  builder.add(std::move(chunk));
  return builder.build();
}

TEST(Layout, DoesNotDependOnChunks) {
  arbitrary::for_all_computations("chunks", 300, [](const Computation& c) {
    for (const std::size_t rows : {1U, 2U, 7U, 1000U}) {
      const auto again = rebuilt(c, rows);
      RC_ASSERT(again.has_value());
      RC_ASSERT(again->event_count() == c.event_count());
      RC_ASSERT(std::ranges::equal(again->order(), c.order()));
      for (EventIndex e = 0; e < c.event_count(); ++e) {
        RC_ASSERT(again->kind(e) == c.kind(e));
        RC_ASSERT(std::ranges::equal(again->takes(e), c.takes(e)));
        RC_ASSERT(again->sends(e) == c.sends(e));
        RC_ASSERT(again->is_duplicate(e) == c.is_duplicate(e));
      }
    }
  });
}

TEST(Layout, FindsASecondSendInAnotherChunk) {
  Builder builder("t");
  const ProcessIndex p = builder.process("p");
  const MessageIndex m = builder.message("m");
  for (int i = 0; i < 2; ++i) {
    Arrivals chunk;
    chunk.process = {p};
    chunk.flags = {static_cast<std::uint8_t>(Kind::send)};
    chunk.sent = {m};
    builder.add(std::move(chunk));
  }
  const auto built = builder.build();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().what, "message m is sent a second time (at event 2 of p)");
}

TEST(Layout, NamesTheEventWhereThereAreNoLines) {
  Builder builder("t.lct");
  const ProcessIndex p = builder.process("p");
  const MessageIndex m = builder.message("lost");
  builder.add({.process = p, .kind = Kind::initial});
  builder.add({.process = p});
  builder.add({.process = p, .kind = Kind::receive, .takes = {&m, 1}});
  const auto built = builder.build();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().text(),
            "t.lct: message lost is received but never sent (at event 2 of p)\n"
            "  --lenient turns such a receive into an internal event");
}

}  // namespace
}  // namespace lightcone
