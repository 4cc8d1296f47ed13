// `lightcone check` as a user runs it: verdicts, places, witnesses, complaints, exit status.
#include <fstream>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

constexpr std::string_view trace =
    R"({"lightcone": 1, "processes": ["p1", "p2", "kv-3"]}
{"process": "p1", "kind": "internal", "labels": ["write"], "vars": {"x": 1}, "source": "kv.c:12"}
{"process": "p1", "kind": "send", "message": "m1", "to": "p2"}
{"process": "p2", "kind": "internal"}
{"process": "p2", "kind": "receive", "message": "m1", "text": "hello"}
{"process": "p2", "kind": "internal", "labels": ["other", "read"]}
{"process": "p2", "kind": "internal", "labels": ["read"]}
)";

class Check : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("t.jsonl", trace);
  }
  /// Checks these properties on the trace.
  [[nodiscard]] Result check(std::string_view properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop t.jsonl");
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(folder() / name).rdbuf();
    return out.str();
  }
};

constexpr std::string_view stale = "forbid stale : some flow ends with write -> read\n";
constexpr std::string_view fine = "require fine : every flow at read contains .\n";

TEST_F(Check, PassesOrFails) {
  EXPECT_EQ(check("forbid x : some flow ends with read -> write\n").status, 0);
  EXPECT_EQ(check(stale).status, 1);
  EXPECT_EQ(check("watch x : some flow ends with write -> read\n").status, 0);
  EXPECT_EQ(check("").status, 0);
}

TEST_F(Check, SaysByWhichAlgorithm) {
  const Result result =
      check("watch x : some longest flow ends with read\n" + std::string(stale), "--verbose");
  EXPECT_NE(result.out.find("LO vectors and one set, since all communications are visible"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("bits of LRDAG equations"), std::string::npos);
}

TEST_F(Check, NoticesAWrongAssumption) {
  write("t.jsonl", R"({"process": "p1", "kind": "send", "message": "m1", "labels": ["a"]}
{"process": "p2", "kind": "receive", "message": "m1"}
{"process": "p2", "kind": "send", "message": "m2"}
{"process": "p3", "kind": "receive", "message": "m2", "labels": ["b"]}
)");
  constexpr std::string_view property = "forbid x : some longest flow ends with a b\n";
  EXPECT_EQ(check(property).status, 1);
  for (const std::string what : {"participation", "communications"}) {
    const Result result = check(property, "--assume " + what);
    EXPECT_EQ(result.status, 3);
    EXPECT_NE(result.out.find("the assumption is broken"), std::string::npos) << result.out;
  }
  EXPECT_EQ(check(property, "--assume nothing").status, 2);
}

TEST_F(Check, PrintsATable) {
  const Result result = check(std::string(stale) + std::string(fine));
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(
      has(result.out,
          {"Verdict", "FAIL     stale", "forbid", "at 2 places: p2:3, p2:4", "pass     fine",
           "at all 2 places", "1 property failed, of 2 properties on 6 events of 3 processes."},
          {"\033", "came about"}));
}

TEST_F(Check, PrintsJson) {
  const Result result = check(std::string(stale) + std::string(fine), "--json");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.out.starts_with(R"({"lightcone":1,"trace":"t.jsonl",)"));
  EXPECT_EQ(result.json(), nlohmann::json::parse(R"({"lightcone": 1, "trace": "t.jsonl",
    "processes": ["p1", "p2", "kv-3"], "events": 6, "verdict": "fail", "properties": [
    {"name": "stale", "verb": "forbid", "verdict": "fail", "found": true,
     "at": [{"process": "p2", "event": 3}, {"process": "p2", "event": 4}]},
    {"name": "fine", "verb": "require", "verdict": "pass", "found": true,
     "at": [{"process": "p2", "event": 3}, {"process": "p2", "event": 4}]}]})"));
}

TEST_F(Check, ComplainsOfABadFileWithItsPlace) {
  const Result result = check("forbid x : some flow\n  matches (a | \n");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(has(result.err, {"p.prop:", "^"}));
  EXPECT_TRUE(has(check("forbid x :\n  some flaw matches a\n").err, {"p.prop:2:8: "}));
  EXPECT_EQ(run("lightcone check missing.prop t.jsonl").status, 2);
  EXPECT_EQ(run("lightcone check p.prop missing.jsonl").status, 2);
}

TEST_F(Check, ComplainsOfNamesThatTheTraceDoesNotHave) {
  const Result process = check("forbid x : some flow contains p9:read\n");
  EXPECT_EQ(process.status, 2);
  EXPECT_TRUE(has(process.err, {"p.prop:1:31: ", "`p9`"}));
  const Result variable = check("label busy = y > 1\nforbid x : some flow contains busy\n");
  EXPECT_EQ(variable.status, 2);
  EXPECT_TRUE(has(variable.err, {"p.prop:1:14: ", "`y`"}));
  const Result label = check("forbid x : some flow contains raed\n");
  EXPECT_EQ(label.status, 0);
  EXPECT_TRUE(has(label.err, {"note: p.prop:1:31: ", "`raed`", "did you mean `read`?"}));
}

TEST_F(Check, ExplainsAFlow) {
  const Result result = check(stale, "--explain");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(has(result.out,
                  {"forbid stale : some flow ends with write -> read",
                   "`stale` is forbidden, and was found at 2 places. "
                   "This is how the first one came\nabout, along one of 2 flows",
                   "p1:1   write                      kv.c:12\n",
                   "p2:2                m1 from p1:2           hello", "p2:3   read, other\n"}));
}

TEST_F(Check, ExplainsWhatIsMissing) {
  const std::string required = "require r : every flow at read contains write\n";
  EXPECT_TRUE(has(check(required, "--explain").out,
                  {"`r` is required, and is missing at 2 of 2 places.",
                   "Of 2 flows to p2:3, this one\ndoes not match:"},
                  {"m1"}));
  EXPECT_TRUE(has(check("require r : some flow at read contains read read read\n", "--explain").out,
                  {"Of 2 flows to p2:3, none\nmatches"}));
  EXPECT_TRUE(has(check("expect r : some flow contains read -> write\n", "--explain").out,
                  {"`r` was expected, and was found nowhere among 6 places."}));
}

TEST_F(Check, ExplainsThePlaceAskedFor) {
  const Result result = check(stale, "--explain --at p2:4");
  EXPECT_TRUE(has(result.out, {"that at p2:4", "p2:4   read\n"}));
  EXPECT_TRUE(has(check(stale, "--explain --at p2:1").out,
                  {"`write` happened at p1:1; it is not in the past of this event",
                   "The only flow to p2:1 does not match:"}));
  EXPECT_TRUE(has(check(stale, "--explain --at p2:0").out, {"It is not asked at p2:0."}));
  for (const auto& [place, complaint] :
       std::vector<std::pair<std::string, std::string>>{{"p2", "not a place"},
                                                        {"p2:", "not a place"},
                                                        {"p2:-1", "not a place"},
                                                        {"p2:99999999999", "not a place"},
                                                        {"kv-4:1", "did you mean `kv-3`?"},
                                                        {"p2:5", "`p2` has only 4 events"}}) {
    const Result bad = check(stale, "--explain --at " + place);
    EXPECT_EQ(bad.status, 2) << place;
    EXPECT_EQ(bad.out, "");
    EXPECT_TRUE(has(bad.err, {complaint}));
  }
  // A property that passes has something to say about a place, too.
  EXPECT_TRUE(has(check(fine, "--explain --at p2:4").out,
                  {"`fine` is required, and was found at all 2 places.", "p2:4"}));
  const std::string never = "forbid never : some flow ends with read -> write\n";
  EXPECT_TRUE(has(check(never, "--explain --at p2:4").out,
                  {"`never` was found nowhere among 6 places.", "none matches"}));
  EXPECT_TRUE(has(check(fine, "--explain --at p1:1").out, {"It is not asked at p1:1."}));
  EXPECT_EQ(check(stale, "--at p2:4").status, 2);
  EXPECT_TRUE(has(check(stale, "--at p2:4").err, {"--at requires --explain"}));
}

TEST_F(Check, ExplainsLogic) {
  const Result result =
      check("watch told : logic {\n  wrote := write or any wrote\n  told := read and wrote\n}\n",
            "--explain");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(has(result.out, {"watch told : logic {\n  wrote := write or any wrote\n",
                               "`told` was found at 2 places.", "`told` holds at p2:3",
                               "  told at p2:3: read\n"
                               "    wrote at p2:2\n"
                               "      wrote at p1:1: write, by m1 from p1:2 (kv.c:12)\n"}));
}

TEST_F(Check, ElidesTheMiddleOfALongPath) {
  std::string many;
  for (int i = 0; i < 100; ++i) {
    many += R"({"process": "p1", "kind": "internal", "labels": ["a"]})"
            "\n";
  }
  write("t.jsonl", many);
  const Result result = check("watch x : some flow matches a{100}\n", "--explain");
  EXPECT_TRUE(has(result.out, {"p1:1 ", "p1:15 ", "...     (70 more)", "p1:86 ", "p1:100 "},
                  {"p1:16 ", "p1:85 "}));
}

TEST_F(Check, KeepsWhatMattersInALongPath) {
  std::string many;
  for (int i = 1; i <= 100; ++i) {
    many += R"({"process": "p1", "kind": "internal", "labels": [")" +
            std::string(i == 30    ? "b"
                        : i == 100 ? "c"
                                   : "a") +
            "\"]}\n";
  }
  write("t.jsonl", many);
  const Result result = check("watch x : some flow ends with b -> c\n", "--explain");
  EXPECT_TRUE(has(result.out, {"  Event   Labels\n"
                               "  ...     (29 more)\n"
                               "  p1:30   b\n"
                               "  ...     (65 more)\n"
                               "  p1:96   a\n",
                               "p1:100  c\n"}));
}

TEST_F(Check, ExplainsDeclaredLabels) {
  const Result result =
      check("label set = x > 0\nforbid f : some flow over {set, read} ends with set -> read\n",
            "--explain --json");
  const auto path = result.json()["properties"][0]["witness"]["path"];
  EXPECT_EQ(path[1]["labels"], nlohmann::json::parse(R"(["set", "write"])"));
}

TEST_F(Check, MakesNamesSafeToShow) {
  write("t.jsonl", R"({"process": "p\u001b[31m", "kind": "internal", "labels": ["a", "\u001b"],)"
                   R"( "text": "\u001b", "source": "\u0007"})"
                   "\n");
  const Result result = check("watch x : some flow contains a\n", "--explain");
  EXPECT_TRUE(has(result.out, {"p?[31m:1"}, {"\033", "\007"}));
}

TEST_F(Check, GivesWitnessesAsJsonWhenAsked) {
  const auto flow = check(stale, "--explain --json").json()["properties"][0]["witness"];
  EXPECT_EQ(flow, nlohmann::json::parse(R"({"path": [
    {"process": "p1", "event": 0, "labels": []},
    {"process": "p1", "event": 1, "labels": ["write"], "source": "kv.c:12"},
    {"process": "p1", "event": 2, "labels": []},
    {"process": "p2", "event": 2, "labels": [], "text": "hello", "message": "m1"},
    {"process": "p2", "event": 3, "labels": ["read", "other"]}], "matches": true})"));
  const auto logic =
      check("forbid x : logic {\n y := write or any y\n x := read and y\n}\n", "--explain --json")
          .json()["properties"][0]["witness"];
  EXPECT_EQ(logic, nlohmann::json::parse(R"({"reasons": [
    {"variable": "x", "process": "p2", "event": 3, "value": true, "facts": ["read"],
     "because": [1]},
    {"variable": "y", "process": "p2", "event": 2, "value": true, "facts": [], "because": [2]},
    {"variable": "y", "process": "p1", "event": 1, "value": true, "facts": ["write"],
     "because": [], "source": "kv.c:12"}]})"));
}

constexpr const char* figure = " " LIGHTCONE_TEST_DATA "/cases/control-flows.jsonl";

TEST_F(Check, ExplainsTheFigure) {
  write("p.prop", "forbid x : some longest flow contains c -> a without b\n");
  const Result result = run(std::string("lightcone check --explain p.prop") + figure);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(has(result.out, {"along one\nof 4 longest flows to p1:6:\n\n"
                               "  Event  Labels  Came by\n"
                               "  p2:1   c\n"
                               "  p2:3   c\n"
                               "  p3:6   d       m4 from p2:4\n"
                               "  p1:6   a       m3 from p3:7\n"}));
}

TEST_F(Check, DrawsTheFigure) {
  write("p.prop", "forbid x : some longest flow contains c -> a without b\n");
  const std::string line = std::string("lightcone check --explain --svg why.svg p.prop") + figure;
  EXPECT_EQ(run(line).status, 1);
  const std::string svg = content("why.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 60);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_TRUE(has(svg, {"c -&gt; a without b", "on-path"}));
  if (has_command("xmllint")) {
    EXPECT_EQ(run("xmllint --noout why.svg").status, 0);
  }
}

TEST_F(Check, DrawsReasons) {
  EXPECT_EQ(check("forbid x : logic {\n y := write or any y\n x := read and y\n}\n",
                  "--explain --svg why.svg")
                .status,
            1);
  EXPECT_TRUE(has(content("why.svg"), {"x := read and y", "</svg>"}));
}

TEST_F(Check, DrawsNothingWhereThereIsNothing) {
  const std::size_t before = file_count();
  const Result unasked = check(stale, "--svg why.svg");
  EXPECT_EQ(unasked.status, 2);
  EXPECT_TRUE(has(unasked.err, {"--svg requires --explain"}));
  const Result passed = check(fine, "--explain --svg why.svg");
  EXPECT_EQ(passed.status, 0);
  EXPECT_TRUE(has(passed.err, {"nothing to draw"}));
  EXPECT_EQ(check(stale, "--explain --svg -").status, 2);
  EXPECT_EQ(check(stale, "--explain --svg no/such/folder/why.svg").status, 2);
  EXPECT_EQ(file_count(), before + 1) << "only the property file";
}

}  // namespace
}  // namespace lightcone
