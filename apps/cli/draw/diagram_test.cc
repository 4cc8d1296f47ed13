// Diagrams: what is drawn, what is left out, and that any computation can be drawn.
#include "draw/diagram.h"

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/trace.h>

#include "commands/demo_traces.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] Computation read(std::string_view text) {
  auto reading = read_trace_text(text, "test", Format::jsonl);
  EXPECT_TRUE(reading.has_value()) << reading.error().text();
  return std::move(reading->computation);
}

TEST(Diagram, OfTheControlFlowExample) {
  EXPECT_EQ("\n" + diagram(read(control_flow_trace), {.unicode = true}), R"(
 p1 ━━a━━━━━━━━━━━▲━━━━━b━━━━━━m2━━━━━━━━━━━━━━━━━━━━━━▲━a━
            ┌─────┘            │                    ┌──┘
 p2 ━━━━c━━━m1━━━━━━c━━━━━m4━━━┿━━m5━━━━━━━━━━━━━━━━┿━━━━━━
                          │    └──┼─────┐           │
                          └───────┼─────┼───┐       │
 p3 ━━━━━━━━━━━━━━━━━━▲━━━━━━e━━━━┿━━m7━▼━━━▼━━━d━━━m3━━━━━
               ┌──────┘           └──┼────┐
               │                     └────┼───┐
 p4 ━━━━━━f━━━━m6━━━━━━━━━━━━━━━━━━━━━━━━━▼━━━▼━━━f━━━━━━━━
)");
}

TEST(Diagram, InAscii) {
  EXPECT_EQ("\n" + diagram(read(counter_trace), {}), R"(
 alice ==get1=================^===put1===================================
         +---------+ +--------+   +---------------+
 store ============v=read/is0===^======read/also0=v===write======^=write=
              +-----------------+      +------------+       +----+
   bob =======get2==================================v=======put2=========
)");
}

TEST(Diagram, MessagesToOneself) {
  EXPECT_EQ("\n" + diagram(read(R"({"process": "p", "kind": "send", "message": "m", "to": "p"}
{"process": "p", "kind": "receive", "message": "m"})"),
                           {.unicode = true}),
            "\n p ━━m━▲━\n     └─┘\n");
}

TEST(Diagram, WideLabelsTakeTwoColumns) {
  EXPECT_EQ("\n" + diagram(read(R"({"process": "店", "kind": "internal", "labels": ["中e\u0301"]}
{"process": "pq", "kind": "internal", "labels": ["ab"]})"),
                           {.unicode = true}),
            "\n 店 ━━中e\u0301━━━━\n\n pq ━━━━━━ab━\n");
}

TEST(Diagram, OfAnythingFitsTheColumns) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto computation = random_computation({.seed = seed,
                                                 .processes = 1 + static_cast<unsigned>(seed % 9),
                                                 .events = 60,
                                                 .multicast_rate = 0.3,
                                                 .batch_rate = 0.5,
                                                 .duplicate_rate = 0.2,
                                                 .labels = {{"a", 0.2}, {"long-label", 0.1}}});
    ASSERT_TRUE(computation.has_value());
    std::istringstream lines(diagram(*computation, {.unicode = seed % 2 == 0, .columns = 60}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 60U);
  }
  const auto crowd = random_computation({.processes = 100});
  EXPECT_NE(diagram(*crowd, {}).find("too many"), std::string::npos);
}

}  // namespace
}  // namespace lightcone::cli
