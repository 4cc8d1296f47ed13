// The JSON of every command is what docs/schema says.
#include "system/json/json_schema.h"

#include <algorithm>

#include "system/shell.h"

namespace lightcone {
namespace {

class JsonOfCommands : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("t.jsonl",
          R"({"process": "p", "kind": "init", "vars": {"x": 0}}
{"process": "p", "kind": "send", "message": "m1", "labels": ["a"], "vars": {"x": 1}, "time": 1}
{"process": "q", "kind": "receive", "message": "m1", "labels": ["b"], "vars": {"x": 1}, "time": 2}
{"process": "p", "kind": "send", "message": "m2", "labels": ["a"], "vars": {"x": 2}, "text": "on"}
{"process": "r", "kind": "send", "message": "m3", "vars": {"y": "t"}, "source": "r.c:3"}
{"process": "q", "kind": "receive", "message": "m3", "labels": ["c"]}
{"process": "q", "kind": "receive", "message": "m2"}
{"process": "r", "kind": "send", "message": "m4"}
)");
    write("all.prop", R"(clocks within 1 ms
watch   flow    : some flow contains a -> b
require longest : every longest flow at b contains c
forbid  logic   : logic {
  y := a or any y
}
expect  never   : some flow contains a -> d
forbid  timed   : some flow contains a -> b within 500 ms
forbid  open    : some flow contains a -> b within 1000 ms
expect  each for each x : some flow contains a -> b
forbid  pairs for each x : possibly count(x > 0) >= 2
watch   state   : possibly sum(x) >= 2
require order   : definitely p.x == 1 and q.x == 1
require apart   : possibly all(x > 5)
watch   proper  : properly p.x == 1
)");
  }
  /// Runs a command that prints JSON, and holds it against the schema of its command.
  void expect_valid(const std::string& command, const std::string& words) const {
    expect_valid(command, words, command);
  }
  void expect_valid(const std::string& command, const std::string& words,
                    const std::string& schema) const {
    const Result result = run("lightcone " + command + " --json " + words);
    const auto json = result.json();
    ASSERT_FALSE(json.is_discarded()) << words << '\n' << result.out << result.err;
    EXPECT_EQ(JsonSchema(schema).problem(json), "") << words << '\n' << result.out;
  }
};

TEST_F(JsonOfCommands, SeveralExecutions) {
  const std::string example = LIGHTCONE_SOURCE_DIR "/examples/opentelemetry/";
  const std::string spans = "'" + example + "shop.otlp.json'";
  expect_valid("check", "'" + example + "charges.prop' " + spans, "check_executions");
  expect_valid("check", "--all '" + example + "charges.prop' " + spans, "check_executions");
  expect_valid("info", spans, "info_executions");
  expect_valid("info", "--all " + spans, "info_executions");
}

TEST_F(JsonOfCommands, Check) {
  expect_valid("check", "all.prop t.jsonl");
  expect_valid("check", "--explain all.prop t.jsonl");
  expect_valid("check", "all.prop - < t.jsonl");
  expect_valid("check", "--cut-off all.prop t.jsonl");
  write("torn.jsonl", R"({"process": "p", "kind": "internal", "labels": ["a"], "vars": {"x": 1}}
{"process": "q", "kind": "receive", "message": "lost", "vars": {"x": 2}}
)");
  write("torn.prop", "forbid w : some flow contains a -> nothing\nwatch g : possibly sum(x) > 2\n");
  expect_valid("check", "--lenient torn.prop torn.jsonl");
}

TEST_F(JsonOfCommands, Info) {
  expect_valid("info", "t.jsonl");
  expect_valid("info", "--cut-off t.jsonl");
}

TEST_F(JsonOfCommands, States) {
  for (const char* words :
       {"", "--list", "--inevitable", "--inevitable --physical", "--observations", "--observation",
        "--sample 3", "--sizes", "--of p,q", "--relevant a"}) {
    expect_valid("states", std::string(words) + " t.jsonl");
  }
  ASSERT_EQ(run("lightcone generate --seed 3 --processes 12 --events 2k -o wide.jsonl").status, 0);
  expect_valid("states", "--limit-states 1000 --limit-time 0.5 wide.jsonl");
  expect_valid("states", "--observations --limit-states 1000 --limit-time 0.5 wide.jsonl");
}

TEST_F(JsonOfCommands, Races) {
  expect_valid("races", "t.jsonl");
  expect_valid("races", "--pairs t.jsonl");
  const auto places = run("lightcone races --json t.jsonl").json()["places"];
  const auto expected = nlohmann::json::parse(R"([{"message": "m2",
      "sent": {"process": "p", "event": 2}, "received": {"process": "q", "event": 3}},
      {"message": "m3", "sent": {"process": "r", "event": 1},
       "received": {"process": "q", "event": 2}}])");
  for (const auto& place : expected) {
    EXPECT_NE(std::ranges::find(places, place), places.end()) << places;
  }
}

TEST_F(JsonOfCommands, Diff) {
  expect_valid("diff", "t.jsonl t.jsonl");
  ASSERT_EQ(run("sed 's/\"x\": 2/\"x\": 3/; $d' t.jsonl > u.jsonl").status, 0);
  expect_valid("diff", "t.jsonl u.jsonl");
}

// What the schemas are worth.
TEST(JsonSchemas, RefuseOtherDocuments) {
  const JsonSchema races("races");
  const auto problem = [&](const char* text) { return races.problem(nlohmann::json::parse(text)); };
  EXPECT_EQ(problem(R"({"lightcone": 1, "received": 0, "traced": [], "places": []})"), "");
  EXPECT_NE(problem(R"({"lightcone": 1, "received": 0, "traced": []})"), "");
  EXPECT_NE(problem(R"({"lightcone": 2, "received": 0, "traced": [], "places": []})"), "");
  EXPECT_NE(problem(R"({"lightcone": 1, "received": -1, "traced": [], "places": []})"), "");
  EXPECT_NE(problem(R"({"lightcone": 1, "received": 0, "traced": [1], "places": []})"), "");
  EXPECT_NE(problem(R"({"lightcone": 1, "received": 0, "traced": [], "places": [], "z": 1})"), "");
  EXPECT_NE(problem(R"({"lightcone": 1, "received": 0, "traced": [], "places": [{}]})"), "");
  EXPECT_NE(problem(R"({"lightcone": 1, "received": 0, "traced": [], "places": [],
                        "pairs": [["a"]]})"),
            "");
}

}  // namespace
}  // namespace lightcone
