// Logs and traces of other programs through the program, as a user types it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "system/shell.h"

namespace lightcone {
namespace {

namespace fs = std::filesystem;

class OtherFormats : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    fs::copy(LIGHTCONE_SOURCE_DIR "/examples/json_logs", folder() / "logs",
             fs::copy_options::recursive);
    write("t.jsonl", R"({"lightcone": 1, "processes": ["a", "b"]}
{"process": "a", "kind": "send", "message": "m", "labels": ["write"], "source": "app.c:7"}
{"process": "b", "kind": "receive", "message": "m"}
{"process": "b", "kind": "internal", "labels": ["read"], "source": "app.c:9"}
)");
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(folder() / name).rdbuf();
    return out.str();
  }
};

class JsonLogs : public OtherFormats, public testing::WithParamInterface<std::string> {};

TEST_P(JsonLogs, ShowTheOrderThatWasNotPaidFirst) {
  const std::string log = "logs/" + GetParam() + "/shop.log",
                    map = "logs/" + GetParam() + "/shop.map";
  const auto info = run("lightcone info --json --map " + map + " " + log).json();
  EXPECT_EQ(info["processes"], 3);
  EXPECT_EQ(info["messages"], 6);
  EXPECT_EQ(info["in_transit"], 0);
  const auto checked = run("lightcone check --json --map " + map + " logs/shop.prop " + log);
  EXPECT_EQ(checked.status, 1) << checked.err;
  const auto values = checked.json()["properties"][0]["values"];
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0]["value"], 2);
  EXPECT_EQ(values[0]["verdict"], "fail");
  EXPECT_EQ(values[1]["verdict"], "pass");
}

TEST_P(JsonLogs, GiveTheSameAsTheirConversion) {
  const std::string log = "logs/" + GetParam() + "/shop.log",
                    map = "logs/" + GetParam() + "/shop.map";
  ASSERT_EQ(run("lightcone convert --map " + map + " " + log + " out.lct").status, 0);
  EXPECT_EQ(run("lightcone check logs/shop.prop out.lct").out,
            run("lightcone check --map " + map + " logs/shop.prop " + log).out);
  ASSERT_EQ(run("gzip -k " + log).status, 0);
  ASSERT_EQ(run("lightcone convert --map " + map + " " + log + ".gz packed.jsonl").status, 0);
  ASSERT_EQ(run("lightcone convert out.lct plain.jsonl").status, 0);
  // Sources name the log, which has another name now.
  EXPECT_EQ(run("sed s/log.gz/log/ packed.jsonl | cmp - plain.jsonl").status, 0);
}

TEST_P(JsonLogs, MayComeFromAPipe) {
  const std::string log = "logs/" + GetParam() + "/shop.log",
                    map = "logs/" + GetParam() + "/shop.map";
  write("flow.prop", "expect shipping : some flow contains ordered -> shipped\n");
  const auto checked = run("cat " + log + " | lightcone check --map " + map + " flow.prop -");
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_TRUE(has(checked.out, {"warehouse:", "shipping (expect)"}));
}

INSTANTIATE_TEST_SUITE_P(Loggers, JsonLogs, testing::Values("pino", "structlog", "zap"),
                         [](const auto& each) { return each.param; });

TEST_F(OtherFormats, CompressedInputMayComeFromAPipe) {
  write("p.prop", "expect flows : some flow contains write -> read\n");
  for (const char* packer : {"gzip", "zstd -q"}) {
    const std::string pack = std::string(packer) + " < t.jsonl ";
    const auto checked = run(pack + "| lightcone check p.prop -");
    EXPECT_EQ(checked.status, 0) << packer << checked.err;
    EXPECT_TRUE(has(checked.out, {"b:2  FOUND  flows"}, {}) ||
                has(checked.out, {"flows (expect)"}));
    EXPECT_EQ(run(pack + "| lightcone info --json --from jsonl -").json()["edges"], 1);
    const auto torn = run(pack + "| head -c 60 | lightcone check p.prop -");
    EXPECT_TRUE(has(torn.err, {"the compressed file is cut off"})) << torn.err;
  }
}

/// Also one that is larger than what is looked at, and compressed ones.
TEST_F(OtherFormats, StandardInputShowsItsFormat) {
  ASSERT_EQ(run("lightcone generate -n 5000 -o many.jsonl").status, 0);
  for (const char* format : {"jsonl", "lct", "shiviz", "clocks", "chrome", "otlp"}) {
    const std::string convert = std::string("lightcone convert many.jsonl - --to ") + format;
    ASSERT_EQ(run(convert + " > file").status, 0) << format;
    const auto known = run(std::string("lightcone info --json --from ") + format + " file");
    EXPECT_EQ(run("cat file | lightcone info --json -").out, known.out) << format;
    if (format == std::string("lct")) continue;
    EXPECT_EQ(run("gzip -c file | lightcone info --json -").out, known.out) << format;
  }
  const auto unknown = run("echo something | lightcone info -");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(
      has(unknown.err, {"standard input does not show its format", "name it with --from: "}));
  EXPECT_EQ(run("lightcone info - < /dev/null").status, 2);
}

TEST_F(OtherFormats, CompressedFilesAreWrittenByName) {
  for (const char* name : {"t.jsonl.gz", "t.jsonl.zst", "t.log.gz", "t.trace.json.gz"}) {
    ASSERT_EQ(run(std::string("lightcone convert t.jsonl ") + name).status, 0) << name;
    EXPECT_EQ(run(std::string("lightcone info --json ") + name).json()["edges"], 1) << name;
  }
  EXPECT_EQ(run("gzip -t t.jsonl.gz t.log.gz t.trace.json.gz && zstd -q -t t.jsonl.zst").status, 0);
  EXPECT_EQ(run("gzip -dc t.jsonl.gz | cmp - t.jsonl").status, 0);
  const auto lct = run("lightcone convert t.jsonl t.lct.gz");
  EXPECT_EQ(lct.status, 2);
  EXPECT_TRUE(has(lct.err, {"lct is compressed already"}));
}

TEST_F(OtherFormats, FormatsThatAreOnlyReadCannotBeWritten) {
  for (const char* format : {"map", "text", "otf2"}) {
    EXPECT_EQ(run(std::string("lightcone convert t.jsonl out --to ") + format).status, 2) << format;
  }
}

TEST_F(OtherFormats, ChromeTracesAreFoundByContent) {
  ASSERT_EQ(run("lightcone convert t.jsonl t.trace.json && mv t.trace.json odd.json").status, 0);
  EXPECT_EQ(run("lightcone convert odd.json - --to jsonl | cmp - t.jsonl").status, 0);
}

TEST_F(OtherFormats, TextLogsNeedAnExpression) {
  write("app.txt", "a: sent m\nb: got m\n");
  const auto info =
      run("lightcone info --json --regex '(?<process>.*): (?:sent (?<send>.*)|got (?<receive>.*))' "
          "app.txt");
  EXPECT_EQ(info.json()["edges"], 1) << info.err;
  const auto without = run("lightcone info --from text app.txt");
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(has(without.err, {"--regex"}));
}

TEST_F(OtherFormats, JsonLogsNeedAMap) {
  write("app.log", "{\"svc\": \"a\", \"ev\": \"boot\"}\n");
  const auto result = run("lightcone info app.log");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(has(result.err, {"its lines are JSON objects: --map FILE"})) << result.err;
}

TEST_F(OtherFormats, JUnitHasACaseForEachProperty) {
  write("p.prop",
        "forbid stale : some flow ends with write -> read\n"
        "expect sent : some flow contains write\n"
        "watch \"odd <name> & more\" : some flow contains read\n");
  const auto checked = run("lightcone check --junit v.xml --sarif v.sarif p.prop t.jsonl");
  EXPECT_EQ(checked.status, 1) << checked.err;
  const auto count = [&](const std::string& path) {
    return run("xmllint --noout v.xml && xmllint --xpath 'string(count(" + path + "))' v.xml").out;
  };
  if (has_command("xmllint")) {
    EXPECT_EQ(count("/testsuites/testsuite/testcase"), "3\n");
    EXPECT_EQ(count("//failure"), "1\n");
    EXPECT_EQ(count("//testcase[@name=\"stale\"]/failure"), "1\n");
    EXPECT_EQ(count("//testcase[@name=\"odd <name> & more\"]"), "1\n");
    EXPECT_EQ(run("xmllint --xpath 'string(//testsuite/@failures)' v.xml").out, "1\n");
  }
  std::ifstream in(folder() / "v.sarif");
  const auto sarif = nlohmann::json::parse(in);
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["ruleId"], "stale");
  const auto& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "app.c");
  EXPECT_EQ(place["region"]["startLine"], 9);
  EXPECT_EQ(sarif["runs"][0]["tool"]["driver"]["rules"].size(), 3U);
}

/// What was lost or skipped stands in the reports, and --strict does not pass a trace that lost a
/// part unless the user says that it did.
TEST_F(OtherFormats, ReportsSayWhatIsMissing) {
  write("p.prop", "forbid errors : possibly any(text contains \"ERROR\")\n");
  write("torn.jsonl", R"({"process": "a", "kind": "internal", "text": "x"}
{"process": "a", "kind": "inter)");
  ASSERT_EQ(run("lightcone convert t.jsonl t.lct; head -c 60 t.lct > torn.lct").status, 0);
  const std::string options = "--junit v.xml --sarif v.sarif p.prop torn.lct";
  ASSERT_EQ(run("lightcone check " + options).status, 0);
  EXPECT_TRUE(
      has(content("v.xml"), {"failures=\"0\"", "<system-out>the file is torn ", "cut off"}));
  std::ifstream in(folder() / "v.sarif");
  const auto sarif = nlohmann::json::parse(in);
  const auto& told = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  EXPECT_EQ(told[0]["level"], "note");
  EXPECT_TRUE(has(told[0]["message"]["text"].get<std::string>(), {"the file is torn "}));
  const std::string streamed = "cat torn.jsonl | lightcone check --strict --junit v.xml p.prop -";
  for (const std::string& command : {"lightcone check --strict " + options, streamed}) {
    const auto strict = run(command);
    EXPECT_EQ(strict.status, 2) << command;
    EXPECT_TRUE(has(strict.err, {"--strict: "})) << command;
    EXPECT_TRUE(has(content("v.xml"), {"failures=\"1\"", "name=\"--strict\"", "cut off"}));
  }
  EXPECT_TRUE(has(content("v.xml"), {"<system-out>line 2, the last one, is cut off"}));
  EXPECT_EQ(run("cat torn.jsonl | lightcone check --strict --cut-off p.prop -").status, 0);
  // Lines of other kinds are usual in logs.
  const auto skipped =
      run("printf 'a 1\\n#\\nb 2\\n' > l.txt; lightcone check --strict --junit "
          "v.xml --regex '^(?<process>\\w) (?<text>\\d)$' p.prop l.txt");
  EXPECT_EQ(skipped.status, 0) << skipped.err;
  EXPECT_TRUE(has(content("v.xml"), {"<system-out>1 line skipped"}));
}

/// A file for a server lists 100 places, and says how many more there are.
TEST_F(OtherFormats, ReportsSayHowManyMorePlacesThereAre) {
  std::string events;
  for (int i = 0; i < 103; ++i) {
    events += R"({"process": "a", "kind": "internal", "labels": ["bad"]})"
              "\n";
  }
  write("many.jsonl", events);
  write("p.prop", "forbid never : some flow ends with bad\n");
  ASSERT_EQ(run("lightcone check --junit v.xml p.prop many.jsonl").status, 1);
  EXPECT_TRUE(has(content("v.xml"), {"\na:100\n... and 3 more\n"}, {"a:101"}));
}

/// An option that the reader of the format does not know is no option of this command.
TEST_F(OtherFormats, OptionsOfOtherFormatsAreRefused) {
  write("s.otlp.json", R"({"resourceSpans": []})");
  fs::create_directory(folder() / "d");
  fs::copy(folder() / "t.jsonl", folder() / "d");
  for (const auto& [arguments, complaint] : std::vector<std::pair<std::string, std::string>>{
           {"--from otlp --regex x s.otlp.json",
            "s.otlp.json: is of the format otlp, and --regex is for shiviz and text"},
           {"--delimiter x t.jsonl", "and --delimiter is for shiviz"},
           {"--regions x t.jsonl", "and --regions is for otf2"},
           {"--process-by span t.jsonl", "and --process-by is for otlp, jaeger, zipkin"},
           {"--from jsonl --map logs/zap/shop.map t.jsonl", "and --map is for map"},
           {"--map logs/zap/shop.map d", "d: is a directory, and --map is for map"},
           {"--process-by span d", "d: is a directory, and --process-by is for"}}) {
    const auto refused = run("lightcone info " + arguments);
    EXPECT_EQ(refused.status, 2) << arguments;
    EXPECT_TRUE(has(refused.err, {complaint})) << arguments;
  }
  EXPECT_TRUE(has(run("cat t.jsonl | lightcone check --process-by span /dev/null -").err,
                  {"standard input: is of the format jsonl, and --process-by is for"}));
  EXPECT_EQ(run("lightcone info --process-by span s.otlp.json").status, 0);
  // Of two traces, it may be for the other one.
  EXPECT_EQ(run("lightcone diff --process-by span t.jsonl s.otlp.json").status, 1);
}

TEST_F(OtherFormats, EncodingsThatAreNotReadAreNamed) {
  for (const std::string file : {"t.jsonl", "s.otlp.json", "l.txt"}) {
    write(file, R"({"resourceSpans": []})");
    ASSERT_EQ(run("iconv -f UTF-8 -t UTF-16 " + file + " > u; mv u " + file).status, 0);
    for (const std::string& read :
         {"lightcone info " + file, "cat " + file + " | lightcone info -"}) {
      EXPECT_TRUE(has(run(read).err, {": is UTF-16", "iconv"})) << read;
    }
  }
  ASSERT_EQ(run("gzip -c logs/shop.prop | gzip > twice.jsonl.gz").status, 0);
  const auto twice = run("lightcone info twice.jsonl.gz");
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(has(twice.err, {"twice.jsonl.gz: is compressed twice", "unpack it once"}));
}

/// While lines come, they are taken for JSON Lines.
TEST_F(OtherFormats, AStreamOfAnotherFormatIsNamed) {
  write("p.prop", "");
  write("s.otlp.json", R"({"resourceSpans": []})"
                       "\n");
  const auto refused = run("cat s.otlp.json | lightcone check p.prop -");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err,
                  {"standard input: its beginning shows the format otlp", "name it: --from otlp"}));
  EXPECT_EQ(run("cat s.otlp.json | lightcone check --from otlp p.prop -").status, 0);
}

TEST_F(OtherFormats, PlacesOfValuesAreShownToo) {
  ASSERT_EQ(run("lightcone check --sarif v.sarif --map logs/zap/shop.map logs/shop.prop "
                "logs/zap/shop.log")
                .status,
            1);
  std::ifstream in(folder() / "v.sarif");
  const auto place = nlohmann::json::parse(in)["runs"][0]["results"][0]["locations"][0];
  EXPECT_EQ(place["logicalLocations"][0]["fullyQualifiedName"], "warehouse:4");
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uri"], "shop.log");
}

TEST_F(OtherFormats, StrictNotesAreAFailingCase) {
  write("p.prop", "forbid gone : some flow contains nothing_has_this\n");
  EXPECT_EQ(run("lightcone check --junit v.xml p.prop t.jsonl").status, 0);
  EXPECT_TRUE(has(run("cat v.xml").out, {"failures=\"0\""}, {"--strict"}));
  EXPECT_EQ(run("lightcone check --strict --junit v.xml p.prop t.jsonl").status, 2);
  EXPECT_TRUE(has(run("cat v.xml").out, {"failures=\"1\"", "name=\"--strict\""}));
  // A result without a rule and a place would make readers of SARIF refuse all of it.
  EXPECT_EQ(run("lightcone check --strict --sarif v.sarif p.prop t.jsonl").status, 2);
  std::ifstream in(folder() / "v.sarif");
  const auto results = nlohmann::json::parse(in)["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["ruleId"], "--strict");
  const auto& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "p.prop");
  EXPECT_EQ(place["region"]["startLine"], 1);
}

TEST_F(OtherFormats, PlacesInSarifAreReferencesToFiles) {
  const auto uri_of = [&](const std::string& file) {
    write("one.jsonl", R"({"process": "p", "kind": "internal", "labels": ["a"], "source": ")" +
                           file + ":3\"}\n");
    write("a.prop", "forbid a : some flow contains a\n");
    EXPECT_EQ(run("lightcone check --sarif v.sarif a.prop one.jsonl").status, 1);
    std::ifstream in(folder() / "v.sarif");
    const auto result = nlohmann::json::parse(in)["runs"][0]["results"][0];
    return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  };
  EXPECT_EQ(uri_of("src/app.c"), "src/app.c");
  EXPECT_EQ(uri_of("my dir/w\u00f6rker.py"), "my%20dir/w%C3%B6rker.py");
  EXPECT_EQ(uri_of("/srv/app.c"), "file:///srv/app.c");
  EXPECT_EQ(uri_of(R"(C:\\x\\y.go)"), "file:///C:/x/y.go");
  EXPECT_EQ(uri_of("a:b.c"), "./a:b.c");
}

TEST_F(OtherFormats, AStreamHasReportsToo) {
  write("p.prop", "forbid stale : some flow ends with write -> read\n");
  const auto checked = run("cat t.jsonl | lightcone check --junit v.xml p.prop -");
  EXPECT_EQ(checked.status, 1);
  EXPECT_TRUE(has(run("cat v.xml").out, {"<failure type=\"forbid\"", "b:2"}));
}

}  // namespace
}  // namespace lightcone
