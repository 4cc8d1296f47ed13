// Chrome traces: our own come back without loss, those of others by time and flows.
#include <lightcone/trace/chrome/chrome.h>

#include <lightcone/base/json.h>
#include <lightcone/trace.h>
#include <lightcone/trace/chrome/event_stream.h>
#include <lightcone/trace/format_detection.h>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

[[nodiscard]] Expected<Reading> read(std::string_view text, const ReadOptions& options = {}) {
  return read_chrome(text, "a.json", options);
}

[[nodiscard]] std::string jsonl_of(std::string_view text) {
  const auto reading = read(text);
  return reading ? write_trace_text(reading->computation, Format::jsonl) : reading.error().text();
}

TEST(Chrome, SlicesAreTwoEventsAndFlowsAreMessages) {
  EXPECT_EQ(jsonl_of(R"({"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "shop"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}},
{"ph": "X", "name": "order", "cat": "web", "pid": 1, "tid": 2, "ts": 1000000, "dur": 500000,
 "args": {"id": 7, "deep": {"a": 1}}},
{"ph": "s", "name": "call", "cat": "web", "id": 5, "pid": 1, "tid": 2, "ts": 1200000},
{"ph": "B", "name": "charge", "pid": 9, "tid": 9, "ts": 1300000},
{"ph": "f", "bp": "e", "name": "call", "cat": "web", "id": 5, "pid": 9, "tid": 9, "ts": 1300000},
{"ph": "i", "name": "paid", "pid": 9, "tid": 9, "ts": 1350000, "s": "t"},
{"ph": "E", "pid": 9, "tid": 9, "ts": 1400000},
{"ph": "C", "name": "load", "pid": 9, "ts": 1400000, "args": {"x": 1}}
], "displayTimeUnit": "ms"})"),
            R"({"lightcone": 1, "processes": ["shop/main", "9/9"], "displayTimeUnit": "ms"}
{"process": "shop/main", "kind": "internal", "labels": ["order"], "vars": {"id": 7}, )"
            R"("time": 1.0, "cat": "web", "args": {"deep": {"a":1}}}
{"process": "shop/main", "kind": "send", "message": "5", "labels": ["call"], )"
            R"("time": 1.2, "cat": "web"}
{"process": "9/9", "kind": "receive", "message": "5", "labels": ["charge"], "time": 1.3}
{"process": "9/9", "kind": "internal", "labels": ["paid"], "time": 1.35}
{"process": "9/9", "kind": "internal", "labels": ["end charge"], "time": 1.4}
{"process": "shop/main", "kind": "internal", "labels": ["end order"], "time": 1.5}
)");
  EXPECT_EQ(read(R"([{"ph": "C", "name": "load", "pid": 9, "ts": 1}])")->notes.size(), 1U);
}

// Six instants and two slices of one thread, and metadata of others.
TEST(Chrome, ReadsWhatNodeWrites) {
  const std::string file = LIGHTCONE_TEST_DATA "/data/chrome/node.json";
  const auto reading = read_trace(file, detect_format(file).value());
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.process_count(), 1U);
  EXPECT_EQ(reading->computation.event_count(), 10U);
  EXPECT_EQ(reading->computation.process_name(0), "node/JavaScriptMainThread");
}

/// The labels of all events, in the order of their only thread.
[[nodiscard]] std::vector<std::string> labels_of(std::string_view text) {
  const auto reading = read(text);
  if (!reading) return {reading.error().text()};
  std::vector<std::string> labels;
  const Computation& c = reading->computation;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    labels.emplace_back(c.labels(e).empty() ? "-" : c.names()[c.labels(e)[0]]);
  }
  return labels;
}

TEST(Chrome, SlicesNestWhateverTheirOrderInTheFile) {
  const std::vector<std::string> nested{"outer",     "inner",     "nothing", "end nothing",
                                        "end inner", "end outer", "next",    "end next"};
  EXPECT_EQ(labels_of(R"([
{"ph": "X", "name": "inner", "pid": 1, "tid": 1, "ts": 10, "dur": 10},
{"ph": "X", "name": "nothing", "pid": 1, "tid": 1, "ts": 10, "dur": 0},
{"ph": "X", "name": "next", "pid": 1, "tid": 1, "ts": 30, "dur": 5},
{"ph": "X", "name": "outer", "pid": 1, "tid": 1, "ts": 10, "dur": 20}
])"),
            nested);
}

TEST(Chrome, FlowsGoOnAndTheirNumbersMayBeUsedAgain) {
  const auto reading = read(R"([
{"ph": "s", "name": "a", "cat": "c", "id": "0x1", "pid": 1, "tid": 1, "ts": 1},
{"ph": "t", "name": "a", "cat": "c", "id": "0x1", "pid": 1, "tid": 2, "ts": 2},
{"ph": "f", "name": "a", "cat": "c", "id": "0x1", "pid": 1, "tid": 3, "ts": 3},
{"ph": "s", "name": "a", "cat": "c", "id": "0x1", "pid": 1, "tid": 3, "ts": 4},
{"ph": "f", "name": "a", "cat": "c", "id": "0x1", "pid": 1, "tid": 1, "ts": 5},
{"ph": "s", "name": "b", "cat": "c", "id": "0x1", "pid": 1, "tid": 1, "ts": 6}
])");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.edge_count(), 3U);
  EXPECT_EQ(reading->computation.message_count(), 4U);
}

TEST(Chrome, SlicesMayBeBoundByFlows) {
  const auto reading = read(R"([
{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "bind_id": "0x9", "flow_out": true},
{"ph": "X", "name": "b", "pid": 1, "tid": 2, "ts": 5, "dur": 1,
 "bind_id": "0x9", "flow_in": true, "flow_out": true},
{"ph": "X", "name": "c", "pid": 1, "tid": 3, "ts": 9, "dur": 1, "bind_id": "0x9", "flow_in": true}
])");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.edge_count(), 2U);
}

TEST(Chrome, AFlowThatHasNoStartIsAReceiveWithoutASend) {
  const std::string text = R"([{"ph": "f", "name": "a", "id": 1, "pid": 1, "tid": 1, "ts": 1}])";
  EXPECT_NE(jsonl_of(text).find("never sent"), std::string::npos);
  EXPECT_TRUE(read(text, {.lenient = true}));
}

TEST(Chrome, TheListNeedNotEnd) {
  EXPECT_EQ(labels_of("[{\"ph\": \"i\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1},\n"),
            std::vector<std::string>{"a"});
  const std::string torn =
      "[{\"ph\": \"i\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1},\n{\"ph\": \"i";
  const auto strict = read(torn);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().line, 2U);
  EXPECT_NE(strict.error().what.find("ends within an event"), std::string::npos);
  const auto prefix = read(torn, {.cut_off = true});
  ASSERT_TRUE(prefix) << prefix.error().text();
  EXPECT_EQ(prefix->computation.event_count(), 1U);
}

TEST(Chrome, ErrorsNameTheLineAndTheMember) {
  const auto error = [](std::string_view text) {
    const auto reading = read(text);
    return reading ? "no error" : reading.error().text();
  };
  EXPECT_NE(error("nothing").find("not a Chrome trace"), std::string::npos);
  EXPECT_NE(error("").find("not a Chrome trace"), std::string::npos);
  EXPECT_NE(error("{\"a\": [1, {\"]\": 2}]}").find("traceEvents"), std::string::npos);
  EXPECT_NE(error("{\"traceEvents\": 3}").find("must be a list"), std::string::npos);
  EXPECT_NE(error("[\n\n3]").find("a.json:3: an event must be a JSON object"), std::string::npos);
  EXPECT_NE(error("[\n{\"ph\": \"X\", \"pid\": 1}]").find("a.json:2: an event of phase X needs"),
            std::string::npos);
  EXPECT_NE(error("[\n{\"ph\": \"XX\"}]").find("`ph` must be one letter"), std::string::npos);
  EXPECT_NE(error("[{\"name\": \"a\"}]").find("`ph` is missing"), std::string::npos);
  EXPECT_NE(error("[{\"ph\": \"i\", \"ts\": \"soon\"}]").find("`ts` must be a number"),
            std::string::npos);
  EXPECT_NE(error("[{\"ph\": \"s\", \"ts\": 1}]").find("`id`"), std::string::npos);
  EXPECT_NE(error("[{\"ph\": \"s\", }]").find("broken JSON"), std::string::npos);
}

TEST(ChromeWriter, NothingIsLost) {
  arbitrary::for_all_computations("chrome", 500, [](const Computation& c) {
    const std::string text = write_trace_text(c, Format::chrome);
    const auto again = read(text);
    if (!again) RC_FAIL(again.error().text());
    RC_ASSERT(again->notes.empty());
    RC_ASSERT(write_trace_text(again->computation, Format::jsonl) ==
              write_trace_text(c, Format::jsonl));
  });
}

/// What was written, without the line that says that Lightcone wrote it.
[[nodiscard]] std::string as_of_others(std::string text) {
  const std::size_t begin = text.find("{\"ph\": \"M\", \"name\": \"lightcone\"");
  const std::size_t end = text.find("},\n", begin);
  return text.erase(begin, end + 3 - begin);
}

/// The slices, flows and times alone give the same order of causes: a start for each event.
TEST(ChromeWriter, OthersSeeTheSameOrder) {
  arbitrary::for_all_computations("chrome of others", 300, [](const Computation& c) {
    const auto again = read(as_of_others(write_trace_text(c, Format::chrome)));
    if (!again) RC_FAIL(again.error().text());
    const Computation& other = again->computation;
    // Only starts of events have variables: the members of their lines.
    std::map<std::string, std::vector<EventIndex>> starts;
    for (EventIndex e = 0; e < other.event_count(); ++e) {
      std::string process, kind;
      for (const Assignment& assignment : other.assignments(e)) {
        const auto* text = std::get_if<NameIndex>(&assignment.value);
        const std::string_view name = other.names()[assignment.variable];
        if (text != nullptr && name == "process") process = other.names()[*text];
        if (text != nullptr && name == "kind") kind = other.names()[*text];
      }
      if (!process.empty() && kind != "init") starts[process].push_back(e);
    }
    const definition::HappenedBefore before(c), before_other(other);
    const auto in_other = [&](EventIndex e) {
      return starts[std::string(c.process_name(c.process_of(e)))].at(c.rank_of(e) - 1);
    };
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (EventIndex f = 0; f < c.event_count(); ++f) {
        RC_ASSERT(before(e, f) == before_other(in_other(e), in_other(f)));
      }
    }
  });
}

/// The rules of the format: times that do not go back, slices that do not overlap on a thread, and
/// flows whose ends have one number each, lie inside slices, and go forward in time.
TEST(ChromeWriter, KeepsTheRulesOfTheFormat) {
  arbitrary::for_all_computations("rules of chrome", 200, [](const Computation& c) {
    const std::string text = write_trace_text(c, Format::chrome);
    std::size_t done = 0;
    EventStream stream(
        [&](char* buffer, std::size_t size) -> Expected<std::size_t> {
          const std::size_t count = text.copy(buffer, size, done);
          done += count;
          return count;
        },
        "t");
    std::map<std::uint64_t, std::pair<std::string, std::string>> slice;  // by thread: begin, end
    std::map<std::uint64_t, double> flow_starts;
    std::size_t slices = 0, arrows = 0;
    const auto number = [](const std::string& json, const std::string& key) {
      const std::size_t at = json.find("\"" + key + "\": ");
      RC_ASSERT(at != std::string::npos);
      return std::stod(json.substr(at + key.size() + 4));
    };
    std::map<std::uint64_t, double> last_end;
    for (auto next = stream.next(); next && *next; next = stream.next()) {
      const std::string json(**next);
      RC_ASSERT(Json::parse(json).has_value());
      const std::string phase = json.substr(json.find("\"ph\": \"") + 7, 1);
      if (phase == "X") {
        const auto thread = static_cast<std::uint64_t>(number(json, "tid"));
        const double begin = number(json, "ts"), duration = number(json, "dur");
        RC_ASSERT(duration > 0);
        if (last_end.contains(thread)) RC_ASSERT(begin >= last_end[thread] - 1e-6);
        last_end[thread] = begin + duration;
        slice[thread] = {std::to_string(begin), ""};
        ++slices;
      } else if (phase == "s" || phase == "f") {
        const auto thread = static_cast<std::uint64_t>(number(json, "tid"));
        const auto id = static_cast<std::uint64_t>(number(json, "id"));
        RC_ASSERT(slice[thread].first == std::to_string(number(json, "ts")));
        if (phase == "s") RC_ASSERT(flow_starts.emplace(id, number(json, "ts")).second);
        if (phase == "f") {
          RC_ASSERT(flow_starts.contains(id));
          RC_ASSERT(flow_starts[id] < number(json, "ts"));
          flow_starts.erase(id);
          ++arrows;
        }
      }
    }
    RC_ASSERT(flow_starts.empty());
    RC_ASSERT(arrows == c.edge_count());
    std::size_t initial = 0;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) initial += c.has_initial(p) ? 1 : 0;
    RC_ASSERT(slices == c.event_count() + initial);
  });
}

TEST(ChromeWriter, UsesTimesAndMovesWhatContradictsThem) {
  const auto reading = read_trace_text(
      R"({"process": "a", "kind": "send", "message": "m", "time": 5.0}
{"process": "b", "kind": "receive", "message": "m", "time": 3.0}
)",
      "t", Format::jsonl);
  OutputFile file = OutputFile::in_memory();
  const auto notes = write_chrome(reading->computation, file);
  EXPECT_EQ(notes, std::vector<std::string>{"1 event shown later than its time, so that no message "
                                            "arrives before it was sent."});
  const std::string text = file.take_bytes();
  EXPECT_NE(text.find("\"ts\": 5000000.000"), std::string::npos);
  EXPECT_NE(text.find("\"ts\": 5000000.001"), std::string::npos);
  EXPECT_NE(text.find("\"time\": 3.0"), std::string::npos);
}

/// Nanoseconds of times of day have too many digits for a floating-point number.
TEST(ChromeWriter, CountsTimesOfDayFromTheFirstSecond) {
  const std::string lines =
      R"({"process": "a", "kind": "send", "message": "m", "time": 1794963374.5}
{"process": "b", "kind": "receive", "message": "m", "time": 1794963374.25}
)";
  const auto reading = read_trace_text(lines, "t", Format::jsonl);
  const std::string text = write_trace_text(reading->computation, Format::chrome);
  EXPECT_NE(text.find(R"("labels": "time 0 is 1794963374 s")"), std::string::npos);
  EXPECT_NE(text.find("\"ts\": 500000.000"), std::string::npos);
  EXPECT_NE(text.find("\"ts\": 500000.001"), std::string::npos);
  EXPECT_EQ(jsonl_of(text), write_trace_text(reading->computation, Format::jsonl));
}

TEST(ChromeWriter, ShowsNumbersAsCounters) {
  const auto reading = read_trace_text(
      R"({"process": "a", "kind": "internal", "vars": {"x": 3, "s": "text"}})", "t", Format::jsonl);
  const std::string text = write_trace_text(reading->computation, Format::chrome);
  EXPECT_NE(text.find(R"("ph": "C", "cat": "lightcone", "name": "a.x")"), std::string::npos);
  EXPECT_EQ(text.find("a.s\""), std::string::npos);
}

}  // namespace
}  // namespace lightcone
