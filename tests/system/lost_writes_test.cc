// A disk that is full while a program is recorded: the program goes on, and `record` says so.
#include <fstream>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

class LostWritesOfPrograms : public Shell {
 protected:
  /// Runs a line in a folder with a disk of a few kilobytes, `disk`. Whoever may not mount one
  /// cannot.
  [[nodiscard]] Result run_with_disk(const std::string& line) const {
    write("line", line);
    return run(
        "mkdir -p t disk\n"
        "unshare -rm true || exit 77\n"
        "unshare -rm sh -c 'mount -t tmpfs -o size=24k none disk || exit 77; . ./line'");
  }
  [[nodiscard]] static std::string record(const std::string& options,
                                          const std::string& arguments) {
    return "timeout 60 lightcone record --out disk/rec " + options + " -- '" +
           std::string(LIGHTCONE_COURIER) + "' t --steps 3000 " + arguments;
  }
  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ifstream file(folder() / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
};

TEST_F(LostWritesOfPrograms, AreSaidAndWhatWasWrittenIsRead) {
  const Result recorded =
      run_with_disk(record("--json", "") +
                    " > json; status=$?\n"
                    "for p in a b c; do lightcone info --json disk/rec/$p.lct --lenient > $p.info "
                    "2>> notes; done\n"
                    "exit $status");
  if (recorded.status == 77) GTEST_SKIP() << "no disk can be mounted";
  EXPECT_EQ(recorded.status, 3) << recorded.err;
  EXPECT_TRUE(
      has(recorded.err, {"delivered", "the recording is incomplete", "No space left on device"}));
  const auto json = nlohmann::json::parse(text_of("json"), nullptr, false);
  ASSERT_TRUE(json.is_object()) << text_of("json");
  EXPECT_EQ(json["exit"], 0);
  ASSERT_TRUE(json["incomplete"].is_array());
  EXPECT_GE(json["incomplete"].size(), 1U);
  EXPECT_TRUE(has(text_of("notes"), {}, {"torn at its end"}));
  for (const auto& one : json["incomplete"]) {
    const std::string process = one["process"], file = one["file"];
    if (file != process + ".lct" || one["events"] == 0) continue;
    const auto info = nlohmann::json::parse(text_of(process + ".info"), nullptr, false);
    ASSERT_TRUE(info.is_object()) << text_of("notes");
    EXPECT_EQ(info["events"], one["events"]);
  }
}

TEST_F(LostWritesOfPrograms, DoNotHideThatTheProgramFailed) {
  const Result recorded = run_with_disk(record("", "--exit 7"));
  if (recorded.status == 77) GTEST_SKIP() << "no disk can be mounted";
  EXPECT_EQ(recorded.status, 7) << recorded.err;
  EXPECT_TRUE(has(recorded.err, {"the recording is incomplete"}));
}

}  // namespace
}  // namespace lightcone
