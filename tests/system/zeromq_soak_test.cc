// The soak in small: nothing is lost, and what was told at events is what check finds afterwards.
#include <regex>

#include "system/shell.h"

namespace lightcone {
namespace {

class ZeromqSoak : public Shell, public testing::WithParamInterface<const char*> {};

TEST_P(ZeromqSoak, TellsWhatCheckFinds) {
  const std::string properties =
      std::string(LIGHTCONE_SOURCE_DIR) + "/tests/system/zeromq_soak.prop";
  std::filesystem::create_directory(folder() / "traces");
  const Result soaked = run("timeout 120 '" + std::string(LIGHTCONE_SOAK) + "' '" + properties +
                            "' traces 20000 " + GetParam());
  ASSERT_EQ(soaked.status, 0) << soaked.out << soaked.err;
  const auto check = run("lightcone check --json '" + properties + "' traces").json();
  ASSERT_TRUE(check.is_object());
  // Twenty thousand messages, eight times seven that say that there are no more, sixteen audits.
  EXPECT_EQ(check["events"], 2 * 20056 + 16);
  std::size_t found = 0;
  for (const auto& property : check["properties"]) found += property["at"].size();
  std::smatch told;
  ASSERT_TRUE(std::regex_search(soaked.out, told, std::regex(R"((\d+) detections)")));
  EXPECT_EQ(std::stoull(told[1]), found);
  EXPECT_GT(found, 10U);
}

INSTANTIATE_TEST_SUITE_P(Channels, ZeromqSoak, testing::Values("", "--fifo"));

}  // namespace
}  // namespace lightcone
