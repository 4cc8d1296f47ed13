// Recordings are signed with a key that only this user can read, and for one directory.
#include "run/recording_signature.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "temporary_folder.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

class RecordingSignatures : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_STATE_HOME", state().c_str(), 1);
    fs::create_directory(directory());
  }
  void TearDown() override { ::unsetenv("XDG_STATE_HOME"); }
  [[nodiscard]] std::string state() const { return folder_.path() + "/state"; }
  [[nodiscard]] std::string directory() const { return folder_.path() + "/rec"; }
  [[nodiscard]] std::string key() const { return state() + "/lightcone/key"; }
  [[nodiscard]] Recording signed_one() const {
    EXPECT_TRUE(write_signed({{"./a", "b"}, JournalKind::full, false, {}}, directory()));
    return *Recording::read(directory());
  }

  TemporaryFolder folder_;
};

TEST_F(RecordingSignatures, HoldForWhoMadeThem) {
  EXPECT_EQ(why_not_trusted(signed_one()), "");
  EXPECT_EQ(why_not_trusted(signed_one()), "");  // with the key of before
  struct stat status {};
  ASSERT_EQ(::stat(key().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(status.st_size, 32);
  const fs::directory_iterator files(state() + "/lightcone");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(RecordingSignatures, DoNotHoldForWhatWasChanged) {
  const Recording made = signed_one();
  Recording other = made;
  other.command = {"./a", "c"};
  EXPECT_NE(why_not_trusted(other), "");
  other = made;
  other.contents = {"p"};
  EXPECT_NE(why_not_trusted(other), "");
  other = made;
  other.folder = "/";
  EXPECT_NE(why_not_trusted(other), "");
  other = made;
  other.signature.back() = other.signature.back() == '0' ? '1' : '0';
  EXPECT_NE(why_not_trusted(other), "");
  other.signature.clear();
  EXPECT_NE(why_not_trusted(other), "");
}

TEST_F(RecordingSignatures, DoNotHoldInAnotherDirectory) {
  const Recording made = signed_one();
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  EXPECT_NE(why_not_trusted(made).find("another directory"), std::string::npos);
  fs::current_path(before);
  EXPECT_EQ(why_not_trusted(made), "");
}

TEST_F(RecordingSignatures, DoNotHoldWithAnotherKey) {
  const Recording made = signed_one();
  fs::remove(key());
  EXPECT_NE(why_not_trusted(made), "");
  EXPECT_FALSE(fs::exists(key()));  // who only reads makes none
  EXPECT_EQ(why_not_trusted(signed_one()), "");
  EXPECT_NE(why_not_trusted(made), "");
}

TEST_F(RecordingSignatures, AKeyThatOthersCouldReadIsNone) {
  const Recording made = signed_one();
  fs::permissions(key(), fs::perms::group_read, fs::perm_options::add);
  EXPECT_NE(why_not_trusted(made), "");
  EXPECT_EQ(signed_one().signature, "");  // it is recorded all the same
  fs::permissions(key(), fs::perms::group_read, fs::perm_options::remove);
  EXPECT_EQ(why_not_trusted(made), "");
  fs::rename(key(), key() + "2");
  fs::create_symlink(key() + "2", key());
  EXPECT_NE(why_not_trusted(made), "");
}

TEST_F(RecordingSignatures, ManyAtOnceMakeOneKey) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const std::string to = folder_.path() + "/" + std::to_string(i);
      fs::create_directory(to);
      EXPECT_TRUE(write_signed({{"./a"}, JournalKind::full, false, {}}, to));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(why_not_trusted(*Recording::read(folder_.path() + "/" + std::to_string(i))), "");
  }
}

}  // namespace
}  // namespace lightcone::cli
