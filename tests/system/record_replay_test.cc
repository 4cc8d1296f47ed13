// Real programs, recorded and replayed by the commands: the same run again, or what was different.
#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/recording.h>
#include <lightcone/run/journal/journal.h>
#include <lightcone/trace/row_words.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <regex>
#include <set>

#include "system/shell.h"

namespace lightcone {
namespace {

class RecordReplay : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    std::filesystem::create_directory(folder() / "t");
  }
  /// The program's own words, and what it is told to do.
  [[nodiscard]] static std::string courier(const std::string& arguments = {}) {
    return "-- '" + std::string(LIGHTCONE_COURIER) + "' t " + arguments;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder() / name).string();
  }
  /// The events that a process left in a trace.
  [[nodiscard]] std::vector<std::string> events(const std::string& in, const char* process) const {
    std::vector<std::string> lines;
    auto rows = RecordedRows::open(Recording::trace_path(path(in), process));
    if (!rows) return {rows.error().text()};
    while (const auto row = rows->next()) lines.push_back(row->line());
    return lines;
  }
  void expect_the_same(const std::string& one, const std::string& other) const {
    for (const char* name : {"a", "b", "c"}) {
      EXPECT_EQ(events(one, name), events(other, name)) << name;
      EXPECT_GT(events(one, name).size(), 20U) << name;
    }
  }
  /// The same without processes that had ended before the replay began, which leave no trace.
  void expect_the_same_where_they_are(const std::string& one, const std::string& other) const {
    for (const char* name : {"a", "b", "c"}) {
      if (!std::filesystem::exists(Recording::trace_path(path(other), name))) continue;
      EXPECT_EQ(events(one, name), events(other, name)) << name;
    }
  }
  void record(const std::string& options = {}, const std::string& arguments = {}) const {
    const Result recorded = run("timeout 60 lightcone record " + options + courier(arguments));
    ASSERT_EQ(recorded.status, 0) << recorded.err;
  }
  /// How far the journal of a process goes.
  [[nodiscard]] std::uint64_t last_event(const std::string& in, const std::string& process) const {
    auto journal = Journal::open(Recording::journal_path(path(in), process));
    std::uint64_t last = 0;
    if (!journal) return last;
    for (auto there = journal->next_block(); there && *there; there = journal->next_block()) {
      last = journal->facts().events;
    }
    return last;
  }
  void expect_replay_of_killed(const std::string& arguments, const std::string& from = {}) const;
};

TEST_F(RecordReplay, TheStatusIsThatOfTheCommand) {
  EXPECT_EQ(run("lightcone record " + courier("--exit 7")).status, 7);
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec");
  EXPECT_EQ(replayed.status, 7);
  EXPECT_EQ(replayed.out, "delivered\n");
  EXPECT_TRUE(has(replayed.err, {"3 processes", "the same events as recorded"}));
  EXPECT_EQ(run("lightcone record -- sh -c 'kill -9 $$'").status, 128 + 9);
  const Result no_lightcone = run("lightcone record -- printf '%s|' '[a,b]' '' -- --out");
  EXPECT_EQ(no_lightcone.status, 0);
  EXPECT_EQ(no_lightcone.out, "[a,b]||--|--out|");
  EXPECT_TRUE(has(no_lightcone.err, {"nothing was recorded", "printf"}));
  EXPECT_EQ(run("lightcone replay lightcone.rec").status, 2);
  const Result unknown = run("lightcone record -- ./no-such-program");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, {"no-such-program: cannot be run"}));
}

TEST_F(RecordReplay, NothingIsLeftRunning) {
  const Result left =
      run("lightcone record -- sh -c 'sleep 1234 & echo $!' > pid; "
          "kill -0 $(cat pid)");
  EXPECT_EQ(left.status, 1) << left.err;
  // Launchers start what they run in groups, or sessions, of its own.
  const Result daemon =
      run("lightcone record -- sh -c 'setsid sleep 1234 & echo $!' > pid; "
          "kill -0 $(cat pid)");
  EXPECT_EQ(daemon.status, 1) << daemon.err;
  // Whoever is told to end tells the program.
  const Result ended =
      run("timeout 1 lightcone record -- sh -c 'echo $$; exec sleep 1234' > pid; "
          "echo $?; kill -0 $(cat pid)");
  EXPECT_EQ(ended.status, 1) << ended.err;
}

TEST_F(RecordReplay, OnlyRecordingsAreReplaced) {
  record();
  record("--journal races ");
  EXPECT_FALSE(has(run("cat lightcone.rec/recording.json").out, {"full"}));
  write("lightcone.rec/notes.txt", "mine");
  const Result refused = run("lightcone record -- true");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(has(refused.err, {"lightcone.rec", "notes.txt"}));
  EXPECT_EQ(run("mkdir d; cp lightcone.rec/*.lct d; lightcone record --out d -- true").status, 2);
  EXPECT_GT(events("lightcone.rec", "a").size(), 20U);
}

TEST_F(RecordReplay, TheCommandOfSomeoneElseIsNotRunUnasked) {
  const Result made = run("lightcone record -- '" LIGHTCONE_EXAMPLES "/bank_transfer' --seed 3");
  ASSERT_EQ(made.status, 0) << made.err;
  const Result own = run("lightcone replay lightcone.rec");
  EXPECT_EQ(own.status, 0) << own.err;
  EXPECT_TRUE(has(own.err, {"lightcone: runs ", "/bank_transfer --seed 3\n"}));
  const auto expect_refusal = [&](const std::string& line) {
    const Result refused = run(line);
    EXPECT_EQ(refused.status, 2) << line << refused.err;
    EXPECT_TRUE(has(refused.err, {"the recorded command is not run", "--trust", "after --"},
                    {"lightcone: runs"}))
        << line;
    EXPECT_FALSE(std::filesystem::exists(folder() / "pwned")) << line;
  };
  expect_refusal("mkdir -p elsewhere && cd elsewhere && lightcone replay ../lightcone.rec");
  expect_refusal("XDG_STATE_HOME=$PWD/other lightcone replay lightcone.rec");
  expect_refusal(
      "cp -r lightcone.rec sent; cd sent; sed -i 's/\"--seed\"/\"--bug\"/' "
      "recording.json; cd ..; lightcone replay sent");
  expect_refusal(
      "cp -r lightcone.rec sent2; sed -i 's|\"/.*/bank_transfer\"|\"touch\"|;"
      " s/\"--seed\"/\"pwned\"/' sent2/recording.json; lightcone replay sent2");
  expect_refusal(
      "grep -v signature sent/recording.json | sed 's/\\(\"folder.*\\),/\\1/' > s;"
      "mv s sent/recording.json; lightcone replay sent");
  EXPECT_EQ(run("lightcone replay sent --trust -- '" LIGHTCONE_EXAMPLES "/bank_transfer'").status,
            0);
  const Result named = run("lightcone replay sent -- '" LIGHTCONE_EXAMPLES "/bank_transfer'");
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_TRUE(has(named.err, {"the same events as recorded"}, {"lightcone: runs"}));
  const Result trusted = run("cd elsewhere && lightcone replay --trust ../lightcone.rec");
  EXPECT_EQ(trusted.status, 0) << trusted.err;
  EXPECT_TRUE(has(trusted.err, {"lightcone: runs ", "the same events as recorded"}));
}

TEST_F(RecordReplay, AFailingExecutionOfOnesOwnIsRunUnasked) {
  static_cast<void>(run("lightcone explore -- '" LIGHTCONE_EXAMPLES "/bank_transfer' --bug"));
  const Result own = run("lightcone replay lightcone.exp/8");
  EXPECT_TRUE(has(own.err, {"lightcone: runs ", "the same events as recorded"}));
  EXPECT_EQ(run("XDG_STATE_HOME=$PWD/other lightcone replay lightcone.exp/8").status, 2);
}

/// The folder in which sockets and reports lie is for this user alone.
TEST_F(RecordReplay, DigestsOfContentsAreCompared) {
  record("--digests ");
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_TRUE(has(replayed.err, {"the same events and contents as recorded"}));
  const Result same = run("lightcone diff lightcone.rec lightcone.rec");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(has(same.out, {"The runs are the same.", "Contents were compared at "}));
  const Result other = run(
      "lightcone convert lightcone.rec a.jsonl\n"
      "sed '0,/\"digest\": \"[0-9a-f]*\"/s//\"digest\": \"0123456789abcdef\"/' a.jsonl > b.jsonl\n"
      "lightcone diff --json a.jsonl b.jsonl");
  EXPECT_EQ(other.status, 1) << other.err;
  EXPECT_EQ(other.json()["first"][0]["kind"], "contents");
}

TEST_F(RecordReplay, SocketsLieWhereOnlyTheirOwnerCanGo) {
  const Result explored =
      run("lightcone explore --verbose --patience 1 -- sh -c 'echo \"$LIGHTCONE_RUN\" | "
          "grep -o \"controller\\\":\\\"[^\\\"]*\" | cut -d\\\" -f3 | "
          "while read s; do stat -c %a $(dirname $s); done' 2>&1");
  EXPECT_TRUE(has(explored.out, {"700\n"})) << explored.out;
}

TEST_F(RecordReplay, WhatIsNoFileInARecordingIsRefused) {
  record();
  const std::string all[] = {"recording.json", "b.journal", "b.lct"};
  for (const std::string& name : all) {
    const Result replayed =
        run("rm -rf odd; cp -r lightcone.rec odd; rm odd/" + name + "; mkfifo odd/" + name +
            "; timeout 20 lightcone replay odd --trust --patience 0.5");
    EXPECT_NE(replayed.status, 124) << name << replayed.err;
    EXPECT_NE(replayed.status, 0) << name << replayed.err;
    EXPECT_LT(replayed.status, 128) << name << replayed.err;
    EXPECT_TRUE(has(replayed.err, {"is a FIFO"})) << name << replayed.err;
  }
  const Result traces = run("timeout 20 lightcone info odd");
  EXPECT_EQ(traces.status, 2);
  EXPECT_TRUE(has(traces.err, {"b.lct: is a FIFO"}));
}

TEST_F(RecordReplay, AReplayBeginsAtACheckpoint) {
  for (const std::string kind : {"full", "races"}) {
    const Result recorded = run("timeout 60 lightcone record --checkpoint-every 0.02 --journal " +
                                kind + " " + courier("--steps 150"));
    ASSERT_EQ(recorded.status, 0) << recorded.err;
    ASSERT_TRUE(has(recorded.err, {"complete checkpoints: 1"})) << recorded.err;
    const auto complete = complete_checkpoints(path("lightcone.rec"));
    ASSERT_TRUE(complete);
    for (const std::uint64_t from : {complete->front(), complete->back()}) {
      const Result replayed =
          run("rm -rf again; timeout 60 lightcone replay lightcone.rec --from " +
              std::to_string(from) + " --out again");
      ASSERT_EQ(replayed.status, 0) << replayed.err;
      EXPECT_EQ(replayed.out, "delivered\n");
      expect_the_same_where_they_are("lightcone.rec", "again");
    }
  }
  const Result none = run("lightcone replay lightcone.rec --from 9999");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err, {"checkpoint 9999", "no such checkpoint", "complete are 1"}));
  const Result passed = run("lightcone replay lightcone.rec --from 1 --until a:0");
  EXPECT_EQ(passed.status, 2);
  EXPECT_TRUE(has(passed.err, {"at checkpoint 1, a has made", "--until"}));
  record();
  const Result without = run("lightcone replay lightcone.rec --from 1");
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(has(without.err, {"no complete checkpoint", "--checkpoint-every"}));
}

TEST_F(RecordReplay, EveryKindOfJournalGivesTheSameRun) {
  for (const std::string kind : {"full", "races"}) {
    for (int i = 0; i < 3; ++i) {
      record("--journal " + kind + " ");
      const Result replayed =
          run("rm -rf again; timeout 60 lightcone replay lightcone.rec --out again");
      ASSERT_EQ(replayed.status, 0) << replayed.err;
      expect_the_same("lightcone.rec", "again");
    }
  }
  EXPECT_EQ(run("lightcone replay lightcone.rec --out again").status, 2);
}

TEST_F(RecordReplay, ARecordingIsATrace) {
  write("p.prop", "watch rest : some flow at rest ends with got -> rest\n");
  record();
  EXPECT_EQ(run("lightcone check p.prop lightcone.rec").status, 0);
  EXPECT_EQ(run("lightcone info --json lightcone.rec").json()["processes"], 3);
  EXPECT_EQ(run("lightcone races lightcone.rec").status, 0);
  record("--journal-only --json ");
  const Result without = run("lightcone info lightcone.rec");
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(has(without.err, {"lightcone replay"}));
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec --json");
  ASSERT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_EQ(replayed.json()["same"], true);
  EXPECT_EQ(replayed.json()["processes"][1]["process"], "b");
  EXPECT_EQ(replayed.json()["processes"][1]["why"], "ended");
  EXPECT_EQ(run("lightcone info --json lightcone.rec").json()["processes"], 3);
  EXPECT_EQ(run("ls -A lightcone.rec | wc -l").out, "7\n");
  EXPECT_EQ(run("lightcone check p.prop lightcone.rec").status, 0);
  EXPECT_EQ(run("timeout 60 lightcone replay lightcone.rec --out again").status, 0);
  expect_the_same("lightcone.rec", "again");
}

TEST_F(RecordReplay, ContentsStandInForTheOthers) {
  record("--contents a,c ");
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec --only a,c --out again");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_TRUE(has(replayed.err, {"2 processes"}));
  EXPECT_EQ(events("again", "a"), events("lightcone.rec", "a"));
  EXPECT_EQ(events("again", "c"), events("lightcone.rec", "c"));
  EXPECT_EQ(run("ls again").out, "a.lct\nc.lct\n");
  const auto refusal = [&](const std::string& names) {
    const Result refused = run("lightcone replay lightcone.rec --only " + names);
    EXPECT_EQ(refused.status, 2);
    return refused.err;
  };
  EXPECT_TRUE(has(refusal("a,b"), {"b", "were recorded without contents"}));
  EXPECT_TRUE(has(refusal("z"), {"no process `z`", "a, b, c"}));
  EXPECT_TRUE(has(refusal("a"), {"--only a,c"}));
}

TEST_F(RecordReplay, WhatIsDifferentIsNamed) {
  record();
  const std::string replay = "timeout 60 lightcone replay lightcone.rec --patience 0.5 ";
  const Result detour = run(replay + courier("--detour"));
  EXPECT_EQ(detour.status, 1);
  EXPECT_TRUE(has(detour.err, {"b diverged at event", "recorded: ", "came: "}));
  EXPECT_LT(detour.err.find("b diverged"), detour.err.find(", waits for "));
  const auto json = run(replay + "--json " + courier("--detour")).json();
  EXPECT_EQ(json["same"], false);
  EXPECT_EQ(json["processes"][0]["process"], "b");
  EXPECT_EQ(json["processes"][0]["why"], "diverged");
  const Result absent = run(replay + courier("--without c"));
  EXPECT_EQ(absent.status, 1);
  EXPECT_TRUE(has(absent.err, {"c", "was recorded, but did not start"}));
  const Result another = run(replay + "-- printf %s '[a,b]'");
  EXPECT_EQ(another.status, 1);
  EXPECT_EQ(another.out, "[a,b]");
  EXPECT_EQ(run(replay + "-- ./no-such-program").status, 2);
  const Result shorter = run(replay + courier("--steps 20"));
  EXPECT_EQ(shorter.status, 1) << shorter.err;
  record({}, "--without c");
  const Result more = run(replay + courier());
  EXPECT_EQ(more.status, 1);
  EXPECT_TRUE(has(more.err, {"c was not recorded"}));
}

/// Writes a journal again, with another message in the place of one.
void alter(const std::string& path) {
  auto journal = Journal::open(path);
  ASSERT_TRUE(journal);
  std::vector<std::string> senders;
  auto writer = JournalWriter::create(path + ".new", journal->header());
  std::uint64_t receives = 0;
  for (auto there = journal->next_block(); there && *there; there = journal->next_block()) {
    for (; journal->peek() != nullptr; journal->pop()) {
      JournalEntry entry = *journal->peek();
      if (auto* message = std::get_if<ReceivedMessage>(&entry)) {
        message->sender = *writer->sender(journal->sender(message->sender));
        if (++receives == 3) message->number += 100;
      }
      ASSERT_TRUE(writer->add(entry));
    }
    writer->note(journal->facts().events, journal->facts().digest);
    ASSERT_TRUE(writer->flush());
  }
  ASSERT_TRUE(writer->end());
  std::filesystem::rename(path + ".new", path);
}

TEST_F(RecordReplay, AnAlteredJournalIsADivergence) {
  record();
  alter(Recording::journal_path(path("lightcone.rec"), "b"));
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec --patience 0.5");
  EXPECT_EQ(replayed.status, 1);
  EXPECT_TRUE(has(replayed.err, {"b, after event", "waits for ", " as its receive 3"}));
}

TEST_F(RecordReplay, AProcessStopsForADebugger) {
  record();
  // Its pid is printed, it stands there, and nothing of it is left when the replay is interrupted.
  const Result stopped =
      run("lightcone replay lightcone.rec --until b:9 2> err & replay=$!\n"
          "for i in $(seq 100); do grep -q attaches err && break; sleep 0.1; done\n"
          "pid=$(sed -n 's/.*b stopped after event 9: pid //p' err)\n"
          "kill -0 $pid && echo stands; kill -INT $replay; wait $replay; echo $?; kill -0 $pid");
  EXPECT_EQ(stopped.out, "stands\n130\n") << stopped.err;
  EXPECT_EQ(stopped.status, 1);
  write("debugger", "#!/bin/sh\necho debug $*; cat /proc/$2/comm\n");
  const Result debugged =
      run("chmod +x debugger; LIGHTCONE_GDB=./debugger timeout 60 "
          "lightcone replay lightcone.rec --until c:5 --gdb c");
  EXPECT_EQ(debugged.status, 0) << debugged.err;
  EXPECT_TRUE(has(debugged.out, {"debug -p ", "-ex continue\ncourier\n"}));
  const Result first = run("LIGHTCONE_GDB=./debugger lightcone replay lightcone.rec --gdb a");
  EXPECT_TRUE(has(first.err, {"a stopped after event 1: pid "}));
  const auto refusal = [&](const std::string& options) {
    const Result refused = run("lightcone replay lightcone.rec " + options);
    EXPECT_EQ(refused.status, 2);
    return refused.err;
  };
  EXPECT_TRUE(has(refusal("--until z:1"), {"no process `z`"}));
  EXPECT_TRUE(has(refusal("--until a:99999"), {"a was recorded up to event "}));
  EXPECT_TRUE(has(refusal("--until a"), {"`a` is not a place", "p1:40"}));
  EXPECT_TRUE(has(refusal("--until a:1 --gdb b"), {"two processes"}));
  EXPECT_EQ(run("LIGHTCONE_GDB=./none lightcone replay lightcone.rec --gdb a").status, 2);
}

TEST_F(RecordReplay, ACrashComesAgain) {
  const Result recorded = run("lightcone record " + courier("--crash"));
  EXPECT_EQ(recorded.status, 1);
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec --patience 0.5");
  EXPECT_TRUE(
      has(replayed.err, {"the same events as recorded", "the recording ends before the program"}))
      << replayed.status;
}

// Of these events the journal has no answers.
TEST_F(RecordReplay, EventsAreCounted) {
  for (const std::string options : {"", "--journal-only ", "--journal races "}) {
    record(options, "--last 10");
    for (const std::string last : {"9", "20", "0"}) {
      const Result other =
          run("timeout 60 lightcone replay lightcone.rec " + courier("--last " + last));
      EXPECT_EQ(other.status, 1) << options << last << other.err;
      EXPECT_TRUE(has(other.err, {"a diverged at event", "recorded: ", "came: "}));
    }
    const Result same = run("timeout 60 lightcone replay lightcone.rec");
    EXPECT_EQ(same.status, 0) << same.err;
    EXPECT_TRUE(
        has(same.err, {"the same events as recorded"}, {"the recording ends before the program"}));
  }
}

TEST_F(RecordReplay, AnEarlyDeathIsADivergence) {
  // How much of b is written when it crashes depends on the time that it had.
  for (int tries = 0; tries == 0 || (tries < 20 && last_event("lightcone.rec", "b") <= 2);
       ++tries) {
    static_cast<void>(run("timeout 60 lightcone record " + courier("--crash")));
  }
  ASSERT_GT(last_event("lightcone.rec", "b"), 2U);
  const Result early =
      run("timeout 60 lightcone replay lightcone.rec --patience 0.5 " + courier("--die 1"));
  EXPECT_EQ(early.status, 1) << early.err;
  EXPECT_TRUE(has(early.err, {"b diverged at event ", "recorded: at least ", "came:     it died"}));
}

TEST_F(RecordReplay, AnInterruptionIsSaid) {
  record();
  for (const auto& [name, number] : {std::pair("INT", 2), std::pair("TERM", 15)}) {
    const Result ended =
        run("lightcone replay lightcone.rec --json " + courier("--slow 200") +
            " > out 2> err & replay=$!\nsleep 1; kill -" + name + " $replay; wait $replay");
    EXPECT_EQ(ended.status, 128 + number);
    EXPECT_TRUE(has(run("cat err").out, {"interrupted by signal " + std::to_string(number)},
                    {"the same events", "diverged"}));
    const auto json = run("cat out").json();
    EXPECT_TRUE(json["same"].is_null());
    EXPECT_EQ(json["interrupted"], number);
  }
}

TEST_F(RecordReplay, ATornJournalGoesAsFarAsItGoes) {
  record();
  const std::string journal = Recording::journal_path(path("lightcone.rec"), "b");
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) * 2 / 3);
  expect_replay_of_killed({});
}

/// Nothing is different, and all processes come to the ends of their journals; or to where they
/// wait for a message of one that has come to the end of its own, which was written earlier.
void RecordReplay::expect_replay_of_killed(const std::string& arguments,
                                           const std::string& from) const {
  const Result replayed = run("timeout 60 lightcone replay lightcone.rec --json --patience 0.3 " +
                              from + courier(arguments));
  const auto json = replayed.json();
  ASSERT_EQ(replayed.status, 0) << replayed.out << replayed.err;
  ASSERT_EQ(json["same"], true);
  std::set<std::string> at_end, waiting;
  for (const auto& process : json["processes"]) {
    const std::string name = process["process"];
    (process["why"] == "waits" ? waiting : at_end).insert(name);
    if (process["why"] == "waits") continue;
    EXPECT_GE(process["events"], last_event("lightcone.rec", name)) << replayed.out;
  }
  std::smatch found;
  const std::regex wanted(R"(waits for (\w+):\d+ as)");
  for (const auto& process : json["processes"]) {
    const std::string text = process["text"];
    if (process["why"] != "waits" || !std::regex_search(text, found, wanted)) continue;
    EXPECT_EQ(at_end.count(found[1]) + waiting.count(found[1]), 1U) << replayed.out;
    EXPECT_NE(found[1], process["process"]) << replayed.out;
  }
  EXPECT_FALSE(at_end.empty()) << replayed.out;
  EXPECT_EQ(run("lightcone info lightcone.rec").status, 0);
}

/// As many as the environment says: `make soak` wants more.
[[nodiscard]] int recordings() {
  const char* number = std::getenv("LIGHTCONE_RECORDINGS");
  return number != nullptr ? std::atoi(number) : 8;
}

TEST_F(RecordReplay, KilledRecordingsReplayUpToTheirLastBlock) {
  std::mt19937_64 random(7);
  std::uint64_t cut_off = 0, events = 0;
  for (int i = 0; i < recordings(); ++i) {
    const std::string how = random() % 2 == 0 ? "--kill " : "--kill-one ";
    const std::string journal = random() % 2 == 0 ? "full " : "races ";
    const std::string when = std::to_string(random() % 200);
    const Result killed = run("timeout 60 lightcone record --journal " + journal +
                              courier("--steps 1000 " + how + when));
    if (killed.status != 0) ++cut_off;
    if (has(killed.err, {"nothing was recorded"})) continue;
    expect_replay_of_killed("--steps 1000");
    if (HasFailure()) FAIL() << journal << how << when;
    for (const char* name : {"a", "b", "c"}) events += last_event("lightcone.rec", name);
  }
  EXPECT_GE(4 * cut_off, static_cast<std::uint64_t>(recordings()));
  EXPECT_GT(events, 0U);
}

TEST_F(RecordReplay, KilledRecordingsReplayFromTheirCheckpoints) {
  std::uint64_t replayed = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string when = "--steps 300 --kill " + std::to_string(100 + 40 * i);
    static_cast<void>(run("lightcone record --checkpoint-every 0.02 " + courier(when)));
    const auto complete = complete_checkpoints(path("lightcone.rec"));
    ASSERT_TRUE(complete) << complete.error().text();
    if (complete->empty()) continue;
    ++replayed;
    expect_replay_of_killed("--steps 300", "--from " + std::to_string(complete->back()) + " ");
    if (HasFailure()) FAIL() << when << ", from " << complete->back();
  }
  EXPECT_GT(replayed, 0U);
}

}  // namespace
}  // namespace lightcone
