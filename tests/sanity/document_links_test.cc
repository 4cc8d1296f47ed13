// Every link of a document that points into this project points at something that is there, and so
// does every name of a test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
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

/// All sources that may hold tests, one after the other.
std::string all_tests() {
  std::string text;
  for (const char* folder : {"lightcone", "adapters", "apps", "examples", "tests"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(LIGHTCONE_SOURCE_DIR) / folder)) {
      if (!entry.path().native().ends_with("_test.cc")) continue;
      std::ifstream in(entry.path());
      text.append(std::istreambuf_iterator<char>(in), {});
    }
  }
  return text;
}

TEST(Documents, NameTestsThatAreThere) {
  std::ifstream in(fs::path(LIGHTCONE_SOURCE_DIR) / "docs" / "reliability.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string tests = all_tests();
  const std::regex name("`([A-Z]\\w*)\\.(\\w+|\\*)`");
  std::size_t count = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it, ++count) {
    const std::string which = (*it)[2] == "*" ? "(" + (*it)[1].str() + ", "
                                              : "(" + (*it)[1].str() + ", " + (*it)[2].str() + ")";
    EXPECT_NE(tests.find(which), std::string::npos) << it->str() << " is no test";
  }
  EXPECT_GT(count, 30U);
}

}  // namespace
