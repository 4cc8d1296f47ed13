// The programs of docs/any-language.md write the trace that the page promises, in each language
// whose compiler or interpreter is there.
#include <fstream>
#include <regex>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

struct Language {
  const char* name;     ///< of its blocks in the page
  const char* command;  ///< what must be there
  const char* file;
  const char* run;
};

class AnyLanguage : public Shell, public testing::WithParamInterface<Language> {
 protected:
  /// The program of a language, as the page has it.
  [[nodiscard]] static std::string program_in(const std::string& language) {
    std::ifstream page(LIGHTCONE_SOURCE_DIR "/docs/any-language.md");
    std::string program;
    bool is_inside = false;
    for (std::string line; std::getline(page, line);) {
      if (line.starts_with("```")) {
        is_inside = line == "```" + language;
      } else if (is_inside) {
        program += line + '\n';
      }
    }
    return program;
  }
};

TEST_P(AnyLanguage, WritesTheTrace) {
  const Language& language = GetParam();
  const std::string program = program_in(language.name);
  ASSERT_FALSE(program.empty());
  if (!has_command(language.command)) GTEST_SKIP() << "there is no " << language.command;
  write(language.file, program);
  const Result done = run(language.run);
  ASSERT_EQ(done.status, 0) << done.err;
  const auto info = run("lightcone info --json run").json();
  EXPECT_EQ(info["processes"], 2) << info;
  EXPECT_EQ(info["events"], 5) << info;
  EXPECT_EQ(info["messages"], 2) << info;
  write("p.prop", "require told : every longest flow over {write, read} at read contains write\n");
  EXPECT_EQ(run("lightcone check p.prop run").status, 0) << "labels and messages are there";
}

INSTANTIATE_TEST_SUITE_P(
    Page, AnyLanguage,
    testing::Values(Language{"python", "python3", "events.py", "python3 events.py"},
                    Language{"javascript", "node", "events.js", "node events.js"},
                    Language{"go", "go", "events.go",
                             "GOCACHE=$PWD/cache GOFLAGS= go run events.go"},
                    Language{"java", "javac", "Events.java", "javac Events.java && java Events"},
                    Language{"rust", "rustc", "events.rs", "rustc events.rs && ./events"}),
    [](const auto& language) { return std::string(language.param.name); });

}  // namespace
}  // namespace lightcone
