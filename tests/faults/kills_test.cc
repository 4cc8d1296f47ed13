// Processes, ranks, `record` and `explore` are killed at random moments: what they leave can be
// read, checked and replayed, and nothing of them goes on.
#include <filesystem>
#include <functional>
#include <random>

#include "faults/fault_count.h"
#include "system/shell.h"

namespace lightcone {
namespace {

class Kills : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    std::filesystem::create_directory(folder() / "t");
    write("p.prop", "watch it : some flow contains got\n");
    write("left", left_running);
  }
  /// A shell's words that start a program; what it starts carries a mark in its environment.
  [[nodiscard]] std::string marked(const std::string& words) const {
    return "export FAULT_MARK=" + folder().string() + mpi_environment + "; " + words;
  }
  [[nodiscard]] static std::string after(std::uint64_t milliseconds) {
    return "sleep " + std::to_string(milliseconds / 1000) + "." +
           std::to_string(1000 + milliseconds % 1000).substr(1);
  }
  [[nodiscard]] static std::string courier(const std::string& more = {}) {
    return "-- '" LIGHTCONE_COURIER "' t --steps 1000000 " + more;  // for longer than we wait
  }
  [[nodiscard]] static std::string mpi(const std::string& flavour) {
    return "-- mpirun." + flavour + " -n 4 '" LIGHTCONE_MPI_PROGRAMS "/" + flavour +
           "/random_messages' 1000";
  }
  [[nodiscard]] static bool has_mpi(const std::string& flavour) {
    return std::filesystem::exists(LIGHTCONE_MPI_PROGRAMS "/" + flavour + "/random_messages");
  }
  void expect_sound(const std::string& recording, const std::string& command) const;
  void expect_none_left() const;
  void kill_many(const std::string& what, std::uint64_t few, const std::string& command,
                 const std::function<std::string(std::mt19937_64&)>& line);

 private:
  static constexpr const char* mpi_environment =
      " OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1"
      " OMPI_MCA_btl_vader_single_copy_mechanism=emulated OMPI_ALLOW_RUN_AS_ROOT=1"
      " OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MPIR_CVAR_POLLS_BEFORE_YIELD=1";
  /// Prints the processes that carry the mark, but not shells of the test.
  static constexpr const char* left_running =
      "for p in /proc/[0-9]*; do\n"
      "  grep -qs \"FAULT_MARK=$1\" $p/environ || continue\n"
      "  name=$(cat $p/comm 2>/dev/null) || continue\n"
      "  case $name in bash|sh|timeout|sleep|grep|cat) ;; *) echo ${p#/proc/} $name ;; esac\n"
      "done\n";
};

void Kills::expect_none_left() const {
  const std::string look = "sh left '" + folder().string() + "'";
  const Result left = run("for i in 1 2 3 4 5 6 7 8 9 10; do [ -z \"$(" + look +
                          ")\" ] && exit; sleep 0.5; done; " + look);
  EXPECT_EQ(left.out, "");
  if (!left.out.empty()) {
    static_cast<void>(run(look + " | while read p n; do kill -9 $p; done"));
  }
}

/// What was written can be read and checked, and is replayed as far as it goes.
void Kills::expect_sound(const std::string& recording, const std::string& command) const {
  const bool is_there = run("ls " + recording + "/*.journal").status == 0 &&
                        run("cat " + recording + "/*.lct 2>/dev/null | wc -c").out != "0\n";
  const Result info = run("timeout 60 lightcone info " + recording);
  EXPECT_TRUE(info.status == 0 || info.status == 2) << info.status << info.err;
  const Result check = run("timeout 60 lightcone check p.prop " + recording);
  EXPECT_TRUE(check.status == 0 || check.status == 2) << check.status << check.err;
  const Result replayed =
      run(marked("timeout 90 lightcone replay " + recording + " --json --patience 0.5 " + command));
  const bool same = replayed.json().is_object() && replayed.json()["same"] == true;
  EXPECT_TRUE(same || replayed.status == 2) << replayed.status << replayed.err;
  if (!is_there) return;
  EXPECT_TRUE(has(info.err + replayed.err, {}, {"damaged"}));
}

void Kills::kill_many(const std::string& what, std::uint64_t few, const std::string& command,
                      const std::function<std::string(std::mt19937_64&)>& line) {
  auto random = fault_random();
  const std::uint64_t kills = fault_count("LIGHTCONE_FAULT_KILLS", few);
  std::uint64_t failed = 0, done = 0;
  for (; done < kills && failed < 20; ++done) {
    const std::string words = line(random);
    static_cast<void>(run(marked("rm -rf rec exp; exec > said 2>&1; " + words)));
    const int before = failures_so_far();
    expect_none_left();
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      const std::string name = entry.path().filename().string();
      if (name == "rec" && std::filesystem::exists(entry.path() / "recording.json")) {
        expect_sound(name, command);
      } else if (name == "exp") {
        for (const auto& kept : std::filesystem::directory_iterator(entry)) {
          expect_sound("exp/" + kept.path().filename().string(), command);
        }
      }
    }
    expect_none_left();
    if (failures_so_far() > before) ADD_FAILURE() << what << " " << done << ": " << words;
    failed += failures_so_far() > before ? 1 : 0;
  }
  add_to_table("killed: " + what, done, failed);
}

TEST_F(Kills, ProcessesOfALinkedProgram) {
  kill_many("processes of a linked program", 1, courier(), [&](std::mt19937_64& random) {
    const std::string how = random() % 2 == 0 ? "--kill " : "--kill-one ";
    const std::string when = std::to_string(random() % 300);
    return "timeout 60 lightcone record --out rec " + courier(how + when);
  });
}

TEST_F(Kills, RecordOfALinkedProgram) {
  kill_many("record of a linked program", 1, courier(), [&](std::mt19937_64& random) {
    return "lightcone record --out rec " + courier() + " & " + after(random() % 2000) +
           "; kill -9 $!; wait";
  });
}

TEST_F(Kills, Explore) {
  const std::string command = "-- '" LIGHTCONE_EXAMPLES "/bank_transfer' --bug --processes";
  kill_many("explore", 1, command, [&](std::mt19937_64& random) {
    return "lightcone explore --out exp " + command + " & " + after(random() % 3000) +
           "; kill -9 $!; wait";
  });
}

TEST_F(Kills, RanksAndRecordOfMpiPrograms) {
  for (const std::string flavour : {"openmpi", "mpich"}) {
    if (!has_mpi(flavour)) continue;
    kill_many("ranks of " + flavour, 1, mpi(flavour), [&](std::mt19937_64& random) {
      return "timeout 60 lightcone record --out rec " + mpi(flavour) + " & " +
             after(300 + random() % 1500) + "; sh left '" + folder().string() +
             "' | grep random_messages | sed -n " + std::to_string(1 + random() % 4) +
             "p | while read p n; do kill -9 $p; done; wait";
    });
    kill_many("record of " + flavour, 1, mpi(flavour), [&](std::mt19937_64& random) {
      return "lightcone record --out rec " + mpi(flavour) + " & " + after(random() % 1500) +
             "; kill -9 $!; wait";
    });
  }
}

}  // namespace
}  // namespace lightcone
