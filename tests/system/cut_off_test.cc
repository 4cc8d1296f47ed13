// Traces of programs that were killed: no verdict about a state that could not have been, and every
// document says what is missing.
#include <gtest/gtest.h>
#include <lightcone/trace/lct/lct_appender.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "system/shell.h"

namespace lightcone {
namespace {

namespace fs = std::filesystem;

class CutOff : public Shell {
 protected:
  /// A process that appends to its trace, and flushes it now and then.
  class Writer {
   public:
    Writer(const fs::path& folder, std::string name)
        : name_(std::move(name)), appender_(open(folder / (name_ + ".lct"))) {}

    void assign(bool inside) {
      lct::RowContent row = begin(Kind::internal);
      const std::array variables{lct::RowContent::Variable{appender_.name("inside"), inside}};
      row.variables = variables;
      appender_.add(name_, row);
    }
    void send(const std::string& message) {
      lct::RowContent row = begin(Kind::send);
      row.sends = appender_.message(message);
      appender_.add(name_, row);
    }
    void receive(const std::vector<std::string>& messages) {
      lct::RowContent row = begin(Kind::receive);
      std::vector<lct::MessageMention> takes;
      for (const std::string& message : messages) takes.push_back(appender_.message(message));
      row.takes = takes;
      appender_.add(name_, row);
    }
    void flush() { ASSERT_TRUE(appender_.flush()); }

   private:
    [[nodiscard]] static LctAppender open(const fs::path& path) {
      auto opened = LctAppender::open(path.string());
      EXPECT_TRUE(opened.has_value());
      return std::move(*opened);
    }
    [[nodiscard]] lct::RowContent begin(Kind kind) {
      lct::RowContent row;
      row.process = appender_.process(name_);
      row.kind = kind;
      return row;
    }

    std::string name_;
    LctAppender appender_;
  };

  static constexpr int processes = 4;

  [[nodiscard]] fs::path traces() const { return folder() / "run"; }
  [[nodiscard]] fs::path trace(int process) const {
    return traces() / ("p" + std::to_string(process) + ".lct");
  }

  /// Whoever has the token is inside for a while; it goes round some times.
  void write_ring(std::mt19937& random, int rounds) const {
    fs::remove_all(traces());
    fs::create_directories(traces());
    std::vector<std::unique_ptr<Writer>> ring;
    for (int p = 0; p < processes; ++p) {
      ring.push_back(std::make_unique<Writer>(traces(), "p" + std::to_string(p)));
    }
    for (int step = 0; step < rounds * processes; ++step) {
      Writer& here = *ring[static_cast<std::size_t>(step % processes)];
      if (step > 0) here.receive({"token" + std::to_string(step)});
      here.assign(true);
      here.assign(false);
      here.send("token" + std::to_string(step + 1));
      if (random() % 2 == 0) here.flush();
    }
  }

  /// Cuts each trace somewhere; says whether a file was torn.
  void cut(std::mt19937& random) const {
    for (int p = 0; p < processes; ++p) {
      const auto size = fs::file_size(trace(p));
      fs::resize_file(trace(p), std::max<std::uintmax_t>(1, random() % size));
    }
  }

  [[nodiscard]] Result check(const std::string& properties, const std::string& options = "") const {
    write("p.prop", properties);
    return run("lightcone check " + options + " p.prop run");
  }
};

TEST_F(CutOff, ACorrectMutexNeverFails) {
  std::mt19937 random(7);
  int left_out = 0, checked = 0;
  for (int i = 0; i < 40; ++i) {
    write_ring(random, 6);
    cut(random);
    const Result result = check("forbid two : possibly count(inside) >= 2\n", "--json");
    if (result.status == 2) continue;  // nothing is left that says `inside`
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_EQ(result.json()["verdict"], "pass");
    EXPECT_TRUE(result.json().contains("left_out")) << result.out;
    left_out += result.json().value("left_out", 0) > 0 ? 1 : 0;
    ++checked;
  }
  EXPECT_GT(checked, 20);
  EXPECT_GT(left_out, 10);
}

TEST_F(CutOff, TheMutexFailsWhereItWasBroken) {
  std::mt19937 random(8);
  write_ring(random, 6);
  {
    Writer intruder(traces(), "q");
    intruder.assign(true);
  }
  fs::resize_file(trace(1), fs::file_size(trace(1)) - 1);
  const Result result = check("forbid two : possibly count(inside) >= 2\n", "--json");
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_GT(result.json()["left_out"], 0);
}

/// p sends two messages and loses the second; q takes both at once, then goes on.
class CutOffBatch : public CutOff {
 protected:
  void SetUp() override {
    CutOff::SetUp();
    fs::create_directories(traces());
    Writer p(traces(), "p"), q(traces(), "q");
    p.send("m1");
    p.flush();
    p.send("m2");
    p.assign(true);
    q.assign(false);
    q.receive({"m1", "m2"});
    q.assign(true);
  }
  void tear() const { fs::resize_file(traces() / "p.lct", fs::file_size(traces() / "p.lct") - 1); }
};

TEST_F(CutOffBatch, AReceiveThatLosesOneOfSeveralMessagesIsLeftOut) {
  EXPECT_FALSE(run("lightcone info --json run").json().contains("left_out"));
  tear();
  const Result info = run("lightcone info --json run");
  EXPECT_EQ(info.json()["left_out"], 2) << info.out;
  EXPECT_EQ(info.json()["events"], 2);
  EXPECT_FALSE(info.json().contains("incomplete"));
  EXPECT_TRUE(has(info.err, {"torn at its end", "2 events are left out"}));
}

TEST_F(CutOffBatch, EveryDocumentSaysWhatIsLeftOut) {
  tear();
  write("p.prop", "watch w : possibly any(inside)\n");
  for (const std::string command :
       {"info", "races", "races --pairs", "states", "states --list", "states --inevitable",
        "states --observations", "states --observation", "check p.prop"}) {
    const Result result = run("lightcone " + command + " --json run");
    EXPECT_EQ(result.json()["left_out"], 2) << command << ": " << result.out;
  }
  EXPECT_TRUE(has(run("lightcone states run").out, {"of the part that was kept"}));
  EXPECT_TRUE(has(run("lightcone races run").out, {"the part that was kept"}, {"this execution"}));
  EXPECT_TRUE(has(run("lightcone info run").out, {"of the part that was kept"}));
  EXPECT_EQ(run("lightcone convert run whole.lct").status, 0);
  EXPECT_FALSE(run("lightcone info --json whole.lct").json().contains("left_out"));
}

TEST_F(CutOffBatch, WhatIsNotFoundIsSaidOfThePartThatWasKept) {
  tear();
  const Result result = check(
      "forbid a : possibly any(inside)\n"
      "expect b : some flow contains x\n"
      "require c : definitely all(not inside)\n"
      "watch d : possibly all(not inside)\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(has(result.out, {"no global state satisfies it (of the part that was kept)",
                               "nowhere among 2 places (of the part that was kept)",
                               "without 2 events\nthat depend on what was lost."}));
  EXPECT_TRUE(has(result.out, {"d         watch    some global state satisfies it"}));
}

TEST_F(CutOffBatch, LenientKeepsThemAndSaysThatTheTraceIsIncomplete) {
  tear();
  const Result info = run("lightcone info --lenient --json run");
  EXPECT_EQ(info.json()["events"], 4);
  EXPECT_EQ(info.json()["incomplete"], true);
  EXPECT_TRUE(has(info.err, {"1 receive of several messages lost some of them"}));
  const Result result = check(
      "forbid a : possibly any(inside)\n"
      "watch b : possibly q.inside == false\n"
      "watch c : possibly all(inside == false)\n",
      "--lenient --json");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.json()["incomplete"], true);
  EXPECT_EQ(result.json()["properties"][0]["verdict"], "unknown");
  EXPECT_EQ(result.json()["properties"][1]["verdict"], "info");
  EXPECT_EQ(result.json()["properties"][2]["verdict"], "unknown");  // there may be more processes
}

/// A receive without its send becomes an internal event, but it was none.
TEST_F(CutOffBatch, KindsOfEventsThatLostSomethingAreNotKnown) {
  write("l.jsonl", R"({"lightcone": 1, "processes": ["p"]}
{"process": "p", "kind": "receive", "message": "m1", "labels": ["a"], "vars": {"v": 1}}
{"process": "p", "kind": "internal", "labels": ["b"], "vars": {"v": 1}}
)");
  write("l.prop", R"(label k = kind == "internal"
label n = not message == "m1"
forbid n1 : some flow at a ends with k
forbid n2 : some flow at a ends with n
forbid n3 : some flow at p:b contains k b
require n4 : every flow at a matches !k
forbid n5 for each v : some flow at a ends with k
forbid n6 : some flow over {a, b} ends with a b
)");
  for (const char* trace : {"l.jsonl", "- < l.jsonl"}) {
    const Result result = run(std::string("lightcone check --lenient --json l.prop ") + trace);
    EXPECT_EQ(result.status, 1) << result.err;
    const auto properties = result.json()["properties"];
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(properties[i]["verdict"], "unknown") << i << trace;
    EXPECT_EQ(properties[5]["verdict"], "fail") << trace;  // it reads labels alone
  }
}

TEST_F(CutOffBatch, AProcessOfWhichNothingIsLeftMayChangeGlobalStates) {
  write("g.prop", "forbid n : possibly all(x == 1)\n");
  for (const char* left : {"", "{\"process\": \"p3\", \"ki"}) {
    fs::create_directories(folder() / "g");
    write("g/p1.jsonl", "{\"process\": \"p1\", \"kind\": \"internal\", \"vars\": {\"x\": 1}}\n");
    write("g/p3.jsonl", left);
    EXPECT_EQ(run("lightcone check --cut-off g.prop g").status, 3) << left;
  }
}

TEST_F(CutOffBatch, ABlockThatIsMissingInTheMiddleMakesVerdictsUnknown) {
  {
    Writer p(traces(), "p");
    p.assign(false);
  }
  const std::string path = (traces() / "p.lct").string();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(0);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const std::size_t second = bytes.find("LCTBLOCK", bytes.find("LCTBLOCK") + 1);
  file.clear();
  file.seekp(static_cast<std::streamoff>(second + 10));
  file.put('!');
  file.close();
  const Result result = check(
      "forbid a : possibly p.inside\n"
      "require b : definitely any(not inside)\n"
      "expect c : possibly q.inside == false\n",
      "--json");
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_EQ(result.json()["incomplete"], true);
  EXPECT_EQ(result.json()["properties"][0]["verdict"], "unknown");
  EXPECT_EQ(result.json()["properties"][1]["verdict"], "unknown");
  EXPECT_EQ(result.json()["properties"][2]["verdict"], "pass");
  // The same where the block is gone without a trace.
  const std::size_t third = bytes.find("LCTBLOCK", second + 1);
  std::ofstream(path, std::ios::binary) << bytes.substr(0, second) << bytes.substr(third);
  EXPECT_EQ(check("forbid a : possibly p.inside\n", "--json").json()["incomplete"], true);
}

TEST_F(CutOffBatch, AWholeSetOfFilesWithAReceiveThatNoOneSentIsAnError) {
  Writer r(traces(), "r");
  r.receive({"never"});
  r.flush();
  const Result result = run("lightcone info run");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(has(result.err, {"message never is received but never sent", "--cut-off"}));
  EXPECT_EQ(run("lightcone info --cut-off --json run").json()["left_out"], 1);
}

TEST_F(CutOffBatch, AProcessWhoseTraceIsMissingTakesWhatDependsOnItWithIt) {
  write("run/recording.json",
        R"({"lightcone": 1, "command": ["x"], "journal": "full", "journal_only": false,
            "contents": []})");
  write("run/p.journal", "");  // it was killed before it wrote anything
  fs::remove(traces() / "p.lct");
  const Result result = check(
      "forbid a : possibly q.inside\n"
      "forbid b : possibly all(inside == false)\n",
      "--json");
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_EQ(result.json()["left_out"], 2);
  EXPECT_EQ(result.json()["properties"][0]["verdict"], "pass");
  EXPECT_EQ(result.json()["properties"][1]["verdict"], "unknown");  // what p was, no one knows
}

}  // namespace
}  // namespace lightcone
