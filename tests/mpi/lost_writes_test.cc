// A disk that is full while an MPI program is recorded: the program goes on, and `record` says so.
#include <set>

#include "mpi/mpi_run.h"

namespace lightcone {
namespace {

class MpiLostWrites : public MpiRun {};

TEST_P(MpiLostWrites, AreSaidAndWhatWasWrittenIsRead) {
  const Result recorded = record("--json");
  EXPECT_EQ(recorded.status, 3) << recorded.err;
  EXPECT_TRUE(has(recorded.err, {"0 done: default, not pending", "the recording is incomplete",
                                 "File too large", "rank0.lct ends"}));
  const auto json = recorded.json();
  EXPECT_EQ(json["exit"], 0);
  ASSERT_TRUE(json["incomplete"].is_array()) << recorded.out;
  bool trace = false;
  for (const auto& one : json["incomplete"]) {
    if (one["file"] != "rank0.lct") continue;
    trace = true;
    EXPECT_EQ(one["process"], "rank0");
    const Result info = run("lightcone info --json rec/rank0.lct --lenient");
    EXPECT_EQ(info.status, 0) << info.err;
    EXPECT_EQ(info.json()["events"], one["events"]) << info.out;
    EXPECT_FALSE(has(info.err, {"torn"})) << info.err;
  }
  EXPECT_TRUE(trace) << recorded.out;
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiLostWrites,
                         testing::ValuesIn(for_each_mpi({"file_size_limit 100 400",
                                                         "file_size_limit 1400 100 20"})),
                         name_of);

class MpiFullDisk : public MpiRun {};

// Of whoever may mount a disk that is small enough.
TEST_P(MpiFullDisk, DoesNotEndTheProgram) {
  write("line", mpi_environment() + "timeout 60 lightcone record --out disk/rec -- mpirun." +
                    GetParam().flavour + " -n 3 " + program());
  const Result recorded =
      run("mkdir disk; unshare -rm true || exit 77; unshare -rm sh -c "
          "'mount -t tmpfs -o size=20k none disk || exit 77; . ./line'");
  if (recorded.status == 77) GTEST_SKIP() << "no disk can be mounted";
  EXPECT_EQ(recorded.status, 3) << recorded.err;
  EXPECT_TRUE(has(recorded.out, {"0 done"}));
  EXPECT_TRUE(has(recorded.err, {"the recording is incomplete", "No space left on device"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiFullDisk,
                         testing::ValuesIn(for_each_mpi({"file_size_limit 0 20000"})), name_of);

class MpiMissingFiles : public MpiRun {
 protected:
  /// Records while two files cannot be created. The journal is a link into a folder that comes
  /// later, so that `record` can leave an empty one; the trace is a folder that is not empty.
  [[nodiscard]] Result record_without_files() const {
    write("rank.sh",
          "ln -s late/journal rec/rank1.journal 2> links\n"
          "mkdir -p rec/rank2.lct/full\n" +
              program() + "\nstatus=$?; mkdir -p rec/late; exit $status\n");
    return run(mpi_environment() +
               "rm -rf rec; timeout 60 lightcone record --json --out rec -- mpirun." +
               GetParam().flavour + " -n 4 sh rank.sh");
  }
};

TEST_P(MpiMissingFiles, DoNotEndTheProgram) {
  const Result recorded = record_without_files();
  EXPECT_EQ(recorded.status, 3) << recorded.err;
  EXPECT_EQ(lines_by_rank(recorded.err), lines_by_rank(plain().out)) << recorded.err;
  EXPECT_TRUE(has(recorded.err, {"the recording is incomplete: 2 files",
                                 "No such file or directory", "Is a directory"}));
  const auto json = recorded.json();
  EXPECT_EQ(json["exit"], 0);
  std::set<std::string> files;
  for (const auto& one : json["incomplete"]) {
    EXPECT_EQ(one["events"], 0) << recorded.out;
    files.insert(one["file"]);
  }
  EXPECT_EQ(files, (std::set<std::string>{"rank1.journal", "rank2.lct"}));

  const Result replayed = replay("--patience 1");
  EXPECT_TRUE(has(replayed.err, {"rank1", "it had not started yet"}, {"came:"}));
}
INSTANTIATE_TEST_SUITE_P(Alone, MpiMissingFiles, testing::ValuesIn(for_each_mpi({"ping_pong 5"})),
                         name_of);

}  // namespace
}  // namespace lightcone
