// The property files of examples/ are found where the comments in them say, and nowhere else.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {
namespace {

namespace fs = std::filesystem;

/// Where each property of a file is found: by trace, then by property, as `p1:3, p2:0`.
using Places = std::map<std::string, std::map<std::string, std::string>>;

constexpr std::string_view nowhere = "nowhere";

std::vector<fs::path> property_files() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(LIGHTCONE_SOURCE_DIR) / "examples/properties")) {
    if (entry.path().extension() == ".prop") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The name of the property that a line begins, or nothing.
std::string property_begun(const std::string& line) {
  static constexpr std::array<std::string_view, 4> verbs{"forbid ", "expect ", "require ",
                                                         "watch "};
  const bool begins = std::any_of(verbs.begin(), verbs.end(),
                                  [&](std::string_view verb) { return line.starts_with(verb); });
  if (!begins) return {};
  const std::size_t first = line.find_first_not_of(' ', line.find(' '));
  return line.substr(first, line.find_first_of(" :", first) - first);
}

/// What the comments `# found in TRACE: p1:3, p2:0` above each property say.
Places written_places(const fs::path& file) {
  static constexpr std::string_view comment = "# found in ";
  Places places;
  std::map<std::string, std::string> pending;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(comment)) {
      const std::size_t colon = line.find(": ");
      const std::string trace = line.substr(comment.size(), colon - comment.size());
      EXPECT_TRUE(pending.emplace(trace, line.substr(colon + 2)).second) << file << ": " << line;
    } else if (const std::string name = property_begun(line); !name.empty()) {
      EXPECT_FALSE(pending.empty()) << file << ": where is " << name << " found?";
      for (auto& [trace, at] : pending) places[trace][name] = std::move(at);
      pending.clear();
    }
  }
  EXPECT_TRUE(pending.empty()) << file << " ends with places of no property";
  return places;
}

std::string places_of(const Computation& computation, const FoundRows& answer) {
  std::vector<std::string> places;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const auto add = [&](Row row, Rank rank) {
      if (!answer.found_at(row)) return;
      places.push_back(fmt::format("{}:{}", computation.process_name(p), rank));
    };
    add(computation.initial_row(p), 0);
    for (Rank rank = 1; rank <= computation.last_rank(p); ++rank) {
      add(computation.event(p, rank), rank);
    }
  }
  EXPECT_EQ(answer.found_count(), places.size());
  return places.empty() ? std::string(nowhere) : fmt::format("{}", fmt::join(places, ", "));
}

/// A global state that satisfies the predicate, of the processes that it reads; `yes` where every
/// observation has its own.
std::string state_of(const Computation& computation, const Properties& properties,
                     const Global& global) {
  const GlobalPredicate predicate(computation, properties, global.expression);
  Budget budget({});
  const Decision decision = decide(global.modality, predicate, computation, {budget});
  if (!decision.found) return "not decided";
  if (!*decision.found) return std::string(nowhere);
  if (decision.cut.empty()) return "yes";
  std::set<ProcessIndex> read;
  for (const ReadColumn& column : predicate.columns()) read.insert(column.process);
  std::vector<std::string> places;
  for (const ProcessIndex p : read) {
    places.push_back(fmt::format("{}:{}", computation.process_name(p), decision.cut[p]));
  }
  return fmt::format("{}", fmt::join(places, ", "));
}

/// Where the properties of a file are found in a trace.
std::map<std::string, std::string> found_places(const fs::path& file, const fs::path& trace) {
  auto properties = read_property_syntax(file.string());
  if (!properties) throw std::runtime_error(properties.error().text());
  const auto reading = read_trace(trace.string(), Format::jsonl);
  if (!reading) throw std::runtime_error(reading.error().text());
  const Computation& computation = reading->computation;
  const auto warnings = check_names(*properties, computation);
  if (!warnings) throw std::runtime_error(warnings.error().text());
  EXPECT_TRUE(warnings->empty()) << file << " on " << trace << ": " << warnings->front();

  const auto compiled =
      CompiledProperties::compile(std::move(*properties), event_labels(computation));
  const Inspection inspection(compiled, computation);
  std::map<std::string, std::string> places;
  for (std::uint32_t i = 0; i < compiled.source().properties.size(); ++i) {
    const Property& property = compiled.source().properties[i];
    const FoundRows* answer = inspection.answer(i);
    if (const auto* global = std::get_if<Global>(&property.question)) {
      places[property.name] = state_of(computation, compiled.source(), *global);
    } else {
      places[property.name] = answer == nullptr ? "not decided" : places_of(computation, *answer);
    }
  }
  return places;
}

TEST(ExampleProperties, AreFoundWhereTheySay) {
  for (const fs::path& file : property_files()) {
    const Places written = written_places(file);
    EXPECT_FALSE(written.empty()) << file << " says of no trace where its properties are found";
    for (const auto& [trace, expected] : written) {
      EXPECT_EQ(found_places(file, file.parent_path() / trace), expected)
          << file << " on " << trace;
    }
  }
}

/// A comparison with nothing would pass: most files have a trace where something is found, and
/// one where something is not, and every trace belongs to a property file.
TEST(ExampleProperties, ShowBothAnswers) {
  std::set<std::string> used;
  std::size_t found = 0, missing = 0;
  for (const fs::path& file : property_files()) {
    for (const auto& [trace, places] : written_places(file)) {
      used.insert(fs::path(trace).filename().string());
      for (const auto& [property, at] : places) ++(at == nowhere ? missing : found);
    }
  }
  EXPECT_GE(property_files().size(), 7U);
  EXPECT_GE(found, 10U);
  EXPECT_GE(missing, 5U);
  for (const auto& entry : fs::directory_iterator(property_files().front().parent_path())) {
    if (entry.path().extension() != ".jsonl") continue;
    EXPECT_TRUE(used.contains(entry.path().filename().string())) << entry.path() << " is unused";
  }
}

}  // namespace
}  // namespace lightcone
