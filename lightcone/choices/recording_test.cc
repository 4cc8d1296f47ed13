// What a recording says of itself, and how its files are named.
#include <lightcone/choices/recording.h>

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "temporary_folder.h"

namespace lightcone {
namespace {

TEST(Recordings, SayWhatTheyAre) {
  const TemporaryFolder folder;
  const Recording written{{"./bank", "--seed", "3", "a b"}, JournalKind::races, true, {"p1", "p2"}};
  ASSERT_TRUE(written.write(folder.path()));
  const auto read = Recording::read(folder.path());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->command, written.command);
  EXPECT_EQ(read->journal, JournalKind::races);
  EXPECT_TRUE(read->journal_only);
  EXPECT_EQ(read->contents, written.contents);
}

TEST(Recordings, AreToldFromOtherFolders) {
  const TemporaryFolder folder;
  EXPECT_FALSE(Recording::read(folder.path()));
  for (const char* text :
       {"", "[]", "{}", "{\"lightcone\": 1}", "{\"lightcone\": 1, \"command\": 3}"}) {
    std::ofstream(folder.path() + "/recording.json") << text;
    EXPECT_FALSE(Recording::read(folder.path())) << text;
  }
}

TEST(Recordings, WhateverAProcessIsCalledItsFilesLieInTheFolder) {
  std::set<std::string> names;
  const std::string names_of_processes[] = {"p1",
                                            "",
                                            "..",
                                            "a/b",
                                            "a%2fb",
                                            "a b",
                                            ".hidden",
                                            "a\nb",
                                            std::string(400, 'x'),
                                            std::string(401, 'x')};
  for (const std::string& name : names_of_processes) {
    const std::string file = file_name_of(name);
    EXPECT_EQ(file.find('/'), std::string::npos);
    EXPECT_FALSE(file.empty() || file.starts_with("."));
    EXPECT_LT(file.size(), 200U);
    EXPECT_TRUE(names.insert(file).second) << name;
  }
  EXPECT_EQ(Recording::journal_path("d", "p1"), "d/p1.journal");
  EXPECT_EQ(Recording::trace_path("d", "p/1"), "d/p%2f1.lct");
}

}  // namespace
}  // namespace lightcone
