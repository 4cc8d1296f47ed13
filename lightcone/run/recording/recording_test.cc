// What a recording says of itself, and how its files are named.
#include <lightcone/recording.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
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
  const std::string missing = folder.path() + "/missing";
  EXPECT_TRUE(Recording::read(missing).error().text().starts_with(
      missing + ": cannot be read: No such file or directory"));
  EXPECT_TRUE(Recording::read(folder.path())
                  .error()
                  .text()
                  .starts_with(folder.path() + ": is not a recording"));
  for (const char* text :
       {"", "[]", "{}", "{\"lightcone\": 1}", "{\"lightcone\": 1, \"command\": 3}"}) {
    std::ofstream(folder.path() + "/recording.json") << text;
    EXPECT_FALSE(Recording::read(folder.path())) << text;
  }
}

std::string error_of(const TemporaryFolder& folder, const std::string& text) {
  std::ofstream(folder.path() + "/recording.json") << text;
  const auto read = Recording::read(folder.path());
  return read ? "read" : read.error().text();
}

/// A description, with one of its members as given.
std::string with(const std::string& name, const std::string& value) {
  std::string text =
      R"({"lightcone": 1, "command": ["a"], "journal": "full", "journal_only": false,)";
  text += R"( "contents": [], "folder": "/", "signature": "00", "more": 1})";
  const std::size_t colon = text.find("\"" + name + "\":") + name.size() + 3;
  const std::size_t end = text.find_first_of(
      ",}", text.find(']', colon) < text.find(',', colon) ? text.find(']', colon) : colon);
  return text.replace(colon, end - colon, value);
}

TEST(Recordings, AMemberOfAnotherTypeIsNamed) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder, with("more", "[]")), "read");
  for (const char* name :
       {"lightcone", "command", "journal", "journal_only", "contents", "folder", "signature"}) {
    for (const char* value : {"null", "1.5", "{}", "[[]]", "[1]", "-1", "18446744073709551616"}) {
      const std::string error = error_of(folder, with(name, value));
      EXPECT_TRUE(error.find("recording.json") != std::string::npos &&
                  error.find(name) != std::string::npos)
          << with(name, value) << " gives " << error;
    }
  }
  EXPECT_NE(error_of(folder, with("lightcone", "2")).find("version 2"), std::string::npos);
  EXPECT_NE(error_of(folder, with("journal", "\"some\"")).find("\"races\""), std::string::npos);
  EXPECT_NE(error_of(folder, with("command", "[\"a\\u0000b\"]")).find("command"),
            std::string::npos);
  EXPECT_NE(error_of(folder, std::string(17 << 20, ' ')).find("16 MiB"), std::string::npos);
}

TEST(Recordings, MadeBeforeSignaturesAreRead) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/recording.json")
      << R"({"lightcone": 1, "command": ["./a"], "journal": "full", "journal_only": false,
             "contents": ["p1"]})";
  const auto read = Recording::read(folder.path());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->contents, (std::vector<std::string>{"p1"}));
  EXPECT_EQ(read->folder + read->signature, "");
}

TEST(Recordings, HoldRegularFilesOnly) {
  const TemporaryFolder folder;
  for (const char* file : {"/recording.json", "/p.journal"}) {
    ASSERT_EQ(::mkfifo((folder.path() + file).c_str(), 0600), 0);
  }
  const auto read = Recording::read(folder.path());
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("is a FIFO"), std::string::npos);
  const auto processes = Recording::processes(folder.path());
  ASSERT_FALSE(processes);
  EXPECT_NE(processes.error().what.find("is a FIFO"), std::string::npos);
  std::filesystem::remove(folder.path() + "/p.journal");
  std::filesystem::create_symlink("/dev/zero", folder.path() + "/q.journal");
  EXPECT_NE(Recording::processes(folder.path()).error().what.find("is a device"),
            std::string::npos);
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
