// OTF2 archives that OTF2's own library wrote, compared with what `otf2-print` counts in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "system/shell.h"

namespace lightcone {
namespace {

class Otf2 : public Shell {
 protected:
  /// Writes an archive of so many rounds; returns its anchor file.
  [[nodiscard]] std::string archive(int rounds) const {
    const Result written = run(LIGHTCONE_WRITE_ARCHIVE " archive" + std::to_string(rounds) + " " +
                               std::to_string(rounds));
    EXPECT_EQ(written.status, 0) << written.err;
    return "archive" + std::to_string(rounds) + "/traces.otf2";
  }

  /// How often each kind of event is in the archive, as otf2-print says.
  [[nodiscard]] std::map<std::string, std::size_t> printed(const std::string& anchor) const {
    std::istringstream lines(run("otf2-print " + anchor).out);
    std::map<std::string, std::size_t> counts;
    for (std::string line; std::getline(lines, line);) {
      ++counts[line.substr(0, line.find_first_of(" \t"))];
    }
    return counts;
  }
};

TEST_F(Otf2, HasTheCountsOfOtf2Print) {
  for (const int rounds : {1, 5}) {
    const std::string anchor = archive(rounds);
    const auto info = run("lightcone info --json " + anchor);
    ASSERT_EQ(info.status, 0) << info.err;
    const auto json = info.json();
    if (!has_command("otf2-print")) GTEST_SKIP() << "otf2-print is not installed";
    auto counts = printed(anchor);
    const std::size_t collectives = counts["MPI_COLLECTIVE_END"];
    const std::size_t received = counts["MPI_RECV"] + counts["MPI_IRECV"];
    EXPECT_EQ(received, 5U * static_cast<std::size_t>(rounds));
    EXPECT_EQ(json["events"], counts["ENTER"] + counts["LEAVE"] + counts["MPI_SEND"] +
                                  counts["MPI_ISEND"] + received + counts["MPI_COLLECTIVE_BEGIN"] +
                                  collectives);
    EXPECT_EQ(json["processes"], 3);
    // In a barrier each of three takes from two, from the root two take, of a reduction one takes
    // two.
    EXPECT_EQ(json["edges"], received + collectives / 9 * (6 + 2 + 2));
    EXPECT_EQ(json["in_transit"], 0);
  }
}

TEST_F(Otf2, ReceivesMatchInTheOrderInWhichTheyWerePosted) {
  const auto converted = run("lightcone convert " + archive(1) + " - --to jsonl");
  ASSERT_EQ(converted.status, 0) << converted.err;
  std::map<std::string, std::string> bytes;  // of sends and receives of a message must agree
  std::istringstream lines(converted.out);
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (!json.contains("vars") || !json["message"].is_string()) continue;
    const auto [at, is_new] = bytes.emplace(json["message"], json["vars"].dump());
    EXPECT_EQ(at->second, json["vars"].dump()) << line;
    compared += is_new ? 0 : 1;
  }
  EXPECT_EQ(compared, 5U);
}

TEST_F(Otf2, RegionsLimitWhatIsAnEvent) {
  const std::string anchor = archive(2);
  const auto all = run("lightcone info --json " + anchor).json();
  const auto some = run("lightcone info --json --regions 'io_*,other' " + anchor).json();
  const auto none = run("lightcone info --json --regions nothing " + anchor).json();
  EXPECT_EQ(all["internal"].get<int>() - some["internal"].get<int>(), 2 * 3 * 2);
  EXPECT_EQ(some["internal"].get<int>() - none["internal"].get<int>(), 2 * 2);
  EXPECT_EQ(all["edges"], none["edges"]);
}

TEST_F(Otf2, PropertiesAreCheckedOnRegions) {
  const std::string anchor = archive(1);
  write("p.prop", "require solved : every longest flow at io_write contains solve\n");
  const auto checked = run("lightcone check p.prop " + anchor);
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST_F(Otf2, DamagedArchivesGiveAnError) {
  const std::string anchor = archive(1);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder() / "archive1")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (const std::size_t size : {std::size_t{0}, bytes.size() / 2}) {
      std::ofstream(entry.path(), std::ios::binary) << bytes.substr(0, size);
      const auto info = run("lightcone info " + anchor);
      // A file that the archive can do without may be damaged. Nothing else happens.
      EXPECT_TRUE(info.status == 0 || info.status == 2) << entry.path() << info.err;
      if (info.status == 2) {
        EXPECT_TRUE(has(info.err, {"archive1/traces.otf2"}));
      }
    }
    std::ofstream(entry.path(), std::ios::binary) << bytes;
  }
  EXPECT_EQ(run("lightcone info " + anchor).status, 0);
}

TEST_F(Otf2, AnAnchorThatIsNotThereIsAnError) {
  const auto info = run("lightcone info --from otf2 nowhere.otf2");
  EXPECT_EQ(info.status, 2);
  EXPECT_TRUE(has(info.err, {"nowhere.otf2", "anchor file"}));
}

}  // namespace
}  // namespace lightcone
