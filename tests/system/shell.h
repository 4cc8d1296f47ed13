// Runs command lines as a user does: through the shell, in an empty folder, `lightcone` on the
// PATH.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A test with a folder of its own.
class Shell : public testing::Test {
 protected:
  struct Result {
    int status;
    std::string out;
    std::string err;

    [[nodiscard]] nlohmann::json json() const {
      return nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
    }
  };

  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "lightcone-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    top_ = name;
    std::filesystem::create_directory(folder());
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  [[nodiscard]] std::filesystem::path folder() const { return top_ / "work"; }

  /// Runs the command line; colour and locale are those of a plain terminal unless it sets them.
  [[nodiscard]] Result run(const std::string& line) const {
    const std::string path = std::filesystem::path(LIGHTCONE_PROGRAM).parent_path().string();
    std::ofstream(top_ / "line") << "cd '" << folder().string() << "' || exit 99\n"
                                 << "PATH='" << path << "':$PATH\n"
                                 << "export PATH TERM=xterm LC_ALL=C.UTF-8\n"
                                 << "unset NO_COLOR\n"
                                 << line << "\n";
    const std::string top = top_.string();
    const int status = std::system(
        ("bash '" + top + "/line' >'" + top + "/out' 2>'" + top + "/err' </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(top_ / "out"),
            read(top_ / "err")};
  }

  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(folder() / name);
  }
  /// How many files the folder holds: nothing may be left behind.
  [[nodiscard]] std::size_t file_count() const {
    using Iterator = std::filesystem::directory_iterator;
    return static_cast<std::size_t>(std::distance(Iterator(folder()), Iterator()));
  }

  /// Whether the text has all of these parts, and none of those.
  [[nodiscard]] static testing::AssertionResult has(
      const std::string& text, const std::vector<std::string>& parts,
      const std::vector<std::string>& not_parts = {}) {
    for (const std::string& part : parts) {
      const auto found = testing::IsSubstring("part", "text", part, text);
      if (!found) return found;
    }
    for (const std::string& part : not_parts) {
      const auto absent = testing::IsNotSubstring("part", "text", part, text);
      if (!absent) return absent;
    }
    return testing::AssertionSuccess();
  }

  [[nodiscard]] static bool has_command(const std::string& name) {
    return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
  }

 private:
  [[nodiscard]] static std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  std::filesystem::path top_;
};

}  // namespace lightcone
