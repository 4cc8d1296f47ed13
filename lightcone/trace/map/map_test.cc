// Logs of several shapes by their maps, and what is said of lines that do not fit.
#include <lightcone/trace/map/map.h>

#include <lightcone/base/json.h>
#include <lightcone/trace/jsonl/jsonl.h>
#include <lightcone/trace/map/mapped_lines.h>
#include <lightcone/trace/map/time_text.h>

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

[[nodiscard]] Expected<Reading> mapped(std::string_view map, std::string_view log,
                                       const ReadOptions& options = {}) {
  auto parsed = LineMap::parse(map, "a.map");
  if (!parsed) return failure(parsed.error());
  MappedLines lines(std::move(*parsed), "folder/a.log");
  auto reading = read_lines(log, lines, "a.log", options);
  if (!reading) return reading;
  for (std::string& note : lines.notes()) reading->notes.push_back(std::move(note));
  return reading;
}

[[nodiscard]] std::string jsonl_of(std::string_view map, std::string_view log) {
  const auto reading = mapped(map, log);
  return reading ? write_trace_text(reading->computation, Format::jsonl) : reading.error().text();
}

[[nodiscard]] Error error_of(std::string_view map, std::string_view log) {
  const auto reading = mapped(map, log);
  return reading ? Error{"no error", {}, 0, {}, 0, {}} : reading.error();
}

constexpr std::string_view simple = R"(
process = service      # who
kind    = op
message = id
labels  = what, /tags
vars    = amount, city = /address/city
time    = ts in ms
text    = msg
)";

TEST(Map, FindsMembersAndPointers) {
  EXPECT_EQ(
      jsonl_of(simple,
               R"({"service": "a", "op": "send", "id": 7, "what": "order", "tags": ["x", "y"], )"
               R"("amount": 3, "address": {"city": "Rome"}, "ts": 1500, "msg": "go"}
{"service": "b", "op": "receive", "id": 7, "amount": true}
)"),
      R"({"lightcone": 1, "processes": ["a", "b"]}
{"process": "a", "kind": "send", "message": "7", "labels": ["order", "x", "y"], )"
      R"("vars": {"amount": 3, "city": "Rome"}, "time": 1.5, "text": "go", "source": "a.log:1"}
{"process": "b", "kind": "receive", "message": "7", "vars": {"amount": true}, "source": "a.log:2"}
)");
}

constexpr std::string_view blocks = R"(
process = "node-" pid
time    = time
text    = msg
lines   = skip

when msg =~ "^sent (?<id>\w+) to (?<peer>\d+)$"
  kind    = "send"
  message = id
  to      = "node-" peer

when msg =~ "^got (?<id>\w+)$" and level != 10
  kind    = "receive"
  message = id

when level == 10
  kind = "none"

when error
  labels = "error"
)";

TEST(Map, BlocksSeeGroupsOfTheirExpression) {
  const auto reading =
      mapped(blocks,
             R"({"pid": 1, "level": 30, "msg": "sent m1 to 2", "time": "2026-11-17T18:00:00Z"}
not json at all
{"pid": 2, "level": 10, "msg": "got m9"}
{"pid": 2, "level": 30, "msg": "got m1", "error": null}
{"pid": 2, "level": 50, "msg": "failed", "error": {"code": 3}}
)");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->notes, (std::vector<std::string>{"1 line skipped: no JSON object",
                                                      "1 line skipped: no event, by the map"}));
  EXPECT_EQ(write_trace_text(reading->computation, Format::jsonl),
            R"({"lightcone": 1, "processes": ["node-1", "node-2"]}
{"process": "node-1", "kind": "send", "message": "m1", "to": "node-2", )"
            R"("time": 1794938400.0, "text": "sent m1 to 2", "source": "a.log:1"}
{"process": "node-2", "kind": "receive", "message": "m1", "text": "got m1", "source": "a.log:4"}
{"process": "node-2", "kind": "internal", "labels": ["error"], )"
            R"("text": "failed", "source": "a.log:5"}
)");
}

TEST(Map, AMapMayBeginWithAByteOrderMark) {
  const std::string read = jsonl_of("\xef\xbb\xbfprocess = p\n", R"({"p":"a"})");
  EXPECT_NE(read.find(R"({"process": "a", "kind": "internal")"), std::string::npos) << read;
}

TEST(Map, NumbersOfAnySizeAreRead) {
  const std::string read =
      jsonl_of("process = p\nlabels = e\nvars = id\n",
               R"({"p":"a","e":"x","id":123456789012345678901234567890,"y":1e999})");
  EXPECT_NE(read.find(R"("vars": {"id": "123456789012345678901234567890"})"), std::string::npos)
      << read;
}

TEST(Map, AllOtherMembersMayBeVariables) {
  EXPECT_EQ(jsonl_of("process = p\nvars = *\ntext = msg\n",
                     R"({"p": "a", "msg": "m", "x": 1, "y": "s", "z": {"deep": 1}, "n": null})"
                     "\n"),
            R"({"lightcone": 1, "processes": ["a"]}
{"process": "a", "kind": "internal", "vars": {"x": 1, "y": "s"}, "text": "m", "source": "a.log:1"}
)");
}

TEST(Map, AReceiveMayTakeAList) {
  const auto reading = mapped("process = p\nkind = k\nmessage = m\n",
                              R"({"p": "a", "k": "send", "m": "1"}
{"p": "a", "k": "send", "m": "2"}
{"p": "b", "k": "receive", "m": ["1", "2"]})");
  ASSERT_TRUE(reading) << reading.error().text();
  EXPECT_EQ(reading->computation.edge_count(), 2U);
}

TEST(Map, ErrorsNameLineAndMember) {
  const Error missing =
      error_of(simple, "{\"service\": \"a\", \"op\": \"internal\"}\n{\"op\": \"send\"}");
  EXPECT_EQ(missing.file, "a.log");
  EXPECT_EQ(missing.line, 2U);
  EXPECT_EQ(missing.what, "member `service` is missing");
  EXPECT_EQ(missing.hint, "a.map:2 takes the process from it");

  const Error message = error_of(simple, R"({"service": "a", "op": "send"})");
  EXPECT_EQ(message.what, "member `id` is missing");
  EXPECT_EQ(message.hint, "a.map:4 takes the message of a send from it");

  EXPECT_NE(error_of(simple, R"({"service": "a", "op": "sent", "id": 1})").what.find("not a kind"),
            std::string::npos);
  EXPECT_NE(
      error_of(simple, R"({"service": ["a"], "op": "internal"})").what.find("member `service`"),
      std::string::npos);
  EXPECT_NE(error_of(simple, R"({"service": "a", "op": "internal", "ts": "noon"})")
                .what.find("member `ts` is neither"),
            std::string::npos);
  EXPECT_NE(error_of(simple, "\n\n[1]").what.find("not a JSON object"), std::string::npos);
  EXPECT_EQ(error_of(simple, "\n\n[1]").line, 3U);
  EXPECT_NE(error_of(simple, R"({"service": "a", "op": "receive", "id": "never"})")
                .what.find("never sent"),
            std::string::npos);
}

TEST(Map, MapsAreCheckedBeforeTheyAreUsed) {
  const auto wrong = [](std::string_view map) {
    const auto parsed = LineMap::parse(map, "a.map");
    return parsed ? "no error" : parsed.error().text();
  };
  EXPECT_NE(wrong("proces = a\n").find("did you mean"), std::string::npos);
  EXPECT_NE(wrong("process a\n").find("`=` is missing"), std::string::npos);
  EXPECT_NE(wrong("kind = a\n").find("where the process is"), std::string::npos);
  EXPECT_NE(wrong("process = a\nprocess = b\n").find("set twice"), std::string::npos);
  EXPECT_NE(wrong("process = a\nkind = \"sent\"\n").find("unknown kind"), std::string::npos);
  EXPECT_NE(wrong("process = a\ntime = t in hours\n").find("unit of time"), std::string::npos);
  EXPECT_NE(wrong("process = a\nwhen x =~ \"(\"\n").find("a.map:2"), std::string::npos);
  EXPECT_NE(wrong("process = \"a\n").find("no closing quote"), std::string::npos);
  EXPECT_NE(wrong("process = a\nwhen x == y\n").find("in quotes"), std::string::npos);
  EXPECT_NE(wrong("process = a\nwhen \"x\" == 1\n").find("begins with a member"),
            std::string::npos);
  EXPECT_EQ(wrong("process = a\nwhen x == -1.5 and not y and z contains \"#\"\n"), "no error");
}

TEST(Map, TheOptionsNameAMapThatIsRead) {
  EXPECT_NE(read_map(std::string_view("{}"), "a.log", {}).error().hint.find("--map"),
            std::string::npos);
  EXPECT_FALSE(read_map(std::string_view("{}"), "a.log", {.map = "/nowhere/a.map"}));
}

/// The lines of a trace as another logger would write them; nothing if a map cannot say it.
[[nodiscard]] std::optional<std::string> as_log(const std::string& jsonl) {
  std::string log;
  std::istringstream lines(jsonl);
  for (std::string line; std::getline(lines, line);) {
    const auto event = Json::parse(line);
    const bool is_odd = event->contains("sends") || event->contains("duplicate") ||
                        line.find("{\"real\"") != std::string::npos;
    if (is_odd) return std::nullopt;
    if (event->contains("processes")) continue;
    Json made{{"@who", Json{{"name", *event->find("process")}}}, {"@op", *event->find("kind")}};
    for (const char* member : {"message", "to", "labels", "time", "text", "source"}) {
      if (const Json* value = event->find(member)) made[std::string("@") + member] = *value;
    }
    if (const Json* variables = event->find("vars")) made.update(*variables);
    log += made.dump() + "\n";
  }
  return log;
}

/// The events without what a map cannot say. The order of processes is that of their first lines.
[[nodiscard]] std::multiset<std::string> lines_of(const Computation& c) {
  std::istringstream text(write_trace_text(c, Format::jsonl));
  std::multiset<std::string> lines;
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    const auto event = Json::parse(line);
    Json kept = Json::object();
    for (const char* member :
         {"process", "kind", "message", "to", "labels", "vars", "time", "text", "source"}) {
      if (const Json* value = event->find(member)) kept[member] = *value;
    }
    lines.insert(kept.dump());
  }
  return lines;
}

TEST(Map, AnyTraceComesBackFromALogOfAnotherShape) {
  constexpr std::string_view map = R"(
process = /@who/name
kind    = @op
message = @message
to      = @to
labels  = @labels
vars    = *
time    = @time
text    = @text
source  = @source
)";
  int compared = 0;
  arbitrary::for_all_computations("maps", 400, [&](const Computation& c) {
    const auto log = as_log(write_trace_text(c, Format::jsonl));
    if (!log) return;
    const auto reading = mapped(map, *log);
    if (!reading) RC_FAIL(reading.error().text());
    RC_ASSERT(lines_of(reading->computation) == lines_of(c));
    ++compared;
  });
  EXPECT_GT(compared, 0);
}

TEST(TimeText, ReadsDatesAndNumbers) {
  EXPECT_EQ(log_time_in("12.5"), 12.5);
  EXPECT_EQ(log_time_in("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(log_time_in("2026-11-17T18:00:00Z"), 1794938400);
  EXPECT_EQ(log_time_in("2026-11-17 19:00:00,250+01:00"), 1794938400.25);
  EXPECT_EQ(log_time_in("2026-11-17T13:00:00.5-0500"), 1794938400.5);
  EXPECT_EQ(log_time_in("2026-11-17T18:00"), 1794938400);
  EXPECT_EQ(log_time_in("2026-11-17T18:00", 3), 1794938400);
  EXPECT_EQ(log_time_in("1794940963508", 3), 1794940963.508);
  EXPECT_EQ(log_time_in("1794940963508.25", 3), 1794940963.50825);
  EXPECT_EQ(log_time_in("1794940400594000000", 9), 1794940400.594);
  EXPECT_EQ(log_time_in("-1.5e3", 3), -1.5);
  for (const char* bad : {"", "noon", "2026-13-01T00:00:00Z", "2026-11-17", "2026-11-17T25:00:00Z",
                          "2026-11-17T18:00:00X", "nan", "inf"}) {
    EXPECT_FALSE(log_time_in(bad)) << bad;
  }
}

}  // namespace
}  // namespace lightcone
