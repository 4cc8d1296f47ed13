// Files: whole or not at all.
#include "temporary_folder.h"

#include <lightcone/base/file.h>

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lightcone {
namespace {

class Files : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_ + "/file"; }
  [[nodiscard]] std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }
  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(Files, AppearAtCommit) {
  auto file = OutputFile::create(path());
  ASSERT_TRUE(file) << file.error().text();
  file->write("new");
  EXPECT_FALSE(std::filesystem::exists(path()));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, LeaveTheOldOneUntilCommit) {
  std::ofstream(path()) << "old";
  {
    auto file = OutputFile::create(path());
    file->write("half");
  }
  EXPECT_EQ(content(), "old");
  auto file = OutputFile::create(path());
  file->write("new");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, LeaveNothingWhenTheProgramIsKilled) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = OutputFile::create(path());
    file->write(std::string(5 << 20, 'x'));
    static_cast<void>(::write(ready[1], "x", 1) + 1);
    ::pause();
  }
  char byte = 0;
  ::close(ready[1]);
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ready[0]);
  EXPECT_EQ(files(), 0U);
}

TEST_F(Files, SayWhyTheyCannotBeWritten) {
  EXPECT_EQ(OutputFile::create("/nowhere/file").error().text(),
            "/nowhere/file: cannot be written: No such file or directory");
  EXPECT_EQ(OutputFile::create(folder_).error().text(), folder_ + ": is a directory");
  auto full = OutputFile::create("/dev/full");
  ASSERT_TRUE(full);
  full->write("x");
  EXPECT_EQ(full->commit().error().text(), "/dev/full: cannot be written: No space left on device");
}

TEST_F(Files, SayWhyTheyCannotBeRead) {
  EXPECT_EQ(InputFile::open(path()).error().text(),
            path() + ": cannot be read: No such file or directory");
  EXPECT_EQ(InputFile::open(folder_).error().text(), folder_ + ": is a directory, not a file");
}

TEST_F(Files, AreReadToTheEnd) {
  const std::string text(3'000'000, 'y');
  std::ofstream(path()) << text;
  auto file = InputFile::open(path());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), text.size());
  EXPECT_EQ(file->read_all().value(), text);
}

}  // namespace
}  // namespace lightcone
