// Failing executions are kept with their verdicts, whatever their number and the room.
#include "decide/kept_executions.h"

#include <gtest/gtest.h>
#include <lightcone/trace.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "temporary_folder.h"

namespace lightcone::service {
namespace {

[[nodiscard]] std::string whole_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A trace of spans that is decided again has its first verdicts, too.
TEST(KeptExecutions, VerdictsAreThereHoweverManyWereKept) {
  const TemporaryFolder folder;
  KeptExecutions kept(folder.path(), 1 << 20, [](const std::string&) {});
  const auto computation =
      read_trace_text("{\"process\": \"p\", \"kind\": \"internal\"}\n", "t", Format::jsonl);
  ASSERT_TRUE(computation) << computation.error().text();
  const std::string verdict(60 << 10, 'v');
  for (int i = 0; i < 400; ++i) {
    const std::string name = "e" + std::to_string(i);
    kept.tell(name, verdict);
    kept.keep(name, computation->computation);
    EXPECT_EQ(whole_text(folder.path() + "/" + name + ".verdicts.jsonl"), verdict + '\n') << name;
    kept.end(name, false);
  }
}

/// What does not fit is cut; an execution of which nothing fits is kept as an empty one.
TEST(KeptExecutions, NoRoomAtAll) {
  const TemporaryFolder folder;
  KeptExecutions kept(folder.path(), 0, [](const std::string&) {});
  for (int i = 0; i < 10; ++i) {
    const std::string name = "e" + std::to_string(i);
    kept.add(name, "{\"process\": \"p\", \"kind\": \"internal\"}\n");
    kept.tell(name, "verdict");
    kept.end(name, true);
    kept.end(name, true);
  }
  EXPECT_EQ(kept.kept(), 10U);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/e9.part"));
}

}  // namespace
}  // namespace lightcone::service
