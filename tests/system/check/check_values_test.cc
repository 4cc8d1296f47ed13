// Numbers in properties, as a user meets them: verdicts that depend on values alone.
#include <fmt/format.h>

#include "system/shell.h"

namespace lightcone {
namespace {

class CheckValues : public Shell {
 protected:
  /// Whether the question is answered with yes.
  [[nodiscard]] bool found(const std::string& question, const std::string& trace) const {
    write("p.prop", "watch it : " + question + "\n");
    const Result result = run("lightcone check --json p.prop " + trace);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.json()["properties"][0]["found"].get<bool>();
  }
  /// One initial state per process, as a file in this order, and as a directory.
  void write_both(const std::vector<std::pair<std::string, std::string>>& values) const {
    std::string all;
    std::filesystem::create_directory(folder() / "dir");
    for (const auto& [process, value] : values) {
      const std::string lines = R"({"process": ")" + process +
                                R"(", "kind": "init", "vars": {"x": )" + value + "}}\n" +
                                R"({"process": ")" + process + R"(", "kind": "internal"})" + "\n";
      all += lines;
      write("dir/" + process + ".jsonl", lines);
    }
    write("file.jsonl", all);
  }
  void expect_sum(const std::string& sum) const {
    for (const char* trace : {"file.jsonl", "dir"}) {
      EXPECT_TRUE(found("possibly sum(x) == " + sum, trace)) << trace;
      EXPECT_TRUE(found("possibly z.x + y.x + a.x == " + sum, trace)) << trace;
      EXPECT_TRUE(found("possibly a.x + (y.x - -z.x) == " + sum, trace)) << trace;
      EXPECT_FALSE(found("possibly sum(x) != " + sum, trace)) << trace;
      EXPECT_TRUE(found("definitely sum(x) == " + sum, trace)) << trace;
    }
  }
};

TEST_F(CheckValues, SumsOfRealsDoNotDependOnTheOrderOfProcesses) {
  write_both({{"z", "1e16"}, {"a", "-1e16"}, {"y", "1.5"}});
  expect_sum("1.5");
}

TEST_F(CheckValues, SumsOfIntegersDoNotDependOnTheOrderOfProcesses) {
  write_both(
      {{"z", "9223372036854775807"}, {"a", "-9223372036854775807"}, {"y", "9007199254740993"}});
  expect_sum("9007199254740993");
}

TEST_F(CheckValues, SumsOfBothDoNotDependOnTheOrderOfProcesses) {
  write_both({{"z", "9223372036854775807"}, {"a", "-9223372036854775808.0"}, {"y", "0.25"}});
  expect_sum("-0.75");
}

TEST_F(CheckValues, SumsBeyond64BitsAreExact) {
  write_both({{"z", "9223372036854775807"}, {"a", "9223372036854775807"}, {"y", "1"}});
  EXPECT_TRUE(found("possibly sum(x) > a.x + z.x", "dir"));
  EXPECT_TRUE(found("possibly sum(x) - 1 == 2 * a.x", "dir"));
  EXPECT_FALSE(found("possibly sum(x) == 18446744073709551616.0", "dir"));
}

TEST_F(CheckValues, AnIntegerAndTheEqualRealAreOneValue) {
  write("t.jsonl", R"({"process": "p", "kind": "init", "vars": {"x": 9007199254740994}}
{"process": "p", "kind": "internal", "vars": {"x": 9007199254740994.0}}
)");
  for (const char* sum : {"9007199254740994", "9007199254740995", "9007199254740996"}) {
    const std::string equal = std::string(" + 1 == ") + sum;
    const bool of_p = found("possibly p.x" + equal, "t.jsonl");
    EXPECT_EQ(found("possibly any(x" + equal + ")", "t.jsonl"), of_p) << sum;
    EXPECT_EQ(found("definitely p.x" + equal, "t.jsonl"), of_p) << sum;
    EXPECT_EQ(of_p, sum == std::string("9007199254740995"));
  }
  EXPECT_FALSE(found("possibly p.x - 1 == 9007199254740993.0", "t.jsonl"));  // that is ...992
}

TEST_F(CheckValues, TheLeastIntegerCanBeWritten) {
  write("t.jsonl", R"({"process": "p", "kind": "init", "vars": {"x": -9223372036854775808}}
)");
  EXPECT_TRUE(found("possibly p.x == -9223372036854775808", "t.jsonl"));
  EXPECT_TRUE(found("possibly any(x <= -9223372036854775808)", "t.jsonl"));
  EXPECT_TRUE(found("possibly -p.x == 9223372036854775808.0", "t.jsonl"));
  EXPECT_FALSE(found("possibly p.x > -9223372036854775808", "t.jsonl"));
  write("p.prop", "watch it : possibly p.x - 9223372036854775808 == 0\n");
  const Result refused = run("lightcone check p.prop t.jsonl");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err, {"9223372036854775808 is more than an integer can be"}));
}

/// Thousands of alternatives about a few variables: the processor time is bounded, whatever the
/// load.
TEST_F(CheckValues, TheLimitOfTimeBoundsPreparationToo) {
  std::string trace, all = "possibly ";
  for (int i = 0; i < 3000; ++i) {
    trace += fmt::format(R"({{"process": "p{}", "kind": "internal", "vars": {{"x": {}, "y": {}}}}})"
                         "\n",
                         i % 6, i * 7 % 50, i * 11 % 50);
  }
  for (int i = 0; i < 4000; ++i) {
    all += fmt::format("{}(p{}.x == {} and p{}.y == {})", i == 0 ? "" : " or ", i % 6, i % 97 + 60,
                       (i + 1) % 6, i / 7 % 89 + 60);
  }
  write("t.jsonl", trace);
  write("p.prop", "watch it : " + all + "\n");
  const Result result = run("ulimit -t 8; lightcone check --json --limit-time 2 p.prop t.jsonl");
  EXPECT_TRUE(result.status == 0 || result.status == 3) << result.status << result.err;
  EXPECT_FALSE(result.json()["properties"][0].value("found", false));
}

TEST_F(CheckValues, NotANumberAndInfinityAreLikeNull) {
  write("t.jsonl", R"({"lightcone": 2, "processes": ["p", "q"]}
{"process": "p", "kind": "init", "vars": {"x": {"real": "NaN"}}}
{"process": "q", "kind": "init", "vars": {"x": {"real": "Infinity"}}}
{"process": "q", "kind": "internal", "vars": {"x": 2}}
)");
  EXPECT_FALSE(found("possibly p.x == p.x or p.x != p.x or p.x > 0 or p.x + 1 > 0", "t.jsonl"));
  EXPECT_FALSE(found("possibly q.x > 2", "t.jsonl"));
  EXPECT_TRUE(found("definitely sum(x) == 0", "t.jsonl"));
  EXPECT_TRUE(found("definitely sum(x) == 2", "t.jsonl"));
}

}  // namespace
}  // namespace lightcone
