// Every link of a document that points into this project points at something that is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(LIGHTCONE_SOURCE_DIR)) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(LIGHTCONE_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  return found;
}

/// What stands in the parentheses of `](…)`, up to a `#`; but not in `= [](…)`, which is code.
std::vector<std::string> targets(const fs::path& document) {
  std::ifstream in(document);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::string> found;
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    if (at != 0 && text[at - 1] == '[') continue;
    const auto begin = at + 2;
    found.push_back(text.substr(begin, text.find_first_of(")#\n", begin) - begin));
  }
  return found;
}

TEST(Documents, LinkToWhatIsThere) {
  for (const auto& document : documents()) {
    for (const auto& target : targets(document)) {
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(document.parent_path() / target)) << document << ": " << target;
    }
  }
}

}  // namespace
