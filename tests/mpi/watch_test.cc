// MPI programs are watched as they run: what their ranks print is what `check` finds afterwards.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <tuple>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

/// A property, a process and the event where it was found.
using Place = std::tuple<std::string, std::string, std::uint64_t>;

// Flows and logic, over labels of MPI's calls.
constexpr const char* of_calls = R"(
watch tagged : some longest flow contains "tag:1" -> "tag:2" "tag:1"
watch raced : some longest flow over {any_source, MPI_Barrier} ends with any_source MPI_Barrier
watch parts : some flow over {"comm:world", "comm:world.1"} ends with "comm:world.1" "comm:world"
forbid seen : logic {
  here := receive and any_source
  seen := here and (any seen or not prev here)
}
)";

// And over those that the program gives itself.
constexpr const char* of_program = R"(
watch after : some flow over {a, b, c} at b ends with a -> b without c
watch close : some longest flow over {a, b, c} at b ends with a b
watch all : every longest flow over {a, b, c} at c contains a -> b
watch mixed : some longest flow over {MPI_Isend, any_source, a} at a ends with any_source a
watch halves : some flow over {"comm:world.2/1", a} at a ends with "comm:world.2/1" a
label large = x > 2
watch knows : logic {
  big := large
  heard := msg big or any heard
  both := heard and b
}
)";

class MpiWatch : public MpiRun {
 protected:
  /// Each rank writes a file of its own: launchers may mix lines of different ranks.
  [[nodiscard]] std::set<Place> watch(const std::string& environment = {}) const {
    const Result result =
        run("rm -rf live.*\n" + environment + "\n" + mpi_environment() +
            "timeout 100 lightcone record --out rec --watch it.prop -- mpirun." +
            GetParam().flavour + " -n 4 sh -c 'exec " + program() + " 2> live.$$'");
    EXPECT_EQ(result.status, 0) << result.err;
    std::set<Place> found;
    const std::regex line("lightcone: (watch|forbid): (\\S+) at event (\\d+) of (rank\\d+).*");
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      if (!entry.path().filename().string().starts_with("live.")) continue;
      std::ifstream in(entry.path());
      for (std::string text; std::getline(in, text);) {
        std::smatch parts;
        if (!std::regex_match(text, parts, line)) {
          ADD_FAILURE() << text;
        } else if (!found.emplace(parts[2], parts[4], std::stoull(parts[3])).second) {
          ADD_FAILURE() << "told twice: " << text;
        }
      }
    }
    return found;
  }

  [[nodiscard]] std::set<Place> check() const {
    const Result result = run("lightcone check --json it.prop rec");
    EXPECT_LE(result.status, 1) << result.err;
    std::set<Place> found;
    const auto document = result.json();
    for (const auto& property : document["properties"]) {
      EXPECT_TRUE(property["found"]) << property["name"] << " tests nothing";
      for (const auto& at : property["at"]) {
        found.emplace(property["name"], at["process"], at["event"]);
      }
    }
    return found;
  }
};

TEST_P(MpiWatch, FindsWhatCheckFinds) {
  const bool labels_itself = GetParam().line.starts_with("random");
  write("it.prop", std::string(of_calls) + (labels_itself ? of_program : ""));
  for (const char* tags : {"memory", "messages"}) {
    const std::set<Place> live = watch("export LIGHTCONE_TAGS=" + std::string(tags));
    const std::set<Place> found = check();
    std::vector<Place> different;
    std::set_symmetric_difference(live.begin(), live.end(), found.begin(), found.end(),
                                  std::back_inserter(different));
    if (different.empty()) continue;
    const auto& [property, process, event] = different.front();
    ADD_FAILURE() << tags << ": " << different.size() << " of " << found.size() << ", first "
                  << property << " at event " << event << " of " << process;
  }
}
INSTANTIATE_TEST_SUITE_P(Programs, MpiWatch,
                         testing::ValuesIn(for_each_mpi({"calls", "random_messages 12 2"})),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Longer, MpiWatch,
                         testing::ValuesIn(for_each_mpi({"random_messages 80 3"})), name_of);

class MpiWatched : public MpiRun {};

TEST_P(MpiWatched, RecordsAndReplaysAsEver) {
  write("it.prop", "watch a : some flow at a contains a\nwatch g : possibly count(a) >= 2\n");
  const Result recorded = record("--watch it.prop");
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  EXPECT_TRUE(has(recorded.err, {"watch: a at event", "note: g is about global states"}));
  expect_same_replays(recorded);
}
INSTANTIATE_TEST_SUITE_P(Programs, MpiWatched,
                         testing::ValuesIn(for_each_mpi({"random_messages 3 1"})), name_of);

class MpiWatchMistakes : public Shell {};

TEST_F(MpiWatchMistakes, AreToldBeforeTheProgramStarts) {
  write("wrong.prop", "watch a : some flew at a contains a\n");
  write("right.prop", "watch a : some flow at a contains a\n");
  const std::string launch = "-- mpirun." + mpi_flavours().front() + " -n 2 touch started";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"--watch nowhere.prop " + launch, "nowhere.prop"},
      {"--watch wrong.prop " + launch, "wrong.prop:1:16"},
      {"--watch right.prop -- touch started", "--watch is for MPI programs"}};
  for (const auto& [arguments, words] : mistakes) {
    const Result result = run("lightcone record " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(has(result.err, {words}));
    EXPECT_FALSE(std::filesystem::exists(folder() / "started"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "lightcone.rec"));
  }
}

}  // namespace
}  // namespace lightcone
