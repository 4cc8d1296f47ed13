// The property files of examples/logs say what is true of the logs they were written for.
#include <fstream>

#include "system/shell.h"

namespace lightcone {
namespace {

class LogProperties : public Shell {
 protected:
  /// Checks the properties of a log; `options` say how to read it.
  [[nodiscard]] Result check(const std::string& name, const std::string& options = "") const {
    const std::string source = LIGHTCONE_SOURCE_DIR;
    return run("lightcone check --strict " + options + " " + source + "/examples/logs/" + name +
               ".prop " + source + "/tests/golden/data/shiviz/" + name + ".log");
  }
};

TEST_F(LogProperties, OfAKeyValueStore) {
  const Result result = check("chord");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(has(result.err, {"each line with a clock is read with the text after it"}));
  EXPECT_TRUE(has(result.out, {"pass     put_is_stored", "pass     put_is_copied"}));
}

TEST_F(LogProperties, OfASocialNetwork) {
  const Result result = check("facebook");
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_TRUE(has(result.out, {"pass     confirmed_after_stored", "FAIL     stale_page",
                               "at 1 place: westDC:8"}));
}

TEST_F(LogProperties, OfAParallelDatabase) {
  const Result result = check("simpledb");
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

TEST_F(LogProperties, OfATerminationDetection) {
  const std::string regex = R"re('^State [0-9]+: <(?<event>\w*) .*>\n\/\\ Host = (?<host>.*)\n)re"
                            R"re(\/\\ Clock = "(?<clock>.*)"\n\/\\ active = .*')re";
  for (const char* execution : {"1", "2", "3"}) {
    const Result result =
        check("ewd998", "--regex " + regex + " --execution " + std::string(execution));
    EXPECT_EQ(result.status, std::string_view(execution) == "1" ? 0 : 2) << result.err;
    if (result.status != 0) {  // no node passes the token, and --strict says so
      EXPECT_TRUE(has(result.err, {"the label `passes` is true nowhere"})) << result.err;
    }
    EXPECT_TRUE(has(result.out, {"No property failed"})) << result.out;
  }
}

}  // namespace
}  // namespace lightcone
