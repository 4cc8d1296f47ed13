// Every link of a document that points into this project points at a file and a heading that are
// there, and so does every name of a test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
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

/// A link of a document: `file#anchor`. Both may be empty.
struct Link {
  std::string file, anchor;
};

/// The text of a document without its blocks of code.
std::string prose_of(const fs::path& document) {
  std::istringstream lines(text_of(document));
  std::string prose;
  bool in_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("```") != std::string::npos) in_code = !in_code;
    if (!in_code) prose += line + '\n';
  }
  return prose;
}

/// What stands in the parentheses of `](…)`; but not in `= [](…)`, which is code.
std::vector<Link> links(const fs::path& document) {
  const std::string text = prose_of(document);
  std::vector<Link> found;
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    if (at != 0 && text[at - 1] == '[') continue;
    const auto begin = at + 2;
    const std::string target = text.substr(begin, text.find_first_of(")\n", begin) - begin);
    if (target.find("://") != std::string::npos) continue;
    const auto hash = std::min(target.find('#'), target.size());
    found.push_back({target.substr(0, hash), target.substr(std::min(hash + 1, target.size()))});
  }
  return found;
}

/// What links name the headings of a document by: in lower case, with `-` for a space, without
/// other signs.
std::set<std::string> anchors(const fs::path& document) {
  std::istringstream lines(prose_of(document));
  std::set<std::string> found;
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of('#');
    if (begin == 0 || begin == std::string::npos || line[begin] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(begin + 1)) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(byte));
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    found.insert(anchor);
  }
  return found;
}

TEST(Documents, LinkToWhatIsThere) {
  for (const auto& document : documents()) {
    for (const auto& [file, anchor] : links(document)) {
      const fs::path target = file.empty() ? document : document.parent_path() / file;
      ASSERT_TRUE(fs::exists(target)) << document << ": " << file;
      if (anchor.empty()) continue;
      EXPECT_TRUE(anchors(target).contains(anchor)) << document << ": " << file << '#' << anchor;
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
