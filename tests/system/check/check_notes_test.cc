// What a check must not pass over in silence, and what it says of times, values and widths.
#include <fmt/format.h>

#include "system/shell.h"

namespace lightcone {
namespace {

class CheckNotes : public Shell {
 protected:
  [[nodiscard]] Result check(std::string_view properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop t.jsonl");
  }
  [[nodiscard]] Result stream(std::string_view properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop - < t.jsonl");
  }
  /// Recorded and streamed: the note is there, and --strict fails.
  void expect_note(std::string_view properties, const std::string& note) const {
    for (const Result& result : {check(properties), stream(properties)}) {
      EXPECT_TRUE(has(result.err, {note})) << result.out << result.err;
      EXPECT_NE(result.status, 2) << result.err;
    }
    EXPECT_EQ(check(properties, "--strict").status, 2) << properties;
    EXPECT_EQ(stream(properties, "--strict").status, 2) << properties;
  }
  /// One process with `a` and `b` at these times.
  void write_times(std::string_view first, std::string_view second) const {
    write("t.jsonl", fmt::format(R"({{"process": "p", "kind": "internal", "labels": ["a"], )"
                                 R"("time": {}}}
{{"process": "p", "kind": "internal", "labels": ["b"], "time": {}}}
)",
                                 first, second));
  }
};

TEST_F(CheckNotes, NumbersAreMatchedAsTheyAreWritten) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "vars": {"code": 503, "share": 0.25}}
{"process": "p", "kind": "internal", "vars": {"code": 200, "share": 12.0}}
{"process": "p", "kind": "internal", "vars": {"code": -7, "share": true}}
)");
  for (const auto& [predicate, places] : {
           std::pair(R"(code =~ "^5")", "at 1 place: p:1"),
           std::pair(R"(code contains "0")", "at 2 places: p:1, p:2"),
           std::pair(R"(code =~ "^-7$")", "at 1 place: p:3"),
           std::pair(R"(share =~ "^0\.25$")", "at 1 place: p:1"),
           std::pair(R"(share =~ "^12$")", "at 1 place: p:2"),
           std::pair(R"(share =~ "^1$")", "at 1 place: p:3"),
           std::pair(R"(code + 1 contains "504")", "at 1 place: p:1"),
           std::pair(R"(time contains "")", "nowhere"),
       }) {
    const std::string properties =
        fmt::format("label l = {}\nwatch w : logic {{ x := l }}\n", predicate);
    for (const Result& result : {check(properties), stream(properties)}) {
      EXPECT_TRUE(has(result.out, {places})) << predicate << '\n' << result.out << result.err;
    }
  }
}

TEST_F(CheckNotes, AGroupOfALogIsMatchedWhateverOtherLinesHold) {
  write("p.prop", "label c = code =~ \"^5\"\nforbid e : some flow contains c\n");
  for (const char* other : {"200", "none"}) {
    write("sv.log",
          fmt::format("code=503 GET /a\np {{\"p\":1}}\ncode={} GET /b\np {{\"p\":2}}\n", other));
    const Result result = run(R"(lightcone check p.prop sv.log --regex )"
                              R"('code=(?<code>\S+) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})')");
    EXPECT_EQ(result.status, 1) << other << result.out << result.err;
  }
}

TEST_F(CheckNotes, TimesAreComparedAsTheyAreWritten) {
  for (const auto& [first, second, within, status] : {
           std::tuple("1.020", "1.195", "175 ms", 0),
           std::tuple("1.020", "1.195", "174.999 ms", 1),
           std::tuple("1763416800.1", "1763416800.3", "200 ms", 0),
           std::tuple("1763416800.1", "1763416800.300001", "200 ms", 1),
           std::tuple("1763416800.000001", "1763416800.000002", "1 us", 0),
           std::tuple("0.1", "42.1", "0.7 min", 0),
       }) {
    write_times(first, second);
    const std::string properties =
        fmt::format("require ok : some flow at b contains a -> b within {}\n", within);
    EXPECT_EQ(check(properties).status, status) << first << ' ' << second << ' ' << within;
    EXPECT_EQ(stream(properties).status, status) << first << ' ' << second << ' ' << within;
  }
}

/// A request at 1 and a reply of another process at 1.195.
constexpr std::string_view request_and_reply =
    R"({"process": "client", "kind": "send", "message": "m1", "labels": ["request"], "time": 1.000}
{"process": "server", "kind": "receive", "message": "m1", "labels": ["reply"], "time": 1.195}
)";

TEST_F(CheckNotes, ClocksAreComparedAsTheyAreWritten) {
  write("t.jsonl", request_and_reply);
  for (const auto& [within, status] : {std::pair("184.999 ms", 1), std::pair("185 ms", 3),
                                       std::pair("204.999 ms", 3), std::pair("205 ms", 0)}) {
    const std::string properties = fmt::format(
        "clocks within 10 ms\n"
        "require ok : some flow at reply contains request -> reply within {}\n",
        within);
    EXPECT_EQ(check(properties).status, status) << within;
    EXPECT_EQ(stream(properties).status, status) << within;
  }
}

TEST_F(CheckNotes, ExplainsTimes) {
  write("t.jsonl", request_and_reply);
  const auto properties = [](std::string_view within) {
    return fmt::format(
        "clocks within 10 ms\n"
        "require ok : some flow at reply contains request -> reply within {}\n",
        within);
  };
  const Result late = check(properties("100 ms"), "--explain");
  EXPECT_TRUE(has(late.out, {"From client:1 at 1 s to server:1 at 1.195 s it is 195 ms, give or",
                             "not within 100 ms"}))
      << late.out;
  const Result unknown = check(properties("200 ms"), "--explain");
  EXPECT_TRUE(has(unknown.out, {"the clocks cannot tell at 1 of 1 place: server:1",
                                "it is 195 ms, give or", "cannot tell if it is"}))
      << unknown.out;
  const auto json = check(properties("200 ms"), "--explain --json").json()["properties"][0];
  EXPECT_EQ(json["undecided"], nlohmann::json::parse(R"([{"process": "server", "event": 1}])"));
  EXPECT_EQ(json["witness"]["gaps"], nlohmann::json::parse(R"([{
      "from": {"process": "client", "event": 1}, "to": {"process": "server", "event": 1},
      "from_time": 1.0, "to_time": 1.195, "seconds": 0.195, "within": 0.2,
      "clocks_within": 0.01, "in_time": null}])"))
      << json;
  EXPECT_FALSE(json["why"].get<std::string>().empty());
  const Result found = check(
      "clocks within 0 s\nforbid quick : some longest flow contains request -> reply within 1 s\n",
      "--explain");
  EXPECT_TRUE(has(found.out, {"it is 195 ms, give or take 0 s:", "within 1 s."})) << found.out;
  const Result none = check(properties("1 s") +
                                "require no : some flow at request contains "
                                "reply -> request within 1 s\n",
                            "--explain");
  EXPECT_TRUE(has(none.out, {"whatever the times"})) << none.out;
}

TEST_F(CheckNotes, ExplainsTimesOfEveryPath) {
  write_times("1", "3");
  const Result every =
      check("require soon : every flow at b contains a -> b within 1 s\n", "--explain");
  EXPECT_TRUE(has(every.out, {"From p:1 at 1 s to p:2 at 3 s it is 2 s: not within 1 s."}))
      << every.out;
}

TEST_F(CheckNotes, ALabelThatIsTrueNowhere) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "text": "Put request"}
)");
  expect_note("forbid w : possibly any(\"order.id\" == \"7\")\n",
              "this compares two texts, and reads no variable; `vars.\"order.id\"` asks for a "
              "variable of this name");
  expect_note("label putt = text contains \"Putt\"\nforbid w : some flow contains putt\n",
              "p.prop:1:7: `w`: the label `putt` is true nowhere");
  EXPECT_EQ(
      check("label put = text contains \"Put\"\nexpect w : some flow contains put\n", "--strict")
          .status,
      0);
}

TEST_F(CheckNotes, TimesThatNoEventHas) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "labels": ["a"]}
{"process": "p", "kind": "internal", "labels": ["b"]}
)");
  expect_note("forbid w : some flow contains a -> b within 5 s\n", "`w`: no event has a time");
  expect_note("label early = not time > 10\nexpect w : some flow contains early\n",
              "`w`: no event has a time");
  write_times("1", "2");
  EXPECT_EQ(check("expect w : some flow contains a -> b within 5 s\n", "--strict").status, 0);
}

TEST_F(CheckNotes, ValuesThatAreAskedNowhere) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "labels": ["a"], "vars": {"id": 1}}
{"process": "p", "kind": "internal", "labels": ["b"], "vars": {"id": 2}}
)");
  constexpr std::string_view properties = "require x for each id : some flow at b contains b\n";
  expect_note(properties, "`x` is asked nowhere for 1 of 2 values of id: 1");
  for (const Result& result : {check(properties), stream(properties)}) {
    EXPECT_TRUE(has(result.out, {"for each of 2 values of id; asked nowhere for 1: 1"}))
        << result.out;
  }
  EXPECT_EQ(check(properties, "--json").json()["properties"][0]["values"],
            stream(properties, "--json").json()["properties"][0]["values"]);
  EXPECT_TRUE(has(check(properties, "--json").out, {R"("value":1,"verdict":"pass","found":false,)"
                                                    R"("asked_nowhere":true)"}));
}

TEST_F(CheckNotes, ExplainsTheValueOfThePlace) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "labels": ["b"], "vars": {"id": 1}}
{"process": "p", "kind": "internal", "labels": ["b"], "vars": {"id": 2}}
)");
  constexpr std::string_view properties = "forbid x for each id : some flow at b contains b\n";
  EXPECT_TRUE(has(check(properties, "--explain").out, {"For id = 1, `x` is forbidden"}));
  const Result second = check(properties, "--explain --at p:2");
  EXPECT_TRUE(has(second.out, {"For id = 2, `x` is forbidden", "to p:2:"})) << second.out;
}

TEST_F(CheckNotes, ValuesThatAreNotKnownBesideThoseThatFail) {
  std::string lines;
  for (const auto& [id, end] : {std::pair(1, "1.4"), std::pair(2, "1.245")}) {
    lines +=
        fmt::format(R"({{"process": "c", "kind": "send", "message": "m{0}", "labels": ["ask"], )"
                    R"("vars": {{"id": {0}}}, "time": 1}}
{{"process": "s", "kind": "receive", "message": "m{0}", "labels": ["got"], )"
                    R"("vars": {{"id": {0}}}, "time": {1}}}
)",
                    id, end);
  }
  write("t.jsonl", lines);
  constexpr std::string_view properties =
      "clocks within 10 ms\n"
      "require x for each id : some flow at got contains ask -> got within 250 ms\n";
  for (const Result& result : {check(properties), stream(properties)}) {
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(has(result.out, {"for 1 of 2 values of id: 1 (missing at 1 of 1: s:1); not known "
                                 "for 1: 2"}))
        << result.out << result.err;
  }
}

TEST_F(CheckNotes, ExplainsWhatAGlobalPropertyReads) {
  write("t.jsonl", R"({"process": "p", "kind": "internal", "vars": {"x": 5}}
{"process": "q", "kind": "internal", "vars": {"x": 3}}
{"process": "q", "kind": "internal", "vars": {"x": 10}}
)");
  const Result both = check("expect g : possibly p.x > 7 and q.x > 70\n", "--explain");
  EXPECT_TRUE(has(both.out, {"`x` is null or 5 in p. `x` is null, 3 or 10 in q."})) << both.out;
  const Result sum = check("expect g : possibly sum(x) > 20\n", "--explain --json");
  EXPECT_TRUE(has(sum.out, {R"("reads":"x","process":"p","value_count":2)"})) << sum.out;
  const Result properly = check("expect g : properly p.x == 5 and q.x == 3\n", "--explain");
  EXPECT_TRUE(has(properly.out, {"In an inevitable state: x = null at p:0, x = null at q:0.",
                                 "In an inevitable state: x = 5 at p:1, x = 10 at q:2."}))
      << properly.out;
  EXPECT_TRUE(has(check("expect g : properly p.x == 5 and q.x == 3\n", "--explain --json").out,
                  {R"("inevitable":[{"p":0,"q":0},{"p":1,"q":2}])"}));
}

TEST_F(CheckNotes, TextsUseTheWidthThereIs) {
  const std::string text = "Timeline received: [Breakfast, " + std::string(60, 'x') + "] end";
  write("t.jsonl", fmt::format(R"({{"process": "p", "kind": "internal", "labels": ["a"], )"
                               R"("text": "{}"}})"
                               "\n",
                               text));
  write("p.prop", "forbid w : some flow contains a\nforbid g : possibly any(event == \"a\")\n");
  const Result piped = run("lightcone check --explain p.prop t.jsonl");
  EXPECT_TRUE(has(piped.out, {text})) << piped.out;
  const Result wide = run("COLUMNS=200 lightcone check --explain p.prop t.jsonl");
  EXPECT_TRUE(has(wide.out, {text})) << wide.out;
  const Result narrow = run("COLUMNS=80 lightcone check --explain p.prop t.jsonl");
  EXPECT_FALSE(has(narrow.out, {text})) << narrow.out;
  EXPECT_TRUE(has(narrow.out, {"Timeline received: [Breakfast", "] end"})) << narrow.out;
}

TEST_F(CheckNotes, SaysWhatCannotBeReadOrAsked) {
  write("t.jsonl", request_and_reply);
  EXPECT_TRUE(has(run("lightcone info nosuch").err, {"nosuch: cannot be read"}));
  const Result process = check("label l = process =~ \"kv\"\nwatch w : some flow contains l\n");
  EXPECT_TRUE(has(process.err, {"only `process == \"name\"` and `process != \"name\"`", "`group`"}))
      << process.err;
  for (const auto& [predicate, hint] : {
           std::pair("txt contains \"a\"", "did you mean `text`?"),
           std::pair("text contain \"a\"", "there are `contains` and `=~`"),
           std::pair("kind == receive", "`kind == \"receive\"`"),
       }) {
    const Result result =
        check(fmt::format("label l = {}\nwatch w : some flow contains l\n", predicate));
    EXPECT_TRUE(has(result.err, {hint})) << result.err;
  }
  ASSERT_EQ(run("mkdir logs && cp t.jsonl logs/a.jsonl").status, 0);
  write("logs/b.log", "b {\"b\":1}\nthird\n");
  EXPECT_TRUE(has(run("lightcone info logs").err, {"logs: 1 *.log file was left out"}));
  const Result nowhere = check(
      "expect w : some flow at request contains reply -> request\n"
      "expect n : some flow at none contains reply\n",
      "--explain");
  EXPECT_TRUE(has(nowhere.out, {"--at client:1", "was expected, and is asked nowhere."}))
      << nowhere.out;
}

}  // namespace
}  // namespace lightcone
