// A `record` that is killed, or told to end: the program does not outlive it.
#include "system/shell.h"

namespace lightcone {
namespace {

class KilledRecord : public Shell {
 protected:
  /// Runs a program that writes its process number to `pid` and would run for long; sends a signal
  /// to `record` once it runs. The status is 1 if the program has ended soon after.
  [[nodiscard]] Result signalled(const std::string& signal, const std::string& program) const {
    return run("lightcone record -- " + program +
               " & record=$!\n"
               "for i in $(seq 300); do [ -s pid ] && break; sleep 0.1; done\n"
               "kill -" +
               signal + " $record; wait $record; echo \"ended with $?\"\n" +
               "for i in $(seq 300); do\n"
               "  kill -0 $(cat pid) 2> /dev/null || exit 1\n"
               "  grep -q '^State:.Z' /proc/$(cat pid)/status && exit 1\n"
               "  sleep 0.1\n"
               "done\n"
               "kill -9 $(cat pid); exit 0");
  }
};

TEST_F(KilledRecord, TakesTheProgramWithIt) {
  const Result result = signalled("KILL", "sh -c 'echo $$ > pid; exec sleep 1234'");
  EXPECT_EQ(result.status, 1) << result.err;
}

TEST_F(KilledRecord, TakesWhatTheProgramStartedWithIt) {
  const Result result = signalled("KILL", "sh -c 'sleep 1234 & echo $! > pid; wait'");
  EXPECT_EQ(result.status, 1) << result.err;
}

TEST_F(KilledRecord, TakesAProgramWithItThatDoesNotListen) {
  const Result result =
      signalled("KILL", "sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 0.1; done'");
  EXPECT_EQ(result.status, 1) << result.err;
}

TEST_F(KilledRecord, PassesOnWhatItIsTold) {
  const Result result =
      signalled("TERM", "sh -c 'trap \"exit 5\" TERM; echo $$ > pid; while :; do sleep 0.1; done'");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(has(result.out, {"ended with 5"}));
}

}  // namespace
}  // namespace lightcone
