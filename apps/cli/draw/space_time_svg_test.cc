// Pictures: well-formed whatever the trace holds, with the whole path, and with nothing that
// overlaps.
#include "draw/space_time_svg.h"

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "commands/demo_traces.h"
#include "svg_soundness.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] Computation read(std::string_view text) {
  auto reading = read_trace_text(text, "test", Format::jsonl);
  EXPECT_TRUE(reading.has_value()) << reading.error().text();
  return std::move(reading->computation);
}

[[nodiscard]] bool draws(const std::string& svg, Moment moment, bool on_path) {
  return count(svg, "<g class=\"state" + std::string(on_path ? " on-path" : "") +
                        "\" data-process=\"" + std::to_string(moment.process) + "\" data-rank=\"" +
                        std::to_string(moment.rank) + "\">") == 1;
}

/// Sound, and messages go right.
void expect_sound(const std::string& svg) {
  expect_sound_svg(svg);
  static const std::regex arrow(
      R"re(class="message[^"]*" d="M([0-9.]+) [0-9.]+(?:L|Q[0-9.]+ [0-9.]+ )([0-9.]+))re");
  std::size_t arrows = 0;
  for (std::sregex_iterator it(svg.begin(), svg.end(), arrow), end; it != end; ++it, ++arrows) {
    EXPECT_LT(std::stod((*it)[1]), std::stod((*it)[2]));
  }
  EXPECT_EQ(arrows, count(svg, "class=\"message\"") + count(svg, "class=\"message leg\""));
}

TEST(SpaceTimeSvg, OfAControlFlow) {
  const Computation computation = read(control_flow_trace);
  const std::vector<Moment> path{{1, 1}, {0, 3}, {2, 6}, {0, 6}};
  const std::string svg = space_time_svg(
      computation, {.path = path, .marked = {{1, 3}}, .title = "c b d a", .subtitle = "a flow"});
  expect_sound(svg);
  for (const Moment& moment : path) EXPECT_TRUE(draws(svg, moment, true));
  for (const Moment passed : {Moment{1, 2}, {0, 2}, {0, 4}, {2, 4}, {2, 5}, {2, 7}, {0, 5}}) {
    EXPECT_TRUE(draws(svg, passed, true)) << passed.process << ":" << passed.rank;
  }
  EXPECT_TRUE(draws(svg, {1, 3}, false));
  EXPECT_EQ(count(svg, "class=\"mark\""), 1U);
  EXPECT_EQ(count(svg, "class=\"message leg\""), 3U);
  EXPECT_EQ(count(svg, "class=\"message\""), 4U);
  EXPECT_EQ(count(svg, "23 of 23 events"), 1U);
  EXPECT_EQ(count(svg, ">c b d a</text>"), 1U);
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_EQ(count(svg, "prefers-color-scheme:dark"), 1U);
}

TEST(SpaceTimeSvg, LooksLikeThePage) {
  std::stringstream palette;
  palette << std::ifstream(LIGHTCONE_SOURCE_DIR "/viewer/src/diagram/palette.ts").rdbuf();
  const std::string svg =
      space_time_svg(read(counter_trace), {.path = {{1, 6}}, .cut = {}, .title = "all"});
  static const std::regex colour("#[0-9a-f]{6}");
  std::set<std::string> colours;
  for (std::sregex_iterator it(svg.begin(), svg.end(), colour), end; it != end; ++it) {
    colours.insert(it->str());
    EXPECT_NE(palette.str().find(it->str()), std::string::npos) << it->str();
  }
  EXPECT_GT(colours.size(), 10U);
  const std::string all = space_time_svg(read(counter_trace), {.title = "all"});
  static const std::regex sends(R"re(sends [^<]*</title><rect class="dot)re");
  static const std::regex receives(R"re(receives [^<]*</title><circle class="dot[^"]* ring)re");
  const auto matches = [&](const std::regex& shape) {
    const std::sregex_iterator first(all.begin(), all.end(), shape);
    return static_cast<std::size_t>(std::distance(first, {}));
  };
  EXPECT_EQ(matches(sends), count(all, "\nsends ")) << all;
  EXPECT_EQ(matches(receives), count(all, "\nreceives ")) << all;
  EXPECT_GT(matches(sends), 0U);
}

TEST(SpaceTimeSvg, TooltipsSayAllThatTheTraceSays) {
  const Computation computation = read(
      R"({"process": "p", "kind": "internal", "labels": ["a", "b"], "vars": {"x": 1, "s": "<&>"},)"
      R"( "text": "one\ntwo", "source": "main.cc:7"})");
  const std::string svg = space_time_svg(computation, {.path = {{0, 1}}});
  expect_sound(svg);
  EXPECT_NE(svg.find("<title>p, event 1\na, b\nx = 1\ns = &quot;&lt;&amp;&gt;&quot;\none\ntwo\n"
                     "main.cc:7</title>"),
            std::string::npos)
      << svg;
}

TEST(SpaceTimeSvg, OfHostileNames) {
  const std::string name = R"(</text><script>alert('1')</script>&amp; ]]> \u0001\u202e\ufffe)";
  const std::string trace = R"({"process": ")" + name + R"(", "kind": "send", "message": ")" +
                            name + R"(", "labels": [")" + name + R"("], "source": ")" + name +
                            R"("}
{"process": "日本語日本語日本語日本語日本語", "kind": "receive", "message": ")" +
                            name +
                            R"(", "labels": ["😀😀😀😀😀😀😀😀😀😀😀😀😀😀", "é"]}
{"process": "", "kind": "internal", "vars": {")" +
                            name + R"(": ")" + name + R"("}})";
  const Computation computation = read(trace);
  const std::string svg =
      space_time_svg(computation, {.path = {{0, 1}, {1, 1}},
                                   .marked = {{2, 1}},
                                   .title = "\x01\xff<&\"'" + std::string(500, 'W'),
                                   .subtitle = std::string(3000, 'x') + "\nand\nmore\nlines\n"});
  expect_sound(svg);
  EXPECT_EQ(count(svg, "<script"), 0U);
}

TEST(SpaceTimeSvg, OfNothing) {
  const std::string svg = space_time_svg(Computation(), {.title = "empty"});
  expect_sound(svg);
  EXPECT_EQ(count(svg, "no events to show"), 1U);
}

TEST(SpaceTimeSvg, WithoutAPathItShowsTheBeginning) {
  const std::string svg = space_time_svg(read(counter_trace), {.title = "all"});
  expect_sound(svg);
  EXPECT_EQ(count(svg, "<g class=\"state"), 15U);  // and the store's initial state
  EXPECT_EQ(count(svg, "class=\"leg"), 0U);
}

TEST(SpaceTimeSvg, OfOneEventAndOfInitialStates) {
  const Computation computation = read(counter_trace);
  const std::string one = space_time_svg(computation, {.path = {{1, 6}}});
  expect_sound(one);
  EXPECT_TRUE(draws(one, {1, 6}, true));
  EXPECT_EQ(count(one, "class=\"leg"), 0U);
  const std::string initial = space_time_svg(computation, {.path = {{0, 0}, {1, 2}}});
  expect_sound(initial);
  EXPECT_TRUE(draws(initial, {0, 0}, true));
  EXPECT_TRUE(draws(initial, {0, 1}, true));
  EXPECT_EQ(count(initial, "class=\"message leg\""), 1U);
  const std::string alone = space_time_svg(computation, {.path = {{1, 0}}, .marked = {{2, 0}}});
  expect_sound(alone);
  EXPECT_TRUE(draws(alone, {1, 0}, true));
  EXPECT_TRUE(draws(alone, {2, 0}, false));
}

TEST(SpaceTimeSvg, AMessageToOneselfHangsBelowTheLine) {
  const std::string svg = space_time_svg(read(R"({"process": "p", "kind": "send", "message": "m"}
{"process": "p", "kind": "internal"}
{"process": "p", "kind": "receive", "message": "m"})"),
                                         {.path = {{0, 1}, {0, 3}}});
  expect_sound(svg);
  EXPECT_EQ(count(svg, "class=\"message\""), 1U);
  EXPECT_EQ(count(svg, "class=\"leg\""), 2U);
}

/// A token that goes round among three processes.
[[nodiscard]] Computation ring(std::size_t rounds, std::vector<Moment>& path) {
  std::string trace;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::string process = R"({"process": "p)" + std::to_string(i % 3) + R"(", "kind": )";
    const auto token = [&](std::size_t n) { return R"("message": "t)" + std::to_string(n); };
    if (i > 0) trace += process + R"("receive", )" + token(i - 1) + "\"}\n";
    trace += process + R"("internal", "labels": ["token"]})" + "\n";
    trace += process + R"("send", )" + token(i) + "\"}\n";
    const auto turn = static_cast<Rank>(i / 3);
    path.push_back({static_cast<ProcessIndex>(i % 3), 3 * turn + (i % 3 == 0 ? 1 : 2)});
  }
  return read(trace);
}

TEST(SpaceTimeSvg, ALongPathHasAGap) {
  std::vector<Moment> path;
  const Computation computation = ring(150, path);
  const std::string svg = space_time_svg(computation, {.path = path, .title = "round"});
  expect_sound(svg);
  EXPECT_TRUE(draws(svg, path.front(), true));
  EXPECT_TRUE(draws(svg, path.back(), true));
  EXPECT_EQ(count(svg, "class=\"band\""), 1U);
  EXPECT_EQ(count(svg, "… 388 more events"), 1U);  // of 448, 60 are shown
  EXPECT_EQ(count(svg, "class=\"leg hidden\""), 1U);
  EXPECT_LE(count(svg, "<g class=\"state"), 130U);
  std::vector<Moment> few;
  const Computation short_one = ring(15, few);
  const std::string whole = space_time_svg(short_one, {.path = few});
  expect_sound(whole);
  for (const Moment& moment : few) EXPECT_TRUE(draws(whole, moment, true));
  EXPECT_EQ(count(whole, "class=\"band\""), 0U);
}

TEST(SpaceTimeSvg, LongStretchesAreElided) {
  std::string trace;
  for (int i = 0; i < 400; ++i) trace += "{\"process\": \"p\", \"kind\": \"internal\"}\n";
  const std::string svg = space_time_svg(read(trace), {.path = {{0, 100}, {0, 300}}});
  expect_sound(svg);
  EXPECT_TRUE(draws(svg, {0, 100}, true));
  EXPECT_TRUE(draws(svg, {0, 300}, true));
  EXPECT_EQ(count(svg, " more</text>"), 1U);
  EXPECT_EQ(count(svg, "class=\"leg hidden\""), 1U);
}

/// Where the cut crosses the lines, from top to bottom.
[[nodiscard]] std::vector<double> crossings(const std::string& svg) {
  static const std::regex line(R"re(class="cut" d="([^"]*)")re");
  static const std::regex end(R"re((?:M([0-9.]+) |C(?:[0-9.]+ ){4}([0-9.]+) ))re");
  std::smatch path;
  if (!std::regex_search(svg, path, line)) return {};
  const std::string d = path[1];
  std::vector<double> x;
  for (std::sregex_iterator it(d.begin(), d.end(), end), none_left; it != none_left; ++it) {
    x.push_back(std::stod((*it)[1].matched ? (*it)[1] : (*it)[2]));
  }
  return x;
}

/// Each state that is drawn stands on its side of the cut, on every line.
void expect_divided(const std::string& svg, const std::vector<Rank>& cut) {
  static const std::regex state(
      R"re(data-process="(\d+)" data-rank="(\d+)".*?)re"
      R"re(<(?:rect|circle|path) class="dot[^"]*" (?:c?x="|d="M)([0-9.]+))re");
  const std::vector<double> x = crossings(svg);
  ASSERT_FALSE(x.empty());
  std::string flat = svg;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  std::size_t states = 0;
  for (std::sregex_iterator it(flat.begin(), flat.end(), state), end; it != end; ++it, ++states) {
    const bool inside = std::stoul((*it)[2]) <= cut[std::stoul((*it)[1])];
    for (const double crossing : x) {
      EXPECT_EQ(std::stod((*it)[3]) < crossing, inside) << (*it)[1] << ":" << (*it)[2];
    }
  }
  EXPECT_EQ(states, count(svg, "<g class=\"state"));
}

TEST(SpaceTimeSvg, ACutIsALineAcross) {
  const Computation computation = read(counter_trace);
  for (const std::vector<Rank>& cut :
       {std::vector<Rank>{2, 4, 1}, {0, 0, 0}, {3, 8, 3}, {1, 2, 0}}) {
    const std::string svg = space_time_svg(computation, {.cut = cut, .title = "a state"});
    expect_sound(svg);
    EXPECT_EQ(crossings(svg).size(), 3U);
    expect_divided(svg, cut);
    for (ProcessIndex p = 0; p < 3; ++p) EXPECT_TRUE(draws(svg, {p, cut[p]}, false));
    EXPECT_EQ(count(svg, "class=\"inside\""), 1U);
    EXPECT_EQ(count(svg, "14 of 14 events; the line is the global state"), 1U);
  }
  EXPECT_EQ(count(space_time_svg(computation, {}), "class=\"cut\""), 0U);
}

TEST(SpaceTimeSvg, NotesStandInsteadOfLabels) {
  const Computation computation = read(counter_trace);
  const std::vector<Rank> cut{2, 4, 1};
  const std::string plain = space_time_svg(computation, {.cut = cut});
  const std::string svg = space_time_svg(
      computation, {.cut = cut, .notes = {{{1, 4}, "x = 3"}, {{2, 1}, "\"<b>\x01\" = \"&\""}}});
  expect_sound(svg);
  expect_divided(svg, cut);
  EXPECT_EQ(count(svg, ">x = 3</text>"), 1U);
  EXPECT_EQ(count(svg, ">read</text>") + 1, count(plain, ">read</text>"));
  // The line gives way to them.
  EXPECT_GT(crossings(svg)[2], crossings(plain)[2]);
}

TEST(SpaceTimeSvg, CutsOfAnythingAreSound) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto computation =
        random_computation({.seed = seed,
                            .processes = 1 + static_cast<unsigned>(seed % 25),
                            .events = seed % 7 == 0 ? 0 : 300U,
                            .multicast_rate = 0.2,
                            .batch_rate = 0.4,
                            .labels = {{"a", 0.2}, {"a-rather-long-label", 0.1}}});
    ASSERT_TRUE(computation.has_value());
    const auto happened = computation->order().first(computation->event_count() * (seed % 11) / 10);
    Picture picture{.cut = std::vector<Rank>(computation->process_count(), 0), .title = "any"};
    for (const EventIndex e : happened) ++picture.cut[computation->process_of(e)];
    if (!happened.empty() && seed % 3 == 0) {
      picture.marked.push_back({computation->process_of(happened[0]), 1});
    }
    const std::string svg = space_time_svg(*computation, picture);
    expect_sound(svg);
    expect_divided(svg, picture.cut);
    EXPECT_LE(crossings(svg).size(), 13U);
    EXPECT_EQ(count(svg, "class=\"mark\""), picture.marked.size());
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(SpaceTimeSvg, OfAnythingIsSound) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto computation = random_computation(
        {.seed = seed,
         .processes = 1 + static_cast<unsigned>(seed % 20),
         .events = 300,
         .multicast_rate = 0.2,
         .batch_rate = 0.4,
         .duplicate_rate = 0.2,
         .labels = {{"a", 0.2}, {"a-rather-long-label", 0.1}, {"<other>", 0.1}}});
    ASSERT_TRUE(computation.has_value());
    Picture picture{.title = "any"};
    const auto order = computation->order();
    for (std::size_t i = seed; i < order.size(); i += 5 + 3 * (seed % 11)) {
      const Moment moment{computation->process_of(order[i]), computation->rank_of(order[i])};
      (i % 3 == 0 ? picture.marked : picture.path).push_back(moment);
    }
    const std::string svg = space_time_svg(*computation, picture);
    expect_sound(svg);
    EXPECT_LE(count(svg, "<g class=\"state"), 160U);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace lightcone::cli
