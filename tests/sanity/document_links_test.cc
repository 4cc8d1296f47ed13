// Every link of a document that points into this project points at something that is there, and so
// does every name of a test.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// All that is written for people to read; but not what a build has left.
std::vector<fs::path> documents() {
  const fs::path root = LIGHTCONE_SOURCE_DIR;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const char* folder :
       {"include", "lightcone", "adapters", "apps", "bench", "docs", "examples", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

std::string text_of(const fs::path& document) {
  std::ifstream in(document);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What stands in the parentheses of `](…)`, up to a `#`; but not in `= [](…)`, which is code.
std::vector<std::string> targets(const fs::path& document) {
  const std::string text = text_of(document);
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

/// ARCHITECTURE.md is a map: short, and each file that it names is there.
TEST(Documents, TheMapIsShortAndTrue) {
  const fs::path root = LIGHTCONE_SOURCE_DIR;
  const std::string text = text_of(root / "ARCHITECTURE.md");
  std::istringstream words(text);
  EXPECT_LE(std::distance(std::istream_iterator<std::string>(words), {}), 1200);
  std::vector<std::string> files;
  for (const char* folder : {"include", "lightcone", "adapters", "apps"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      files.push_back('/' + fs::relative(entry.path(), root).string());
    }
  }
  const std::regex name("`([a-z_/]+\\.(cc|h))`");
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) {
    const std::string wanted = '/' + (*it)[1].str();
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const std::string& file) {
      return file.ends_with(wanted);
    })) << wanted;
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
  const std::string text = text_of(fs::path(LIGHTCONE_SOURCE_DIR) / "docs" / "reliability.md");
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
