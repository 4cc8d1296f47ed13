// `lightcone diff`, as a user types it: what it says, its JSON, and its exit status.
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

constexpr std::string_view one_run =
    R"({"lightcone": 1, "processes": ["hub", "p1", "p2"]}
{"process": "p1", "kind": "send", "message": "m1", "to": "hub"}
{"process": "p2", "kind": "send", "message": "m2", "to": "hub"}
{"process": "hub", "kind": "internal", "labels": ["start"]}
{"process": "hub", "kind": "receive", "message": "m1", "source": "hub.cc:7"}
{"process": "hub", "kind": "receive", "message": "m2"}
{"process": "hub", "kind": "internal", "vars": {"sum": 3}}
)";

class Diff : public Shell {
 protected:
  /// The text with one piece of it replaced.
  static std::string altered(const std::string& from, const std::string& to) {
    std::string text(one_run);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  /// The answer about one_run and another one.
  [[nodiscard]] nlohmann::json compared(const std::string& other, int status,
                                        const std::string& options = {}) const {
    write("a.jsonl", one_run);
    write("b.jsonl", other);
    const Result result = run("lightcone diff --json " + options + " a.jsonl b.jsonl");
    EXPECT_EQ(result.status, status) << result.out << result.err;
    return result.json();
  }
};

TEST_F(Diff, EqualRunsAreTheSame) {
  const auto answer = compared(altered("\"m1\", \"to\"", "\"m1\", \"time\": 3.5, \"to\""), 0);
  EXPECT_EQ(answer["same"], true);
  EXPECT_EQ(answer["first"].size(), 0U);
  EXPECT_EQ(answer["alike"], 6);
  EXPECT_TRUE(has(run("lightcone diff a.jsonl b.jsonl").out, {"The runs are the same."}));
}

TEST_F(Diff, AReceiveThatTookAnotherMessage) {
  std::string other =
      altered("\"receive\", \"message\": \"m1\"", "\"receive\", \"message\": \"m0\"");
  other.replace(other.rfind("\"m2\""), 4, "\"m1\"");
  other.replace(other.find("\"m0\""), 4, "\"m2\"");
  const auto answer = compared(other, 1);
  EXPECT_EQ(answer["same"], false);
  ASSERT_EQ(answer["first"].size(), 1U);
  const auto& first = answer["first"][0];
  EXPECT_EQ(first["process"], "hub");
  EXPECT_EQ(first["event"], 2);
  EXPECT_EQ(first["kind"], "message");
  EXPECT_EQ(first["a"]["messages"][0]["from"], "p1");
  EXPECT_EQ(first["b"]["messages"][0]["from"], "p2");
  EXPECT_EQ(first["a"]["source"], "hub.cc:7");
  const Result text = run("lightcone diff a.jsonl b.jsonl | expand");
  EXPECT_TRUE(has(text.out, {"hub, event 2", "another message", "message 1 from p1",
                             "message 1 from p2", "is taken at event 3", "start", "hub.cc:7"}));
  std::istringstream lines(text.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST_F(Diff, EachKindOfDifference) {
  const auto kind = [&](const std::string& from, const std::string& to) {
    return compared(altered(from, to), 1)["first"][0];
  };
  EXPECT_EQ(kind("\"start\"", "\"begin\"")["kind"], "event");
  EXPECT_EQ(kind("\"start\"", "\"begin\"")["differs"], nlohmann::json({"labels"}));
  EXPECT_EQ(kind("\"sum\": 3", "\"sum\": 4")["differs"], nlohmann::json({"vars"}));
  const auto ends =
      kind("{\"process\": \"hub\", \"kind\": \"internal\", \"vars\": {\"sum\": 3}}\n", "");
  EXPECT_EQ(ends["kind"], "missing");
  EXPECT_EQ(ends["event"], 4);
  EXPECT_TRUE(ends["b"].is_null());
  const auto process = kind("\"p2\"]", "\"p2\", \"p3\"]");
  EXPECT_EQ(process["kind"], "missing");
  EXPECT_EQ(process["process"], "p3");
}

TEST_F(Diff, ContentsAreComparedByDigests) {
  const std::string with = "\"start\"], \"digest\": \"00000000000000a";
  write("a.jsonl", altered("\"start\"]", with + "1\""));
  write("b.jsonl", altered("\"start\"]", with + "2\""));
  const Result result = run("lightcone diff --json a.jsonl b.jsonl");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.json()["first"][0]["kind"], "contents");
  EXPECT_EQ(result.json()["first"][0]["a"]["digest"], "00000000000000a1");
  EXPECT_EQ(run("lightcone diff --ignore contents a.jsonl b.jsonl").status, 0);
  EXPECT_EQ(run("lightcone diff a.jsonl a.jsonl").status, 0);
  EXPECT_TRUE(
      has(run("lightcone diff a.jsonl a.jsonl").out, {"Contents were compared at 1 event"}));
  write("c.jsonl", one_run);
  EXPECT_TRUE(has(run("lightcone diff a.jsonl c.jsonl").out, {"only A has digests"}));
}

TEST_F(Diff, ARunThatWasCutOffIsTheSameAsFarAsItGoes) {
  write("a.jsonl", one_run);
  write("b.jsonl", one_run.substr(0, one_run.find("{\"process\": \"hub\", \"kind\": \"receive\"")));
  const Result result = run("lightcone diff --cut-off a.jsonl b.jsonl");
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_TRUE(has(result.out, {"the same as far as both go", "is not complete"}));
  EXPECT_TRUE(run("lightcone diff --json --cut-off a.jsonl b.jsonl").json()["same"].is_null());
}

TEST_F(Diff, WhatIsIgnoredIsNotCompared) {
  EXPECT_EQ(compared(altered("\"sum\": 3", "\"sum\": 4"), 0, "--ignore vars")["same"], true);
  EXPECT_EQ(compared(altered("\"start\"", "\"begin\""), 0, "--ignore labels,text")["same"], true);
}

TEST_F(Diff, RefusesWhatItCannotCompare) {
  write("a.jsonl", one_run);
  EXPECT_EQ(run("lightcone diff a.jsonl").status, 2);
  EXPECT_EQ(run("lightcone diff a.jsonl missing.jsonl").status, 2);
  EXPECT_EQ(run("lightcone diff a.jsonl a.jsonl -- true").status, 2);
  EXPECT_TRUE(has(run("lightcone diff a.jsonl -- true").err, {"is not a recording"}));
  EXPECT_EQ(run("lightcone diff --from jsonl - - < a.jsonl").status, 2);
}

TEST_F(Diff, ComparesTracesOfOtherFormats) {
  write("a.jsonl", one_run);
  ASSERT_EQ(run("lightcone convert a.jsonl b.lct").status, 0);
  EXPECT_EQ(run("lightcone diff a.jsonl b.lct").status, 0);
}

}  // namespace
}  // namespace lightcone
