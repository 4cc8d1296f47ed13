// No two types have one name in one namespace: a linker takes either of them without a word. The
// words of the glossary name one type each, wherever it stands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Where a comment, literal or line of the preprocessor ends that begins here; here if none does.
std::size_t end_of_other(std::string_view text, std::size_t at) {
  const auto after = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return after("\n", at) - 1;
  if (rest.starts_with("/*")) return after("*/", at + 2);
  if (rest.starts_with("R\"")) {
    const std::size_t open = text.find('(', at);
    return after(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  const char quote = rest.empty() ? ' ' : rest[0];
  const bool in_number = quote == '\'' && at > 0 && std::isalnum(text[at - 1]) != 0;
  if ((quote == '"' || quote == '\'') && !in_number) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
    return end + 1;
  }
  const std::size_t line = text.find_last_of('\n', at);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  if (quote == '#' && text.find_first_not_of(" \t", begin) == at) {
    std::size_t end = after("\n", at);
    while (end > 1 && text[end - 2] == '\\') end = after("\n", end);
    return end - 1;
  }
  return at;
}

/// Code without comments, literals and lines of the preprocessor.
std::string bare(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_other(text, at);
    if (end == at) out += text[at];
    at = std::max(end, at + 1);
  }
  return out;
}

/// The name of the type that these words begin to define, or nothing: `struct A::B final : C`.
std::string defined_type(const std::string& words) {
  static const std::regex type(
      R"((?:^|[\s>])(?:struct|class|union|enum(?:\s+(?:struct|class))?)\s+)"
      R"((?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*([A-Za-z_][\w:]*)\s*)"
      R"((?:final\b\s*)?(?::[^]*)?$)");
  std::smatch found;
  if (words.find('(') != std::string::npos && words.find("alignas") == std::string::npos) return {};
  if (words.find('=') != std::string::npos) return {};
  return std::regex_search(words, found, type) ? found[1].str() : std::string();
}

/// The types that a file defines in namespaces that others see, with these.
std::vector<std::string> defined_types(std::string_view text) {
  static const std::regex space(R"((?:^|\s)(?:inline\s+)?namespace(?:\s+([\w:]+))?\s*$)");
  std::vector<std::string> types;
  struct Scope {
    bool is_space;  // a namespace with a name
    std::string name;
  };
  std::vector<Scope> scopes;
  std::string words;  // since the last end of something
  for (const char c : bare(text)) {
    if (c == '{') {
      std::smatch found;
      Scope scope{false, {}};
      if (std::regex_search(words, found, space)) {
        scope = {found[1].matched, found[1].str() + "::"};
      } else if (std::all_of(scopes.begin(), scopes.end(),
                             [](const Scope& outer) { return outer.is_space; })) {
        std::string name = defined_type(words);
        for (auto outer = scopes.rbegin(); !name.empty() && outer != scopes.rend(); ++outer) {
          name = outer->name + name;
        }
        if (!name.empty()) types.push_back(std::move(name));
      }
      scopes.push_back(std::move(scope));
    } else if (c == '}' && !scopes.empty()) {
      scopes.pop_back();
    }
    if (c == '{' || c == '}' || c == ';') {
      words.clear();
    } else {
      words += c;
    }
  }
  return types;
}

/// The words of the glossary that are types: each names one, in whatever namespace or class.
const std::set<std::string> glossary = {
    "Actor",        "Answer",    "Assignment", "Atom",       "Checkpoint", "Choice",
    "Computation",  "Condition", "Count",      "Cut",        "Decision",   "Doubts",
    "Envelope",     "Error",     "Explored",   "Flow",       "Formula",    "Futures",
    "GlobalStates", "Guide",     "Interval",   "Journal",    "Level",      "Limits",
    "Logic",        "Outcome",   "Place",      "Precedence", "Prompter",   "Property",
    "PropertyFile", "Rank",      "Reading",    "Recording",  "Report",     "Run",
    "Scene",        "Selection", "Spread",     "Step",       "Timestamps", "Value",
    "Verb",         "Verdict",   "Workers"};

/// The types of the glossary that a file defines, at any depth: as a class, an enumeration or a
/// name for another type. `using Choice = Guide::Choice` defines none.
std::vector<std::string> glossary_types(std::string_view text) {
  static const std::regex definition(
      R"((?:\b(?:struct|class|union|enum(?:\s+(?:struct|class))?)\s+)"
      R"((?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(\w+)\s*(?:final\b\s*)?(?::[^;{}()]*)?\{)|)"
      R"((?:\busing\s+(\w+)\s*=\s*([\w:]*)))");
  const std::string code = bare(text);
  std::vector<std::string> types;
  for (std::sregex_iterator it(code.begin(), code.end(), definition), end; it != end; ++it) {
    const std::string name = (*it)[1].matched ? (*it)[1].str() : (*it)[2].str();
    const bool is_shorthand = (*it)[3].str().ends_with("::" + name);
    if (glossary.contains(name) && !is_shorthand) types.push_back(name);
  }
  return types;
}

/// What is defined twice: `name: one file, another`.
std::vector<std::string> defined_twice(const std::map<std::string, std::string>& files) {
  std::map<std::string, std::string> where;
  std::vector<std::string> twice;
  for (const auto& [file, text] : files) {
    for (const std::string& type : defined_types(text)) {
      const auto [place, is_new] = where.emplace(type, file);
      if (!is_new) twice.push_back(type + ": " + place->second + ", " + file);
    }
  }
  return twice;
}

TEST(OneDefinition, IsMissedWhereThereAreTwo) {
  using Files = std::map<std::string, std::string>;
  const std::string one = "namespace a {\nstruct Run { int x; };\n}  // namespace a\n";
  EXPECT_EQ(defined_twice(Files{{"1.cc", one}}), std::vector<std::string>{});
  EXPECT_EQ(defined_twice(Files{{"1.cc", one}, {"2.cc", one}}),
            std::vector<std::string>{"a::Run: 1.cc, 2.cc"});
  for (const char* other :
       {"namespace a {\nclass Run final : public Other<int> {};\n}",
        "namespace a { enum class Run : char { x }; }",
        "namespace a { template <class T, class U>\nstruct Run { T x; U y; }; }",
        "namespace a { inline int f() { return 1; } struct alignas(64) Run { }; }",
        "#define BRACE {\nnamespace a { const char* brace = \"{\"; char c = '{'; /* { */ // {\n "
        "struct Run {}; }",
        "struct a::Run {};"}) {
    EXPECT_EQ(defined_twice(Files{{"1.cc", one}, {"2.cc", other}}).size(), 1U) << other;
  }
  for (const char* other :
       {"namespace a { struct Run; }", "namespace b { struct Run {}; }",
        "namespace a { namespace { struct Run {}; } }",
        "namespace a { struct Other { struct Run {}; }; }",
        "namespace a { void f() { struct Run { int x; }; } }",
        "namespace a { struct Run make() { return {}; } }", "namespace a { struct Run x = {1}; }",
        "// namespace a { struct Run {}; }", "namespace a { template <> struct Run<int> {}; }"}) {
    EXPECT_EQ(defined_twice(Files{{"1.cc", one}, {"2.cc", other}}).size(), 0U) << other;
  }
}

TEST(OneDefinition, OfAWordOfTheGlossaryIsFoundAnywhere) {
  const auto found = [](std::string_view text) { return glossary_types(text).size(); };
  EXPECT_EQ(found("namespace a { class Level final : public Other<int> { }; }"), 1U);
  EXPECT_EQ(found("struct Outer { struct Level { }; };"), 1U);
  EXPECT_EQ(found("void f() { enum class Level : char { low }; }"), 1U);
  EXPECT_EQ(found("using Level = int;"), 1U);
  EXPECT_EQ(found("using Level = a::Level;"), 0U);
  EXPECT_EQ(found("class Level; Level level{3}; // struct Level {"), 0U);
  EXPECT_EQ(found("struct LevelTwo { }; Level f() { return {}; }"), 0U);
}

/// What can be linked together: the library, adapters, the program and what tests share with them.
std::map<std::string, std::string> all_sources() {
  std::map<std::string, std::string> files;
  for (const char* folder :
       {"include", "lightcone", "adapters", "apps", "examples", "tests", "bench"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(LIGHTCONE_SOURCE_DIR) / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".cc" && extension != ".h") continue;
      std::ifstream in(entry.path());
      files[fs::relative(entry.path(), LIGHTCONE_SOURCE_DIR).string()] = {
          std::istreambuf_iterator<char>(in), {}};
    }
  }
  return files;
}

TEST(OneDefinition, OfEveryType) {
  const std::map<std::string, std::string> files = all_sources();
  ASSERT_GT(files.size(), 100U);
  for (const std::string& twice : defined_twice(files)) ADD_FAILURE() << twice;
}

TEST(OneDefinition, OfEveryWordOfTheGlossary) {
  std::map<std::string, std::string> where;
  for (const auto& [file, text] : all_sources()) {
    if (file.ends_with("_test.cc") || file.starts_with("tests/") || file.starts_with("bench/")) {
      continue;
    }
    for (const std::string& type : glossary_types(text)) {
      const auto [place, is_new] = where.emplace(type, file);
      EXPECT_TRUE(is_new) << type << ": " << place->second << ", " << file;
    }
  }
  EXPECT_GT(where.size(), 20U);
}

}  // namespace
