// Pictures of lattices: every state and every step once, inevitable ones marked, nothing overlaps.
#include "draw/lattice/lattice_svg.h"

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/trace.h>

#include <cmath>

#include "commands/demo_traces.h"
#include "draw/lattice/lattice_layout.h"
#include "svg_soundness.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] Computation read(std::string_view text) {
  auto reading = read_trace_text(text, "test", Format::jsonl);
  EXPECT_TRUE(reading.has_value()) << reading.error().text();
  return std::move(reading->computation);
}

/// Processes that each have so many events, and never communicate.
[[nodiscard]] Computation independent(std::size_t processes, std::size_t events) {
  std::string trace;
  for (std::size_t p = 0; p < processes; ++p) {
    for (std::size_t i = 0; i < events; ++i) {
      trace += R"({"process": "p)" + std::to_string(p) + R"(", "kind": "internal"})" + "\n";
    }
  }
  return read(trace);
}

/// What a picture of all events must have.
void expect_whole(const Computation& computation) {
  const Level level(computation, Selection::all(computation));
  const auto graph = lattice_graph(Futures(level));
  ASSERT_TRUE(graph.has_value()) << graph.error().text();
  EXPECT_EQ(graph->inevitable(), inevitable_states(level).count());
  const std::string svg = lattice_svg({level, *graph, "a lattice"});
  expect_sound_svg(svg);
  EXPECT_EQ(count(svg, "<g class=\"cut"), graph->cuts.size());
  EXPECT_EQ(count(svg, "<g class=\"cut inevitable"), graph->inevitable());
  EXPECT_EQ(count(svg, "<path class=\"edge "), graph->edges.size() + level.chains());
  const std::string dot = lattice_dot({level, *graph, "a lattice"});
  EXPECT_EQ(count(dot, " -> "), graph->edges.size());
  EXPECT_EQ(count(dot, "filled"), graph->inevitable());
}

TEST(LatticeSvg, OfTheCounter) {
  expect_whole(read(counter_trace));
  const Computation computation = read(counter_trace);
  const Level level(computation, Selection::all(computation));
  const auto graph = lattice_graph(Futures(level));
  const std::string svg = lattice_svg({level, *graph, "of <a> & b"});
  EXPECT_EQ(count(svg, ">of &lt;a&gt; &amp; b</text>"), 1U);
  EXPECT_EQ(count(svg, ">3,8,3</text>"), 1U);
  EXPECT_EQ(count(svg, ">alice</text>"), 1U);
}

TEST(LatticeSvg, OfAnything) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto computation = random_computation({.seed = seed,
                                                 .processes = 1 + static_cast<unsigned>(seed % 4),
                                                 .events = static_cast<unsigned>(seed % 13),
                                                 .message_rate = 0.7});
    ASSERT_TRUE(computation.has_value());
    expect_whole(*computation);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(LatticeSvg, StatesStandApart) {
  const Computation computation = independent(3, 4);
  const Level level(computation, Selection::all(computation));
  const auto graph = lattice_graph(Futures(level));
  ASSERT_TRUE(graph.has_value());
  const std::vector<double> places = lattice_places(*graph);
  for (std::size_t row = 0; row < graph->rows(); ++row) {
    for (std::uint32_t i = graph->row_begin[row]; i < graph->row_begin[row + 1]; ++i) {
      EXPECT_GE(places[i], 0);
      for (std::uint32_t k = graph->row_begin[row]; k < i; ++k) {
        EXPECT_GE(std::abs(places[i] - places[k]), 1 - 1e-9);
      }
    }
  }
}

TEST(LatticeSvg, WhereThereIsNoRoomForRanksStatesAreDots) {
  expect_whole(independent(8, 1));
  expect_whole(independent(1, 499));
  expect_whole(Computation());
}

TEST(LatticeSvg, TooManyStatesAreAnError) {
  const auto problem = [](const Computation& computation) {
    const Level level(computation, Selection::all(computation));
    const auto graph = lattice_graph(Futures(level));
    return graph ? "" : graph.error().what;
  };
  EXPECT_EQ(problem(independent(1, 500)),
            "the lattice has 501 global states: too many for a picture of at most 500");
  EXPECT_EQ(
      problem(independent(40, 1)),
      "the lattice has 1,099,511,627,776 global states: too many for a picture of at most 500");
}

TEST(LatticeSvg, NamesInDotAreQuoted) {
  const Computation computation = read(R"({"process": "a \"b\" \\ c", "kind": "internal"})"
                                       "\n");
  const Level level(computation, Selection::all(computation));
  const auto graph = lattice_graph(Futures(level));
  EXPECT_EQ(lattice_dot({level, *graph, "t"}), R"(digraph states {
  label="t";
  rankdir=BT;
  node [shape=box, style=rounded];
  s0 [label="0", style="rounded,bold,filled"];
  s1 [label="1", style="rounded,bold,filled"];
  s0 -> s1 [label="a \"b\" \\ c"];
}
)");
}

}  // namespace
}  // namespace lightcone::cli
