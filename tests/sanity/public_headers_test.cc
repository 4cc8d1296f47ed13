// The public headers stand on nothing internal, and what users copy from uses nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// What users read and copy from: it may include public headers only.
constexpr std::array<std::string_view, 6> for_users = {
    "README.md", "docs", "examples", "adapters/grpc", "adapters/zeromq", "tests/system/outside"};

/// The headers that adapters install.
const std::set<std::string> of_adapters = {
    "lightcone/grpc/interceptors.h", "lightcone/grpc/reporting.h", "lightcone/mpi.h",
    "lightcone/zeromq/cluster.h", "lightcone/zeromq/messages.h"};

/// The standard headers of C that a header for C and C++ includes.
const std::set<std::string> of_c = {"stdarg.h", "stdbool.h", "stddef.h", "stdint.h"};

fs::path root() { return LIGHTCONE_SOURCE_DIR; }

/// The public headers, as programs include them.
std::set<std::string> public_headers() {
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root() / "include" / "lightcone")) {
    if (entry.is_regular_file()) found.insert(fs::relative(entry, root() / "include").string());
  }
  return found;
}

/// What a file includes in angle brackets.
std::vector<std::string> includes(const fs::path& path) {
  constexpr std::string_view directive = "#include <";
  std::vector<std::string> found;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    line.erase(0, line.find_first_not_of(" "));
    if (!line.starts_with(directive)) continue;
    found.push_back(line.substr(directive.size(), line.find('>') - directive.size()));
  }
  return found;
}

/// The files of this name, or below the folder of this name.
std::vector<fs::path> files(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) found.push_back(entry.path());
  }
  return found;
}

bool is_standard(const std::string& header) {
  return header.find_first_of("./") == std::string::npos || of_c.contains(header);
}

TEST(PublicHeaders, AreFew) {
  EXPECT_GE(public_headers().size(), 7U);
  EXPECT_LE(public_headers().size(), 20U);
  for (const std::string& header : public_headers()) {
    EXPECT_EQ(fs::path(header).parent_path(), "lightcone") << header;
    EXPECT_EQ(fs::path(header).extension(), ".h") << header;
  }
}

TEST(PublicHeaders, StandOnNothingInternal) {
  const std::set<std::string> known = public_headers();
  for (const std::string& header : known) {
    for (const std::string& included : includes(root() / "include" / header)) {
      EXPECT_TRUE(is_standard(included) || known.contains(included) ||
                  included == "tl/expected.hpp")
          << header << " includes " << included;
    }
  }
}

TEST(PublicHeaders, AreAllThatUsersNeed) {
  const std::set<std::string> known = public_headers();
  std::size_t count = 0;
  for (const std::string_view place : for_users) {
    for (const fs::path& file : files(root() / place)) {
      for (const std::string& included : includes(file)) {
        if (!included.starts_with("lightcone/")) continue;
        ++count;
        EXPECT_TRUE(known.contains(included) || of_adapters.contains(included))
            << file << " includes " << included;
      }
    }
  }
  EXPECT_GT(count, 10U);
}

}  // namespace
