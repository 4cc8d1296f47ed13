// The commands, run as a user runs them: what they print, where, and what they return.
#include <algorithm>
#include <set>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

constexpr std::string_view two_processes =
    R"({"lightcone": 1, "processes": ["p1", "p2"]}
{"process": "p1", "kind": "internal", "labels": ["a"], "vars": {"x": 1}}
{"process": "p1", "kind": "send", "message": "m1", "to": "p2"}
{"process": "p1", "kind": "send", "message": "m2", "to": "p2"}
{"process": "p1", "kind": "send", "message": "m3", "to": "p2"}
{"process": "p2", "kind": "receive", "message": "m2", "labels": ["a", "b"]}
{"process": "p2", "kind": "receive", "message": "m1"}
)";

using Cli = Shell;

TEST_F(Cli, InfoSaysWhatPeopleAskFirst) {
  write("t.jsonl", two_processes);
  const Result result = run("lightcone info --json t.jsonl");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with(R"({"lightcone":1,)"));
  EXPECT_EQ(result.json(), nlohmann::json::parse(R"({"lightcone": 1, "processes": 2, "events": 6,
    "internal": 1, "sends": 3, "receives": 2, "messages": 3, "in_transit": 1, "edges": 2,
    "depth": 5, "width": 2, "width_at_most": 2, "concurrent_pairs": 2,
    "concurrency": 0.13333333333333333,
    "races": 1, "races_in_transit": 1, "inevitable": 5, "labels": {"a": 2, "b": 1},
    "variables": {"x": 1}})"));
}

TEST_F(Cli, InfoReadsWellInEightyColumns) {
  write("t.jsonl", two_processes);
  const Result result = run("lightcone info --diagram t.jsonl | expand");
  EXPECT_TRUE(has(result.out, {"1 in transit", "p1", "Concurrency"}, {"\033"}));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    EXPECT_LE(std::count_if(line.begin(), line.end(), is_start), 80) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST_F(Cli, InfoShowsTwentyProcessesUnlessAskedForAll) {
  EXPECT_TRUE(has(run("lightcone generate -p 30 | lightcone info --from jsonl -").out,
                  {"p20 ", "10 processes more"}, {"p21 "}));
  EXPECT_TRUE(has(run("lightcone generate -p 30 | lightcone info --all --from jsonl -").out,
                  {"p30 "}, {"more"}));
}

TEST_F(Cli, InfoOfNothing) {
  write("empty.jsonl", "");
  EXPECT_EQ(run("lightcone info empty.jsonl").status, 0);
  EXPECT_EQ(run("lightcone info --diagram empty.jsonl").status, 0);
  EXPECT_EQ(run("lightcone races --pairs empty.jsonl").status, 0);
  EXPECT_EQ(run("lightcone info --json empty.jsonl").json()["events"], 0);
}

TEST_F(Cli, RacesNamesWhatMustBeTraced) {
  write("t.jsonl", two_processes);
  EXPECT_EQ(run("lightcone races --json t.jsonl").json(),
            nlohmann::json::parse(R"({"lightcone": 1, "received": 2, "traced": ["m1", "m3"],
                                      "never_received": ["m3"], "places": [
                                      {"message": "m1", "sent": {"process": "p1", "event": 2},
                                       "received": {"process": "p2", "event": 2}},
                                      {"message": "m3",
                                       "sent": {"process": "p1", "event": 4}}]})"));
  EXPECT_EQ(run("lightcone races --json --pairs t.jsonl").json()["pairs"],
            nlohmann::json::parse(R"([["m2", "m1"], ["m2", "m3"], ["m1", "m3"]])"));
  EXPECT_TRUE(has(run("lightcone races --pairs t.jsonl").out,
                  {"1 of 2 received messages (50%)", "other order"}));
}

/// A pair is listed once by its names, however often its messages were received.
TEST_F(Cli, RacesListsAPairOnce) {
  write("t.jsonl", R"({"process": "a", "kind": "send", "message": "m1"}
{"process": "b", "kind": "send", "message": "m2"}
{"process": "c", "kind": "receive", "message": "m1"}
{"process": "c", "kind": "receive", "message": "m2"}
{"process": "d", "kind": "receive", "message": "m1"}
{"process": "d", "kind": "receive", "message": "m2"}
{"process": "d", "kind": "receive", "message": "m2", "duplicate": true}
)");
  EXPECT_EQ(run("lightcone races --json --pairs t.jsonl").json()["pairs"],
            nlohmann::json::parse(R"([["m1", "m2"]])"));
  EXPECT_TRUE(has(run("lightcone races --pairs --limit 3 t.jsonl").out,
                  {"c        m1              m2", "d        m1              m2"}, {"... and"}));
}

TEST_F(Cli, RacesLimitConcernsPeopleOnly) {
  ASSERT_EQ(run("lightcone generate -n 2k -o t.lct").status, 0);
  EXPECT_TRUE(has(run("lightcone races --limit 3 t.lct").out, {"--limit 0 shows all"}));
  EXPECT_TRUE(has(run("lightcone races --pairs --limit 0 t.lct").out, {}, {"--limit 0"}));
  const auto json = run("lightcone races --json --pairs --limit 3 t.lct").json();
  EXPECT_GT(json["traced"].size(), 100U);
  EXPECT_GT(json["pairs"].size(), json["traced"].size());
  const auto traced = json["traced"].get<std::vector<std::string>>();
  EXPECT_TRUE(std::is_sorted(traced.begin(), traced.end()));
  EXPECT_EQ(std::set<std::string>(traced.begin(), traced.end()).size(), traced.size());
}

TEST_F(Cli, ConvertThereAndBack) {
  write("t.jsonl", two_processes);
  EXPECT_EQ(run("lightcone convert t.jsonl t.lct").status, 0);
  EXPECT_EQ(run("lightcone convert t.lct back.jsonl").status, 0);
  EXPECT_EQ(run("lightcone convert --from lct --to jsonl - - < t.lct | cmp - back.jsonl").status,
            0);
  const Result info = run("lightcone info --json back.jsonl");
  EXPECT_EQ(info.out, run("lightcone info --json t.jsonl").out);
  EXPECT_EQ(file_count(), 3U);
}

TEST_F(Cli, ConvertThroughPipesNeedsFormats) {
  write("t.jsonl", two_processes);
  const Result out = run("lightcone convert t.jsonl -");
  EXPECT_EQ(out.status, 2);
  EXPECT_TRUE(has(out.err, {"--to", "lightcone: "}));
  const Result in = run("lightcone convert - t.lct");
  EXPECT_EQ(in.status, 2);
  EXPECT_TRUE(has(in.err, {"--from"}));
}

TEST_F(Cli, BadInputLeavesNoFileBehind) {
  write("bad.jsonl", "{\"process\": \"p\", \"kind\": \"internal\"}\n{\"process\": \"p\"\n");
  for (const std::string line :
       {"lightcone convert bad.jsonl out.lct", "lightcone convert missing.jsonl out.lct",
        "lightcone convert bad.jsonl out.unheard", "lightcone generate -p 0 -o out.lct",
        "lightcone generate -o /nowhere/out.lct", "lightcone convert bad.jsonl nowhere/out.lct"}) {
    const Result result = run(line);
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_TRUE(result.err.starts_with("lightcone: ")) << line;
    EXPECT_EQ(file_count(), 1U) << line;
  }
  EXPECT_TRUE(run("lightcone info bad.jsonl").err.starts_with("lightcone: bad.jsonl:2: "));
}

// Each kind of bad input has one error with file and line, status 2, and no output file.
TEST_F(Cli, EveryKindOfBadTraceIsNamed) {
  const std::string send = R"({"process": "p", "kind": "send", "message": "m"})"
                           "\n";
  const std::string receive = R"({"process": "q", "kind": "receive", "message": "m"})"
                              "\n";
  const std::string early = R"({"process": "p", "kind": "receive", "message": "m"})"
                            "\n";
  const std::pair<std::string, std::string> cases[] = {
      {send + "{\"process\": \n", "bad.jsonl:2: broken JSON"},
      {send + R"({"process": "q", "kind": "recieve"})", "bad.jsonl:2: unknown kind"},
      {send + receive + send, "bad.jsonl:3: message m is sent a second time"},
      {receive, "bad.jsonl:1: message m is received but never sent"},
      {early + send, "bad.jsonl:1: a message would be received before it was sent (a cycle)"},
      {send + receive + receive, "bad.jsonl:3: message m is received a second time"},
  };
  for (const auto& [text, complaint] : cases) {
    write("bad.jsonl", text);
    const Result result = run("lightcone convert bad.jsonl out.lct");
    EXPECT_EQ(result.status, 2) << text;
    EXPECT_TRUE(result.err.starts_with("lightcone: " + complaint)) << result.err;
    EXPECT_EQ(file_count(), 1U) << text;
  }
}

TEST_F(Cli, LenientReadingSaysWhatItDid) {
  write("t.jsonl", R"({"process": "p", "kind": "receive", "message": "lost"})");
  const Result strict = run("lightcone info t.jsonl");
  EXPECT_EQ(strict.status, 2);
  EXPECT_TRUE(has(strict.err, {"t.jsonl:1: ", "--lenient"}));
  const Result lenient = run("lightcone info --lenient --json t.jsonl");
  EXPECT_EQ(lenient.status, 0);
  EXPECT_TRUE(lenient.err.starts_with("lightcone: note: 1 "));
  EXPECT_EQ(lenient.json()["notes"].size(), 1U);
  EXPECT_EQ(lenient.json()["internal"], 1);
}

TEST_F(Cli, ADirectoryIsATrace) {
  ASSERT_EQ(run("mkdir run").status, 0);
  write("run/a.jsonl", R"({"process": "a", "kind": "send", "message": "m"})");
  write("run/b.jsonl", R"({"process": "b", "kind": "receive", "message": "m"})");
  EXPECT_EQ(run("lightcone info --json run").json()["edges"], 1);
  EXPECT_EQ(run("lightcone convert run/ run.lct").status, 0);
  EXPECT_EQ(run("lightcone info --json run.lct").out, run("lightcone info --json run").out);
  const Result told = run("lightcone info --from jsonl run");
  EXPECT_EQ(told.status, 2);
  EXPECT_TRUE(has(told.err, {"lightcone: run: ", "--from"}));
  EXPECT_EQ(run("lightcone convert run.lct run").status, 2);
  write("run/c.jsonl", R"({"process": "a", "kind": "internal"})");
  EXPECT_TRUE(has(run("lightcone info run").err, {"run/c.jsonl:1: ", "run/a.jsonl"}));
  ASSERT_EQ(run("mkdir empty").status, 0);
  EXPECT_TRUE(has(run("lightcone info empty").err, {"lightcone: empty: ", "*.jsonl"}));
}

TEST_F(Cli, GenerateIsTheSameForTheSameSeed) {
  const std::string shape =
      " -n 3k -p 7 --topology phases --multicast 0.1 --batch 0.2 --duplicates 0.05 "
      "--label a:0.1 --label b:0.2 --variable x:0.3 --variable ok:0.1:bool --times ";
  const Result first = run("lightcone generate --seed 5" + shape);
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.out, run("lightcone generate --seed 5" + shape).out);
  EXPECT_NE(first.out, run("lightcone generate --seed 6" + shape).out);
  const auto info =
      run("lightcone generate" + shape + "| lightcone info --json --from jsonl -").json();
  EXPECT_EQ(info["events"], 3000);
  EXPECT_EQ(info["processes"], 7);
  EXPECT_GT(info["labels"]["b"], info["labels"]["a"]);
  EXPECT_TRUE(info["variables"].contains("ok"));
}

TEST_F(Cli, GenerateExplainsWhatItCannotDo) {
  const auto error_of = [&](const std::string& options) {
    const Result result = run("lightcone generate " + options);
    EXPECT_EQ(result.status, 2) << options;
    EXPECT_EQ(result.out, "") << options;
    return result.err;
  };
  EXPECT_TRUE(has(error_of("--events 12x"), {"10k or 2.5M"}));
  EXPECT_TRUE(has(error_of("--events -5"), {"-5"}));
  EXPECT_TRUE(has(error_of("--events 1.5"), {"not a count"}));
  EXPECT_TRUE(has(error_of("--label a"), {"enter:0.1"}));
  EXPECT_TRUE(has(error_of("--label a:2"), {"between 0 and 1"}));
  EXPECT_TRUE(has(error_of("--label a:0.1 --label a:0.2"), {"twice"}));
  EXPECT_TRUE(has(error_of("--variable x:0.1:complex"), {"bool, int, real"}));
  EXPECT_TRUE(has(error_of("--topology rnig"), {"did you mean `ring`?"}));
  EXPECT_TRUE(has(error_of("--delay -1"), {"delay"}));
}

TEST_F(Cli, BadUsageIsStatusTwo) {
  const Result none = run("lightcone");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(has(none.err, {"Usage:"}));
  const Result misspelt = run("lightcone inof t.jsonl");
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_TRUE(has(misspelt.err, {"did you mean `info`?"}));
  EXPECT_TRUE(has(run("lightcone info --jsno t.jsonl").err, {"did you mean `--json`?"}));
  EXPECT_EQ(run("lightcone info").status, 2);
  EXPECT_EQ(run("lightcone info a b").status, 2);
  EXPECT_EQ(run("lightcone info --from nothing a").status, 2);
}

/// Whatever is wrong, in the same words: the option, what was given, and what may be given.
TEST_F(Cli, BadUsageSaysWhatMayBeGiven) {
  write("t.jsonl", two_processes);
  write("t.dat", "nothing that is known\n");
  write("t.prop", "\x19\xff\xfe");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"--nothing", "unknown option `--nothing`"},
      {"record -o r -- true", "unknown option `-o`"},
      {"info t.jsonl --nothing x", "unknown option `--nothing`"},
      {"races t.jsonl b", "`b` is one argument too many"},
      {"states --sample 0 t.jsonl", "--sample: `0` is not a whole number from 1 on"},
      {"states --observation --seed -1 t.jsonl", "--seed: `-1` is not a whole number"},
      {"races --limit x t.jsonl", "--limit: `x` is not a whole number from 0 on"},
      {"races --limit -1 t.jsonl", "--limit: `-1` is not a whole number"},
      {"explore --jobs 0 -- true", "--jobs: `0` is not a whole number from 1 to 1000"},
      {"explore --patience x -- true", "--patience: `x` is not a number from 0.01 to 1000000"},
      {"generate --delay x", "--delay: `x` is not a number"},
      {"info missing.dat", "missing.dat: cannot be read: No such file or directory"},
      {"info missing.jsonl", "missing.jsonl: cannot be read: No such file or directory"},
      {"info ''", "the name of a file is empty"},
      {"info t.dat", "neither its content nor its name shows its format\n  name it with --from"},
      {"info --execution 3 t.jsonl", "the format jsonl, and --execution is for"},
      {"convert t.jsonl t.foo", "name it with --to: jsonl, lct, shiviz, clocks, otlp, chrome\n"},
      {"check . t.jsonl", ".: is a directory, not a file"},
      {"check t.prop t.jsonl", "t.prop:1:1: a control character (byte 0x19)\n"},
  };
  for (const auto& [words, text] : wrong) {
    const Result result = run("lightcone " + words);
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_EQ(result.out, "") << words;
    EXPECT_TRUE(has(result.err, {text})) << words << '\n' << result.err;
    EXPECT_FALSE(has(result.err, {"\xff"})) << words;
  }
}

TEST_F(Cli, HelpTeachesByExample) {
  for (const std::string command : {"info", "convert", "races", "record", "replay", "explore",
                                    "generate", "demo", "completion", "man"}) {
    const Result help = run("lightcone " + command + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_EQ(help.err, "");
    EXPECT_TRUE(
        has(help.out, {"Usage: lightcone " + command, "Examples:", "Exit status:", "\n  1  "}));
    EXPECT_EQ(run("lightcone help " + command).out, help.out);
  }
  EXPECT_TRUE(has(run("lightcone --help").out, {"races", "Examples:"}));
  EXPECT_TRUE(
      has(run("lightcone replay --help").out, {"DIR [-- COMMAND ...]", "other  see above"}));
  EXPECT_TRUE(run("lightcone --version").out.starts_with("lightcone "));
}

TEST_F(Cli, DemoRunsAndLeavesNothing) {
  const Result demo = run("TMPDIR=$PWD lightcone demo");
  EXPECT_EQ(demo.status, 0);
  EXPECT_EQ(demo.err, "");
  EXPECT_TRUE(has(demo.out, {"two_inside", "$ lightcone info", "torn.jsonl:2: ", "times smaller",
                             "lightcone explore -- "}));
  EXPECT_EQ(file_count(), 0U);
}

TEST_F(Cli, OutputThatCannotBeWritten) {
  write("t.jsonl", two_processes);
  const Result full = run("lightcone info t.jsonl > /dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_TRUE(has(full.err, {"standard output"}));
  EXPECT_EQ(run("lightcone generate -n 200k > /dev/full").status, 2);
  const Result head = run("lightcone generate -n 200k | head -1");
  EXPECT_EQ(head.status, 0);
  EXPECT_EQ(head.err, "");
}

}  // namespace
}  // namespace lightcone
