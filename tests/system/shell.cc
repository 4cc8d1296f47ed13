// Runs command lines in a shell and collects what they print.
#include "system/shell.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace lightcone {
namespace {

[[nodiscard]] std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

void Shell::SetUp() {
  std::string name = (std::filesystem::temp_directory_path() / "lightcone-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  top_ = name;
  std::filesystem::create_directory(folder());
}

void Shell::TearDown() { std::filesystem::remove_all(top_); }

Shell::Result Shell::run(const std::string& line) const {
  const std::string path = std::filesystem::path(LIGHTCONE_PROGRAM).parent_path().string();
  std::ofstream(top_ / "line") << "cd '" << folder().string() << "' || exit 99\n"
                               << "PATH='" << path << "':$PATH\n"
                               << "export PATH TERM=xterm LC_ALL=C.UTF-8\n"
                               << "unset NO_COLOR\n"
                               << "export XDG_STATE_HOME='" << top_.string() << "/state'\n"
                               << line << "\n";
  const std::string top = "'" + top_.string();
  const std::string shell =
      "bash " + top + "/line' >" + top + "/out' 2>" + top + "/err' </dev/null";
  const int status = std::system(shell.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          content_of(top_ / "out"), content_of(top_ / "err")};
}

void Shell::write(const std::string& name, std::string_view text) const {
  std::ofstream(folder() / name, std::ios::binary) << text;
}

std::size_t Shell::file_count() const {
  using Iterator = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Iterator(folder()), Iterator()));
}

testing::AssertionResult Shell::has(const std::string& text, const std::vector<std::string>& parts,
                                    const std::vector<std::string>& others) {
  for (const std::string& part : parts) {
    const auto found = testing::IsSubstring("part", "text", part, text);
    if (!found) return found;
  }
  for (const std::string& part : others) {
    const auto absent = testing::IsNotSubstring("part", "text", part, text);
    if (!absent) return absent;
  }
  return testing::AssertionSuccess();
}

bool Shell::has_command(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace lightcone
