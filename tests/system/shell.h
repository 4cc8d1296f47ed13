// Runs command lines as a user does: in a shell, in an empty folder, with `lightcone` on the PATH.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
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

  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] std::filesystem::path folder() const { return top_ / "work"; }

  /// Runs the command line; colour and locale are those of a plain terminal unless it sets them.
  [[nodiscard]] Result run(const std::string& line) const;

  void write(const std::string& name, std::string_view text) const;
  /// How many files the folder holds: nothing may be left behind.
  [[nodiscard]] std::size_t file_count() const;
  /// Whether the text has all of these parts, and none of those.
  [[nodiscard]] static testing::AssertionResult has(const std::string& text,
                                                    const std::vector<std::string>& parts,
                                                    const std::vector<std::string>& others = {});
  [[nodiscard]] static bool has_command(const std::string& name);

 private:
  std::filesystem::path top_;
};

}  // namespace lightcone
