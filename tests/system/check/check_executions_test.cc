// `lightcone check` and `info` on files with several executions, as a user runs them.
#include <fmt/format.h>

#include "system/shell.h"

namespace lightcone {
namespace {

/// A span of a service as a line of OTLP JSON; all spans of a trace are of one process.
std::string span_line(int trace, int id, const std::string& name, int start,
                      const std::string& attribute = "") {
  const std::string attributes =
      attribute.empty()
          ? ""
          : fmt::format(R"(,"attributes":[{{"key":"{}","value":{{"intValue":"1"}}}}])", attribute);
  return fmt::format(
      R"({{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":)"
      R"({{"stringValue":"shop"}}}}]}},"scopeSpans":[{{"spans":[{{"traceId":"{:x}",)"
      R"("spanId":"{:x}",)"
      R"("name":"{}","startTimeUnixNano":{},"endTimeUnixNano":{}{}}}]}}]}}]}})"
      "\n",
      trace, id, name, start, start + 1, attributes);
}

class CheckExecutions : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    std::string spans;
    for (int trace = 1; trace <= 150; ++trace) {
      if (trace % 3 != 0) spans += span_line(trace, 1, "authorise", 10);
      spans += span_line(trace, 2, "charge", 20, trace == 7 ? "rare" : "");
    }
    write("s.otlp.json", spans);
    write("p.prop",
          "require authorised : every longest flow over {authorise, charge} at charge contains "
          "authorise\nwatch charged : some flow ends with charge\n");
  }
};

TEST_F(CheckExecutions, CountsVerdicts) {
  const auto result = run("lightcone check p.prop s.otlp.json");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(has(result.out, {"FAIL     authorised",
                               "failed on 50 of 150 executions: "
                               "00000000000000000000000000000003, "
                               "00000000000000000000000000000006, ...",
                               "found on 150 of 150 executions",
                               "1 property failed, of 2 properties on 150 executions with 500 "
                               "events."}))
      << result.out;
  const auto json = run("lightcone check --json p.prop s.otlp.json").json();
  EXPECT_EQ(json["lightcone"], 1);
  EXPECT_EQ(json["executions"], 150);
  EXPECT_EQ(json["verdict"], "fail");
  const auto& authorised = json["properties"][0];
  EXPECT_EQ(authorised["passed"], 100);
  EXPECT_EQ(authorised["failed"], 50);
  EXPECT_EQ(authorised["unknown"], 0);
  EXPECT_EQ(authorised["failing"].size(), 50U);
  EXPECT_EQ(json["properties"][1]["verdict"], "info");
  EXPECT_EQ(json["properties"][1]["found"], 150);
}

TEST_F(CheckExecutions, ListsAHundredIdsOrAll) {
  write("none.prop", "expect nothing : some flow ends with authorise -> authorise\n");
  const auto some = run("lightcone check --json none.prop s.otlp.json").json();
  EXPECT_EQ(some["properties"][0]["failing"].size(), 100U);
  const auto all = run("lightcone check --json --all none.prop s.otlp.json").json();
  EXPECT_EQ(all["properties"][0]["failing"].size(), 150U);
}

TEST_F(CheckExecutions, AreChosenById) {
  const auto good = run("lightcone check --execution 1 p.prop s.otlp.json");
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_TRUE(has(good.out, {"on 4 events of 1 process."})) << good.out;
  EXPECT_EQ(run("lightcone check --explain --execution 3 p.prop s.otlp.json").status, 1);
  const auto none = run("lightcone check --execution ffff p.prop s.otlp.json");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err, {"s.otlp.json: has no execution ffff"}));
  const auto several = run("lightcone check --execution 000000 p.prop s.otlp.json");
  EXPECT_EQ(several.status, 2);
  EXPECT_TRUE(has(several.err, {"has several executions that begin with 000000: ",
                                "00000000000000000000000000000001, "
                                "00000000000000000000000000000002, "
                                "00000000000000000000000000000003, ...",
                                "give more digits"}));
  const auto explain = run("lightcone check --explain p.prop s.otlp.json");
  EXPECT_EQ(explain.status, 2);
  EXPECT_TRUE(has(explain.err, {"holds 150 executions", "--execution ID"})) << explain.err;
}

TEST_F(CheckExecutions, ANameMustOccurInOneOfThem) {
  write("rare.prop", "label odd = rare == 1\nwatch rarely : some flow ends with odd\n");
  const auto rare = run("lightcone check --json rare.prop s.otlp.json");
  EXPECT_EQ(rare.status, 0) << rare.err;
  EXPECT_EQ(rare.json()["properties"][0]["found"], 1);
  write("wrong.prop", "label odd = rarely == 1\nwatch never : some flow ends with odd\n");
  const auto wrong = run("lightcone check wrong.prop s.otlp.json");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.err, {"no variable `rarely` occurs", "did you mean"})) << wrong.err;
  write("label.prop", "watch never : some flow ends with authorised\n");
  EXPECT_TRUE(has(run("lightcone check label.prop s.otlp.json").err,
                  {"no event carries the label `authorised`"}));
  EXPECT_EQ(run("lightcone check --strict label.prop s.otlp.json").status, 2);
}

/// What a process that an execution lacks would have is null there.
TEST_F(CheckExecutions, AProcessMayBeMissingInSomeOfThem) {
  std::string spans = span_line(1, 1, "a", 10) + span_line(2, 2, "b", 20);
  spans.replace(spans.rfind("shop"), 4, "bank");
  write("two.otlp.json", spans);
  for (const char* verb : {"possibly", "definitely", "properly"}) {
    write("g.prop", fmt::format("require g : {} bank.\"service.name\" == \"bank\"\n"
                                "forbid n : {} not bank.\"service.name\" == \"bank\"\n",
                                verb, verb));
    const auto checked = run("lightcone check --json g.prop two.otlp.json");
    EXPECT_EQ(checked.status, 1) << checked.err;
    const auto properties = checked.json()["properties"];
    EXPECT_EQ(properties[0]["failing"], std::vector{"00000000000000000000000000000001"}) << verb;
    EXPECT_EQ(properties[1]["failing"], std::vector{"00000000000000000000000000000001"}) << verb;
  }
  write("g.prop", "require g : possibly nobody.x == 1\n");
  const auto nobody = run("lightcone check g.prop two.otlp.json");
  EXPECT_EQ(nobody.status, 2);
  EXPECT_TRUE(has(nobody.err, {"no process is called `nobody`"})) << nobody.err;
}

TEST_F(CheckExecutions, APictureShowsOneOfThem) {
  for (const char* option : {"--svg x.svg", "--diagram"}) {
    const auto drawn = run(fmt::format("lightcone info {} s.otlp.json", option));
    EXPECT_EQ(drawn.status, 2);
    EXPECT_TRUE(has(drawn.err, {"this file has 150", "--execution"})) << drawn.err;
  }
}

TEST_F(CheckExecutions, WhatIsExpectedOfNoneIsNotFound) {
  write("none.otlp.json", "{\"resourceSpans\":[]}\n");
  write("e.prop", "expect e : some flow contains a\nforbid f : some flow contains b\n");
  const auto checked = run("lightcone check e.prop none.otlp.json");
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_TRUE(has(checked.out, {"FAIL     e", "found nowhere: there are no executions", "pass"}))
      << checked.out;
}

TEST_F(CheckExecutions, AreListedByInfo) {
  const auto result = run("lightcone info s.otlp.json");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(has(result.out, {"150 executions with 500 events and 0 messages",
                               "... and 130 executions more; --all shows them", "--execution ID"}))
      << result.out;
  const auto json = run("lightcone info --json s.otlp.json").json();
  EXPECT_EQ(json["executions"], 150);
  EXPECT_EQ(json["events"], 500);
  EXPECT_EQ(json["list"].size(), 100U);
  EXPECT_EQ(json["list"][2]["events"], 2);
  EXPECT_EQ(run("lightcone info --json --execution 7 s.otlp.json").json()["processes"], 1);
}

TEST_F(CheckExecutions, MustBeChosenForOtherCommands) {
  for (const char* command : {"races", "states", "convert --to jsonl"}) {
    const std::string out = std::string(command).starts_with("convert") ? " -" : "";
    const auto result = run(fmt::format("lightcone {} s.otlp.json{}", command, out));
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_TRUE(has(result.err, {"holds 150 executions", "--execution ID"})) << result.err;
    EXPECT_EQ(run(fmt::format("lightcone {} --execution 1 s.otlp.json{}", command, out)).status, 0);
  }
}

TEST_F(CheckExecutions, OfALogAreItsParts) {
  write("two.log", "=== one ===\na\np {\"p\":1}\n=== two ===\nb\np {\"p\":1}\nc\np {\"p\":2}\n");
  write("two.prop", "expect two : possibly count(process == \"p\") >= 1\n");
  const auto json = run("lightcone check --json two.prop two.log").json();
  EXPECT_EQ(json["executions"], 2);
  EXPECT_EQ(json["events"], 3);
  EXPECT_TRUE(has(run("lightcone info two.log").out, {"one", "two", "2 executions with 3 events"}));
}

}  // namespace
}  // namespace lightcone
