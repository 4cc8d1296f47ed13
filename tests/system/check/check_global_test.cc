// Global properties as a user checks them: verdicts, cuts, witnesses, limits, odd traces.
#include <fstream>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

/// Two processes that may have been inside at one time, and a third that is told later.
constexpr std::string_view trace =
    R"({"lightcone": 1, "processes": ["p1", "p2", "p3"]}
{"process": "p1", "kind": "init", "vars": {"in": false, "x": 0}}
{"process": "p2", "kind": "init", "vars": {"in": false, "x": 0}}
{"process": "p1", "kind": "internal", "vars": {"in": true}, "text": "enters", "source": "lock.c:7"}
{"process": "p1", "kind": "internal", "vars": {"in": false, "x": 3}}
{"process": "p1", "kind": "send", "message": "m1", "to": "p3"}
{"process": "p2", "kind": "internal", "vars": {"in": true, "x": 7}}
{"process": "p2", "kind": "internal", "vars": {"in": false}}
{"process": "p2", "kind": "send", "message": "m2", "to": "p3"}
{"process": "p3", "kind": "receive", "message": ["m1", "m2"], "vars": {"x": 1}}
)";

class CheckGlobal : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("t.jsonl", trace);
  }
  [[nodiscard]] Result check(std::string_view properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop t.jsonl");
  }
  /// What JSON says of the only property.
  [[nodiscard]] nlohmann::json property(const std::string& text,
                                        const std::string& options = "") const {
    return check(text + "\n", "--json " + options).json()["properties"][0];
  }
  [[nodiscard]] bool found(const std::string& question) const {
    return property("watch it : " + question)["found"].get<bool>();
  }
};

TEST_F(CheckGlobal, HasAVerdictForEachVerb) {
  EXPECT_EQ(check("forbid x : possibly count(in) >= 2\n").status, 1);
  EXPECT_EQ(check("expect x : possibly count(in) >= 2\n").status, 0);
  EXPECT_EQ(check("require x : definitely count(in) >= 2\n").status, 1);
  EXPECT_EQ(check("forbid x : definitely count(in) >= 2\n").status, 0);
  EXPECT_EQ(check("require x : properly sum(x) == 11\n").status, 0);
  EXPECT_EQ(check("watch x : possibly false\n").status, 0);
}

TEST_F(CheckGlobal, NamesTheLeastCut) {
  EXPECT_EQ(property("forbid two : possibly count(in) >= 2"), nlohmann::json::parse(R"(
    {"name": "two", "verb": "forbid", "verdict": "fail", "found": true,
     "cut": {"p1": 1, "p2": 1, "p3": 0}})"));
  // The send that a receive needs lies inside.
  EXPECT_EQ(property("watch it : possibly p3.x == 1")["cut"],
            nlohmann::json::parse(R"({"p1": 3, "p2": 3, "p3": 1})"));
  const nlohmann::json missing = property("watch it : possibly count(in) >= 3");
  EXPECT_FALSE(missing["found"].get<bool>());
  EXPECT_FALSE(missing.contains("cut"));
  EXPECT_FALSE(missing.contains("at"));
}

TEST_F(CheckGlobal, TellsTheModalitiesApart) {
  EXPECT_TRUE(found("possibly sum(x) == 7"));  // p2 first
  EXPECT_FALSE(found("definitely sum(x) == 7"));
  EXPECT_TRUE(found("definitely sum(x) == 10"));  // before p3 is told
  EXPECT_TRUE(found("properly sum(x) == 10"));
  EXPECT_TRUE(found("definitely any(in)"));
  EXPECT_FALSE(found("possibly all(in)"));
  // The values of x make more events relevant, and so fewer states inevitable.
  EXPECT_TRUE(found("definitely p1.x == 3 and p2.x == 7"));
}

TEST_F(CheckGlobal, ShowsTheStateAndWhatLedThere) {
  const Result result = check("forbid two : possibly count(in) >= 2\n", "--explain");
  EXPECT_TRUE(has(result.out, {"`two` is forbidden, and some global state satisfies it.", "Process",
                               "p1", "in = true", "lock.c:7", "enters", "in: false -> true"}));
  const nlohmann::json witness =
      property("forbid two : possibly count(in) >= 2", "--explain")["witness"];
  EXPECT_EQ(witness["observation"], nlohmann::json::parse(R"([
    {"process": "p1", "event": 1, "changes": ["in: false -> true"]},
    {"process": "p2", "event": 1, "changes": ["in: false -> true"]}])"));
  EXPECT_EQ(witness["state"].size(), 3U);
  EXPECT_EQ(witness["state"][0],
            nlohmann::json::parse(R"({"process": "p1", "event": 1, "reads": ["in = true"]})"));
}

TEST_F(CheckGlobal, ShowsAnObservationThatAvoidsIt) {
  const nlohmann::json failed = property("require two : definitely count(in) >= 2", "--explain");
  EXPECT_EQ(failed["verdict"], "fail");
  EXPECT_FALSE(failed.contains("cut"));
  // One process is out before the other is in.
  EXPECT_EQ(failed["witness"]["observation"].size(), 4U);
  const Result told = check("require two : definitely count(in) >= 2\n", "--explain");
  EXPECT_TRUE(has(told.out, {"`two` is required, but some observation passes through no state"}));
}

TEST_F(CheckGlobal, SaysWhetherTheRecordedOrderShowsIt) {
  constexpr const char* hidden = "In the order of the trace, no such state occurs.";
  const Result two = check("forbid two : possibly count(in) >= 2\n", "--explain");
  EXPECT_TRUE(has(two.out, {hidden})) << two.out;
  const Result one = check("forbid one : possibly count(in) >= 1\n", "--explain");
  EXPECT_FALSE(has(one.out, {hidden})) << one.out;
}

TEST_F(CheckGlobal, DrawsTheCutAndWhatIsReadThere) {
  EXPECT_EQ(check("forbid two : possibly count(in) >= 2\n", "--explain --svg cut.svg").status, 1);
  std::ostringstream svg;
  svg << std::ifstream(folder() / "cut.svg").rdbuf();
  EXPECT_TRUE(has(svg.str(), {"<svg", "class=\"cut", "count(in)", "in = true", "in = false"}))
      << svg.str();
}

TEST_F(CheckGlobal, NumbersTheChangesOfAnObservation) {
  EXPECT_EQ(check("require two : definitely count(in) >= 2\n", "--explain --svg way.svg").status,
            1);
  std::ostringstream svg;
  svg << std::ifstream(folder() / "way.svg").rdbuf();
  EXPECT_TRUE(has(svg.str(), {"1: in = true", "2: in = false", "3: in = true", "4: in = false"}))
      << svg.str();
  EXPECT_EQ(svg.str().find("class=\"cut"), std::string::npos);
}

TEST_F(CheckGlobal, TellsASumThatMovesByOnesFromItsEnds) {
  std::string wide = R"({"lightcone": 1})"
                     "\n";
  for (int p = 0; p < 1000; ++p) {
    wide += R"({"process": "p)" + std::to_string(p) + R"(", "kind": "internal", "vars": {"x": 1}})";
    wide += "\n";
  }
  write("t.jsonl", wide);
  EXPECT_TRUE(found("definitely sum(x) == 500"));
  EXPECT_TRUE(found("possibly sum(x) == 500"));
  EXPECT_FALSE(found("properly sum(x) == 500"));
  EXPECT_FALSE(found("definitely sum(x) == 1001"));
}

TEST_F(CheckGlobal, SaysByWhichAlgorithm) {
  const Result result = check(
      "watch a : possibly count(in) >= 2\n"
      "watch b : possibly sum(x) >= 10\n"
      "watch c : possibly p1.x * p2.x == 21\n"
      "watch d : properly sum(x) == 11\n",
      "-v");
  EXPECT_TRUE(has(result.out, {"least cut", "minimum cut", "enumerated", "inevitable states"}));
}

TEST_F(CheckGlobal, DoesNotKnowBeyondALimit) {
  std::string wide = R"({"lightcone": 1})"
                     "\n";
  for (int p = 0; p < 40; ++p) {
    for (int x : {p + 1, 7 * p + 3, p * p}) {
      wide += R"({"process": "p)" + std::to_string(p) + R"(", "kind": "internal", "vars": {"x": )" +
              std::to_string(x) + "}}\n";
    }
  }
  write("t.jsonl", wide);
  const std::string hard = "watch hard : possibly max(x) * min(x) == sum(x) * 3 + 1\n";
  const Result states = check(hard, "--json --limit-states 1000");
  EXPECT_EQ(states.status, 3);
  EXPECT_EQ(states.json()["verdict"], "unknown");
  EXPECT_EQ(states.json()["properties"][0],
            nlohmann::json::parse(R"({"name": "hard", "verb": "watch", "verdict": "unknown",
                "why": "the limit of states was hit: 1,000 global states enumerated"})"));
  EXPECT_TRUE(has(check(hard, "--limit-states 1000").out, {"the limit of states was hit"}));
  EXPECT_TRUE(has(check(hard, "--limit-time 0").out, {"the limit of time was hit"}));
  EXPECT_TRUE(has(check(hard, "--limit-memory 1k").out, {"the limit of memory was hit"}));
  EXPECT_EQ(check(hard, "--limit-time soon").status, 2);
  // Others are decided nevertheless, and a failure outweighs what is not known.
  EXPECT_EQ(check(hard + "forbid easy : possibly all(x > 0)\n", "--limit-states 1000").status, 1);
}

TEST_F(CheckGlobal, ReadsATraceThatGrows) {
  write("p.prop", "forbid two : possibly count(in) >= 2\n");
  const Result result = run("lightcone check --json p.prop - < t.jsonl");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.json()["properties"][0]["found"].get<bool>());
}

TEST_F(CheckGlobal, AnswersOddTraces) {
  write("t.jsonl", R"({"process": "p1", "kind": "internal", "vars": {"x": 1}})"
                   "\n");
  EXPECT_TRUE(found("properly p1.x == 1"));
  EXPECT_FALSE(found("possibly p1.x != 1"));  // null differs from nothing
  EXPECT_TRUE(found("possibly sum(x) == 0"));
  EXPECT_FALSE(found("possibly min(x) < 1"));
  EXPECT_FALSE(found("possibly p1.x / 0 == p1.x / 0"));
  EXPECT_FALSE(found("possibly 1e308 * 10 - 1e308 * 10 == 0"));
  EXPECT_TRUE(found("properly true"));
  write("t.jsonl", R"({"lightcone": 1, "processes": ["p1", "p2"]}
{"process": "p1", "kind": "init", "vars": {"x": 9223372036854775807}}
)");
  EXPECT_TRUE(found("properly sum(x) == 9223372036854775807"));
  EXPECT_TRUE(found("possibly p1.x + 1 == 9223372036854775808.0"));
  EXPECT_TRUE(found("definitely count(x > 0) == 1"));  // p2 has no x
  EXPECT_EQ(check("watch x : possibly p1.y == 1\n").status, 2);
}

}  // namespace
}  // namespace lightcone
