// The JSON of commands that run programs is what docs/schema says.
#include "system/json/json_schema.h"
#include "system/shell.h"

namespace lightcone {
namespace {

class JsonOfRuns : public Shell {
 protected:
  void expect_valid(const std::string& command, const std::string& words) const {
    const Result result = run("timeout 120 lightcone " + command + " --json " + words);
    const auto json = result.json();
    ASSERT_FALSE(json.is_discarded()) << words << '\n' << result.out << result.err;
    EXPECT_EQ(JsonSchema(command).problem(json), "") << words << '\n' << result.out;
  }
  [[nodiscard]] static std::string example(const std::string& words) {
    return " -- '" LIGHTCONE_EXAMPLES "'/" + words;
  }
};

TEST_F(JsonOfRuns, IsAsTheSchemasSay) {
  expect_valid("record", "--out rec" + example("c_counter"));
  expect_valid("replay", "rec");
  expect_valid("diff", "rec rec");
  expect_valid("explore", "--out c" + example("c_counter --bug"));
  expect_valid("explore", "--out b" + example("bank_transfer --bug"));
}

}  // namespace
}  // namespace lightcone
