// The rules of CONTRIBUTING.md that a machine can check, applied to every source file.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// A file of the source tree; its path is relative to the tree's root.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;

  [[nodiscard]] bool is_header() const { return path.ends_with(".h"); }
  [[nodiscard]] std::string at(std::size_t line) const {
    return path + ':' + std::to_string(line + 1) + ": ";
  }
};

struct Include {
  std::size_t line;
  bool quoted;
  std::string path;
};

/// The folders of the library in the order of ARCHITECTURE.md: each includes only those before it.
constexpr std::array<std::string_view, 12> layers = {"base",     "causal", "trace",   "compare",
                                                     "property", "riders", "lattice", "check",
                                                     "view",     "run",    "explore", "live"};
/// The headers of include/lightcone/, each with the layer that it belongs to.
const std::map<std::string, std::string_view, std::less<>> public_headers = {
    {"error.h", "base"},       {"progress.h", "base"},  {"computation.h", "causal"},
    {"causality.h", "causal"}, {"states.h", "lattice"}, {"check.h", "check"},
    {"monitor.h", "check"},    {"trace.h", "trace"},    {"property.h", "property"},
    {"snapshot.h", "riders"},  {"recording.h", "run"},  {"transport.h", "run"},
    {"guide.h", "explore"},    {"process.h", "live"},   {"network.h", "live"},
    {"simulation.h", "live"},  {"actor.h", "live"},     {"c.h", "live"},
    {"diff.h", "compare"},     {"executions.h", "trace"}};
/// Names that say nothing about what a file is for.
constexpr std::array<std::string_view, 10> empty_names = {
    "util",   "utils",   "common",  "misc",     "miscellaneous",
    "helper", "helpers", "manager", "managers", "utilities"};

SourceFile read_source(const fs::path& path) {
  SourceFile file{fs::relative(path, LIGHTCONE_SOURCE_DIR).string(), {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) file.lines.push_back(std::move(line));
  return file;
}

std::vector<SourceFile> all_sources() {
  std::vector<SourceFile> files;
  for (const char* folder :
       {"include", "lightcone", "adapters", "apps", "python", "examples", "tests", "bench"}) {
    const fs::path root = fs::path(LIGHTCONE_SOURCE_DIR) / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension == ".cc" || extension == ".h") files.push_back(read_source(entry.path()));
    }
  }
  return files;
}

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> files = all_sources();
  return files;
}

/// What stands between `#include <` or `#include "` and its end, line by line.
std::vector<Include> includes(const SourceFile& file) {
  constexpr std::string_view directive = "#include ";
  std::vector<Include> found;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::string_view line = file.lines[i];
    if (!line.starts_with(directive)) continue;
    line.remove_prefix(directive.size());
    const bool quoted = line.starts_with('"');
    line = line.substr(1, line.find(quoted ? '"' : '>', 1) - 1);
    found.push_back({i, quoted, std::string(line)});
  }
  return found;
}

/// The place of `lightcone/LAYER/…` or of a public header among the layers; their number when it is
/// in none of them.
std::size_t layer_of(std::string_view path) {
  constexpr std::string_view folder = "include/", library = "lightcone/";
  if (path.starts_with(folder)) path.remove_prefix(folder.size());
  if (!path.starts_with(library)) return layers.size();
  path.remove_prefix(library.size());
  const auto found = public_headers.find(path);
  const std::string_view name =
      found == public_headers.end() ? path.substr(0, path.find('/')) : found->second;
  const auto* layer = std::find(layers.begin(), layers.end(), name);
  return static_cast<std::size_t>(layer - layers.begin());
}

/// Columns as a reader counts them: bytes that continue a UTF-8 character take none.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

/// Whether this is a file of the library, its public headers among them.
bool is_of_library(const SourceFile& file) {
  return file.path.starts_with("lightcone/") || file.path.starts_with("include/");
}

/// Whether a path that programs include is a header of the library or of an adapter to it.
bool is_header_of_library(const std::string& path) {
  const fs::path root = LIGHTCONE_SOURCE_DIR;
  if (fs::exists(root / path) || fs::exists(root / "include" / path)) return true;
  const auto adapters = fs::directory_iterator(root / "adapters");
  return std::any_of(begin(adapters), end(adapters),
                     [&](const auto& adapter) { return fs::exists(adapter.path() / path); });
}

TEST(SourceRules, ThereAreSources) { EXPECT_GT(sources().size(), 10U); }

TEST(SourceRules, EveryFileOfTheLibraryIsInALayer) {
  for (const auto& file : sources()) {
    if (!is_of_library(file)) continue;
    EXPECT_LT(layer_of(file.path), layers.size()) << file.path << " is in no layer";
  }
}

TEST(SourceRules, ALayerIncludesOnlyThoseBeforeIt) {
  for (const auto& file : sources()) {
    if (!is_of_library(file)) continue;
    for (const auto& include : includes(file)) {
      if (!include.path.starts_with("lightcone/")) continue;
      EXPECT_LE(layer_of(include.path), layer_of(file.path))
          << file.at(include.line) << include.path << " belongs to a later layer";
    }
  }
}

TEST(SourceRules, TheLibraryIncludesNothingOfWhatStandsOnIt) {
  for (const auto& file : sources()) {
    if (!is_of_library(file) || file.path.ends_with("_test.cc")) continue;
    for (const auto& include : includes(file)) {
      EXPECT_FALSE(include.quoted) << file.at(include.line) << "write <" << include.path << ">";
    }
  }
}

TEST(SourceRules, TheLibraryIsIncludedByItsOwnPaths) {
  for (const auto& file : sources()) {
    for (const auto& include : includes(file)) {
      const auto where = file.at(include.line);
      EXPECT_EQ(include.path.find(".."), std::string::npos) << where << "leaves its folder";
      if (include.path.starts_with("lightcone/")) {
        EXPECT_FALSE(include.quoted) << where << "write <" << include.path << ">";
        EXPECT_TRUE(is_header_of_library(include.path))
            << where << include.path << " is no header of the library";
      }
    }
  }
}

TEST(SourceRules, ASourceIncludesItsOwnHeaderFirst) {
  for (const auto& file : sources()) {
    if (!file.path.ends_with(".cc")) continue;
    const std::string header = file.path.substr(0, file.path.size() - 2) + "h";
    if (!fs::exists(fs::path(LIGHTCONE_SOURCE_DIR) / header)) continue;
    const auto included = includes(file);
    ASSERT_FALSE(included.empty()) << file.path;
    EXPECT_EQ(fs::path(included[0].path).filename(), fs::path(header).filename()) << file.path;
  }
}

TEST(SourceRules, EveryFileSaysInItsFirstLineWhyItExists) {
  for (const auto& file : sources()) {
    EXPECT_TRUE(!file.lines.empty() && file.lines[0].starts_with("// ")) << file.path;
  }
}

TEST(SourceRules, FilesAreReadInOneGo) {
  for (const auto& file : sources()) {
    EXPECT_LE(file.lines.size(), file.is_header() ? 250U : 600U) << file.path;
  }
}

TEST(SourceRules, AFolderHoldsAFewFiles) {
  std::map<std::string, int> files;
  for (const auto& file : sources()) ++files[fs::path(file.path).parent_path().string()];
  for (const auto& [folder, count] : files) EXPECT_LE(count, 27) << folder;
}

TEST(SourceRules, FoldersSayWhatIsInThem) {
  std::set<std::string> folders = {"adapters", "apps/cli", "bench", "examples", "python", "tests"};
  for (const std::string_view layer : layers) folders.insert("lightcone/" + std::string(layer));
  for (const std::string& folder : folders) {
    EXPECT_TRUE(fs::exists(fs::path(LIGHTCONE_SOURCE_DIR) / folder / "README.md")) << folder;
  }
}

/// What is linked into programs of others must not do what a user says who has fewer rights.
TEST(SourceRules, InsideOfProgramsTheEnvironmentIsReadSecurely) {
  std::size_t found = 0;
  for (const auto& file : sources()) {
    const bool is_inside =
        file.path.starts_with("lightcone/") || file.path.starts_with("adapters/");
    if (!is_inside || file.path.ends_with("_test.cc")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::size_t at = file.lines[i].find("getenv(");
      if (at == std::string::npos) continue;
      ++found;
      EXPECT_TRUE(at >= 7 && file.lines[i].substr(at - 7, 7) == "secure_") << file.at(i);
    }
  }
  EXPECT_GT(found, 0U);
}

TEST(SourceRules, LinesFitOneHundredColumns) {
  for (const auto& file : sources()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_LE(columns(file.lines[i]), 100U) << file.at(i) << file.lines[i];
    }
  }
}

TEST(SourceRules, NamesSayWhatAFileIsFor) {
  constexpr std::string_view separators = "/_.-";
  for (const auto& file : sources()) {
    for (std::size_t begin = 0; begin < file.path.size();) {
      const auto end = std::min(file.path.find_first_of(separators, begin), file.path.size());
      const auto word = std::string_view(file.path).substr(begin, end - begin);
      EXPECT_EQ(std::count(empty_names.begin(), empty_names.end(), word), 0)
          << file.path << " is named after nothing";
      begin = end + 1;
    }
  }
}

}  // namespace
