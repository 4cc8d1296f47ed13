// How verdicts are written.
#include "decide/verdict_log.h"

#include <gtest/gtest.h>

#include <string>

namespace lightcone::service {
namespace {

/// A message of NATS has room for a verdict, whatever it names.
TEST(VerdictText, HasALimit) {
  ToldVerdict verdict;
  verdict.property = "p";
  verdict.execution = "e";
  for (int i = 0; i < 4096; ++i) {
    const std::string name = std::string(4000, 'n') + std::to_string(i);
    verdict.refused.push_back(name);
    verdict.cut.emplace_back(name, i);
  }
  const std::string text = json_of(verdict).dump();
  EXPECT_LT(text.size(), std::size_t{900} << 10);
  EXPECT_NE(text.find("\"refused\""), std::string::npos);
  EXPECT_NE(text.find("not all shown"), std::string::npos);
  verdict.cut.resize(10);
  verdict.refused.clear();
  EXPECT_EQ(json_of(verdict).dump().find("not all shown"), std::string::npos);
}

}  // namespace
}  // namespace lightcone::service
