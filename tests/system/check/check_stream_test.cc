// `lightcone check PROPS -` beside a program that is still running: a report for each line, at
// once.
#include <fmt/format.h>

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "system/shell.h"

namespace lightcone {
namespace {

constexpr std::string_view stale = "forbid stale : some flow ends with write -> read\n";
constexpr int patience = 20'000;  // milliseconds

/// The program in a conversation: it is told lines, and what it says is read.
class Conversation {
 public:
  explicit Conversation(const std::filesystem::path& folder) {
    std::array<int, 2> in{}, out{};
    EXPECT_EQ(::pipe(in.data()), 0);
    EXPECT_EQ(::pipe(out.data()), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(out[1], STDERR_FILENO);
      for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
      if (::chdir(folder.c_str()) == 0) {
        ::execl(LIGHTCONE_PROGRAM, "lightcone", "check", "p.prop", "-", nullptr);
      }
      ::_exit(99);
    }
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
    ::signal(SIGPIPE, SIG_IGN);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation() {
    if (child_ > 0) (void)end();
    ::close(out_);
  }

  void tell(std::string_view text) const {
    EXPECT_EQ(::write(in_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// The next line that it says; empty at the end, or when it says nothing for too long.
  [[nodiscard]] std::string hear() {
    while (heard_.find('\n') == std::string::npos && read_more(patience)) {
    }
    const std::size_t end = std::min(heard_.find('\n'), heard_.size());
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }
  /// Waits until all that it was told has been read.
  void wait_until_read() const {
    int left = 1;
    for (int i = 0; i < patience && left != 0; ++i) {
      EXPECT_EQ(::ioctl(in_, FIONREAD, &left), 0);
      if (left != 0) ::usleep(1000);
    }
    EXPECT_EQ(left, 0);
  }
  [[nodiscard]] bool is_silent() { return heard_.empty() && !read_more(100); }
  /// All that it says until its end, without more input.
  [[nodiscard]] std::string hear_out() {
    stop_telling();
    while (read_more(patience)) {
    }
    return std::exchange(heard_, {});
  }
  /// Not before it listens.
  void interrupt(int signal) const {
    wait_until_read();
    EXPECT_EQ(::kill(child_, signal), 0);
  }
  /// All that it says until it ends by itself.
  [[nodiscard]] std::string hear_all() {
    while (read_more(patience)) {
    }
    return std::exchange(heard_, {});
  }
  [[nodiscard]] int end() {
    stop_telling();
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  void stop_telling() {
    if (in_ >= 0) ::close(std::exchange(in_, -1));
  }
  [[nodiscard]] bool read_more(int milliseconds) {
    pollfd waiting{out_, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return false;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(out_, buffer.data(), buffer.size());
    if (got > 0) heard_.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t child_ = -1;
  int in_ = -1, out_ = -1;
  std::string heard_;
};

class CheckStream : public Shell {
 protected:
  /// Checks these properties on what the shell command prints.
  [[nodiscard]] Result check(std::string_view properties, const std::string& source,
                             const std::string& options = "") const {
    write("p.prop", properties);
    return run(source + " | lightcone check " + options + " p.prop -");
  }
};

constexpr std::string_view writes = R"({"process": "p1", "kind": "internal", "labels": ["write"]})"
                                    "\n";
constexpr std::string_view sends = R"({"process": "p1", "kind": "send", "message": "m"})"
                                   "\n";
constexpr std::string_view receives = R"({"process": "p2", "kind": "receive", "message": "m"})"
                                      "\n";
constexpr std::string_view reads =
    R"({"process": "p2", "kind": "internal", "labels": ["read", "x"]})"
    "\n";

TEST_F(CheckStream, TellsOfEachLineBeforeTheNext) {
  write("p.prop", std::string(stale) + "watch w : logic {\n got := receive\n}\n" +
                      "require r : every flow at write contains read\n");
  Conversation program(folder());
  program.tell(writes);
  EXPECT_EQ(program.hear(), "p1:1  FAIL  r (require)  [write]");
  program.tell(sends);
  EXPECT_TRUE(program.is_silent());
  program.tell(receives.substr(0, 20));
  EXPECT_TRUE(program.is_silent());
  program.tell(receives.substr(20));
  EXPECT_EQ(program.hear(), "p2:1  info  w (watch)");
  program.tell(reads);
  EXPECT_EQ(program.hear(), "p2:2  FAIL  stale (forbid)  [read, x]");
  program.tell(reads);
  EXPECT_EQ(program.hear(), "p2:3  FAIL  stale (forbid)  [read, x]");
  const std::string rest = program.hear_out();
  EXPECT_TRUE(rest.starts_with("\n  Verdict")) << rest;
  EXPECT_TRUE(has(rest, {"at 2 places: p2:2, p2:3", "2 properties failed, of 3 properties on 5"}));
  EXPECT_EQ(program.end(), 1);
}

TEST_F(CheckStream, TellsOfEachValueOnce) {
  write("p.prop",
        "forbid again for each id : some flow at ask ends with ask -> ask\n"
        "forbid late : some flow contains ask -> answer within 1 s\n");
  const auto line = [](const char* label, int id, double time) {
    return fmt::format(R"({{"process": "p", "kind": "internal", "labels": ["{}"], )"
                       R"("vars": {{"id": {}}}, "time": {}}})"
                       "\n",
                       label, id, time);
  };
  Conversation program(folder());
  program.tell(line("ask", 1, 1));
  program.tell(line("ask", 2, 2));
  EXPECT_TRUE(program.is_silent());
  program.tell(line("ask", 1, 3));
  EXPECT_EQ(program.hear(), "p:3  FAIL  again (forbid) for id = 1  [ask]");
  program.tell(line("ask", 1, 4));
  EXPECT_TRUE(program.is_silent());
  program.tell(line("answer", 3, 4.5));
  EXPECT_EQ(program.hear(), "p:5  FAIL  late (forbid)  [answer]");
  EXPECT_TRUE(has(program.hear_out(), {"for 1 of 3 values of id: 1 (at 2 places: p:3, p:4)"}));
  EXPECT_EQ(program.end(), 1);
}

TEST_F(CheckStream, LetsAReceiveWaitForItsSend) {
  write("p.prop", stale);
  Conversation program(folder());
  program.tell(receives);
  program.tell(reads);
  program.tell(writes);
  EXPECT_TRUE(program.is_silent());
  program.tell(sends);
  EXPECT_EQ(program.hear(), "p2:2  FAIL  stale (forbid)  [read, x]");
  program.tell(reads.substr(0, reads.size() - 1));  // the last line, without its end
  EXPECT_TRUE(program.is_silent());
  EXPECT_TRUE(program.hear_out().starts_with("p2:3  FAIL  stale (forbid)  [read, x]\n\n  Verdict"));
  EXPECT_EQ(program.end(), 1);
}

TEST_F(CheckStream, ComplainsOfABadLineAtOnce) {
  write("p.prop", stale);
  Conversation program(folder());
  program.tell(std::string(writes) + "\n" + std::string(sends));
  program.tell("{\"process\": \"p1\", \n");
  EXPECT_TRUE(has(program.hear(), {"lightcone: standard input:4: "}));
  EXPECT_EQ(program.end(), 2);
}

TEST_F(CheckStream, TellsWhatStandsBeforeABadLine) {
  write("t",
        std::string(writes) + std::string(writes) + "{\"lightcone\": 1}\n" + std::string(writes));
  const Result result = check("watch w : some flow contains write\n", "cat t");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "p1:1  info  w (watch)  [write]\np1:2  info  w (watch)  [write]\n");
  EXPECT_TRUE(has(result.err, {"standard input:3: the header must be the first line"}));
}

TEST_F(CheckStream, FindsAtTheEndWhatIsNoComputation) {
  write("t", std::string(receives) + std::string(reads));
  const Result unsent = check(stale, "cat t");
  EXPECT_EQ(unsent.status, 2);
  EXPECT_EQ(unsent.out, "");
  EXPECT_TRUE(has(unsent.err, {"standard input:1: "}));
  const Result lenient = check("watch w : some flow contains read\n", "cat t", "--lenient");
  EXPECT_EQ(lenient.status, 0);
  EXPECT_TRUE(has(lenient.out, {"p2:2  info  w (watch)  [read, x]\n\n  Verdict"}));
  EXPECT_TRUE(has(lenient.err, {"1 receive without a send"}));
  write("t", std::string(sends) + std::string(writes) + std::string(sends));
  const Result twice = check(stale, "cat t");
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(has(twice.err, {"standard input:3: "}));
}

TEST_F(CheckStream, ChecksNamesAtTheEnd) {
  write("t", writes);
  const Result process = check("forbid x : some flow contains p9:read\n", "cat t");
  EXPECT_EQ(process.status, 2);
  EXPECT_TRUE(has(process.err, {"p.prop:1:31: ", "`p9`"}));
  const Result label = check("forbid x : some flow contains wriet\n", "cat t");
  EXPECT_EQ(label.status, 0);
  EXPECT_TRUE(has(label.err, {"note: p.prop:1:31: ", "did you mean `write`?"}));
}

TEST_F(CheckStream, ReadsNothing) {
  const Result result = check("forbid x : logic {\n y := initial\n}\n", "true");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "lightcone: note: the trace has no events\n");
  EXPECT_TRUE(has(result.out, {"asked nowhere", "on 0 events of 0 processes."}));
  EXPECT_TRUE(result.out.starts_with("  Verdict"));
  const Result header =
      check("watch x : logic {\n y := initial\n}\n",
            R"(echo '{"lightcone": 1, "processes": ["p1", "p2"]}')", "--from jsonl");
  EXPECT_EQ(header.status, 0);
  EXPECT_TRUE(header.out.starts_with("p1:0  info  x (watch)\np2:0  info  x (watch)\n\n  Verdict"));
}

TEST_F(CheckStream, PrintsOneDocumentOfJson) {
  write("t", std::string(writes) + std::string(sends) + std::string(receives) + std::string(reads));
  const Result result = check(stale, "cat t", "--json --explain");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(result.out.starts_with(R"({"lightcone":1,"trace":"-",)"));
  EXPECT_EQ(result.json()["properties"][0]["at"][0]["event"], 2);
  EXPECT_TRUE(result.json()["properties"][0].contains("witness"));
  EXPECT_TRUE(has(check(stale, "cat t", "--explain").out,
                  {"p2:2  FAIL  stale (forbid)  [read, x]\n\n  Verdict", "This is how"}));
}

TEST_F(CheckStream, SaysWhenAHiddenLabelMakesADifference) {
  write("t", std::string(writes) + std::string(reads));
  const Result result =
      check("label write = process == \"p2\"\nwatch w : some flow ends with read\n", "cat t");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(has(result.err, {"the declared label `write` hides an event label"}));
}

TEST_F(CheckStream, AgreesWithTheFile) {
  write("p.prop", "watch a : some longest flow ends with .{4}\nwatch b : every flow contains .\n");
  const Result file =
      run("lightcone generate --events 3000 --seed 4 >t.jsonl && "
          "lightcone check --json p.prop t.jsonl");
  const Result stream = run("lightcone check --json p.prop - <t.jsonl");
  EXPECT_EQ(file.status, 0) << file.err;
  EXPECT_EQ(stream.status, 0) << stream.err;
  EXPECT_EQ(file.json()["properties"], stream.json()["properties"]);
  const Result lines = run("lightcone check p.prop - <t.jsonl | grep -c ' info .* (watch)'");
  std::size_t found = 0;
  const auto report = file.json();
  for (const auto& property : report["properties"]) found += property["at"].size();
  EXPECT_EQ(lines.out, std::to_string(found) + "\n");
}

TEST_F(CheckStream, ReportsOnWhatItReadWhenItIsInterrupted) {
  for (const int signal : {SIGINT, SIGTERM}) {
    write("p.prop", std::string(stale) + "forbid none : possibly any(x == 1)\n");
    Conversation program(folder());
    program.tell(R"({"process": "p1", "kind": "init", "vars": {"x": 0}})"
                 "\n");
    program.tell(writes);
    program.tell(sends);
    program.tell(receives);
    program.tell(R"({"process": "p2", "kind": "receive", "message": "later"})"
                 "\n");
    program.tell(reads);
    program.tell(R"({"process": "p1", "ki)");
    EXPECT_TRUE(program.is_silent());
    program.interrupt(signal);
    const std::string said = program.hear_all();
    EXPECT_TRUE(
        has(said, {"interrupted", "line 7, the last one, is cut off", "2 events are left out",
                   "No property failed, of 2 properties on 3 events of 2 processes."}));
    EXPECT_EQ(program.end(), 0);
  }
}

TEST_F(CheckStream, FailsOnWhatItReadWhenItIsInterrupted) {
  write("p.prop", stale);
  Conversation program(folder());
  for (const std::string_view line : {writes, sends, receives, reads}) program.tell(line);
  EXPECT_EQ(program.hear(), "p2:2  FAIL  stale (forbid)  [read, x]");
  program.interrupt(SIGINT);
  EXPECT_TRUE(has(program.hear_all(), {"1 property failed"}));
  EXPECT_EQ(program.end(), 1);
}

// Global properties are decided while the trace is read.
TEST_F(CheckStream, TellsOfGlobalStatesAsSoonAsTheyAreCertain) {
  write("p.prop",
        "forbid both : possibly p1.in == true and p2.in == true\n"
        "expect met : definitely all(in == true)\n");
  Conversation program(folder());
  program.tell("{\"lightcone\": 1, \"processes\": [\"p1\", \"p2\"]}\n");
  program.tell("{\"process\": \"p1\", \"kind\": \"internal\", \"vars\": {\"in\": true}}\n");
  EXPECT_TRUE(program.is_silent());
  program.tell("{\"process\": \"p2\", \"kind\": \"internal\", \"vars\": {\"in\": true}}\n");
  EXPECT_EQ(program.hear(), "p1:1, p2:1  FAIL  both (forbid)  some global state satisfies it");
  EXPECT_TRUE(program.is_silent()) << "p1 may leave before p2 enters";
  const std::string rest = program.hear_out();
  EXPECT_TRUE(has(rest, {"FAIL     both", "pass     met"})) << rest;
  EXPECT_EQ(program.end(), 1);
}

TEST_F(CheckStream, SaysWhatALineAboutAllProcessesRestsOn) {
  write("p.prop", "watch on : possibly all(x == 1)\n");
  Conversation program(folder());
  program.tell("{\"lightcone\": 1, \"processes\": [\"p1\"]}\n");
  program.tell("{\"process\": \"p1\", \"kind\": \"internal\", \"vars\": {\"x\": 1}}\n");
  EXPECT_EQ(
      program.hear(),
      "p1:1  info  on (watch)  some global state satisfies it (of the processes in the header)");
  program.tell("{\"process\": \"p2\", \"kind\": \"internal\"}\n");
  EXPECT_TRUE(has(program.hear_out(), {"unknown", "does not name the process p2"}));
  EXPECT_EQ(program.end(), 3);
}

// A million events in less memory than the trace takes as a file.
TEST_F(CheckStream, DoesNotKeepTheTrace) {
  write("p.prop",
        "watch flow : some flow over {a, b} ends with a -> b without a\n"
        "watch longest : every longest flow over {a, b} ends with a b\n"
        "watch busy : possibly count(on == true) >= 9\n"
        "watch idle : definitely all(on == true)\n"
        "watch never : properly sum(x) == 1000000\n");
  const std::string generate =
      "lightcone generate --events 1M -p 8 --label a:0.0001 --label b:0.0001 "
      "--variable on:0.02:bool --variable x:0.02 ";
  const Result streamed =
      run(generate + "| (ulimit -v 400000; lightcone check p.prop - | tail -9)");
  EXPECT_TRUE(has(streamed.out, {"of 5 properties on 1,000,000 events of 8 processes"}))
      << streamed.out << streamed.err;
}

// Values that are decided are forgotten: the others are few at a time.
TEST_F(CheckStream, DoesNotKeepDecidedValues) {
  write("p.prop", "expect answered for each id : some flow at answer contains ask -> answer\n");
  const Result streamed = run(
      R"(for i in $(seq 20000); do echo '{"process": "p", "kind": "internal", "labels": ["ask"], )"
      R"("vars": {"id": '$i'}}'; echo '{"process": "p", "kind": "internal", "labels": ["answer"], )"
      R"("vars": {"id": '$i'}}'; done | (ulimit -v 400000; lightcone check p.prop - | tail -4))");
  EXPECT_TRUE(has(streamed.out, {"for each of 20,000 values of id"})) << streamed.out;
}

TEST_F(CheckStream, LeavesOutALastLineThatWasCut) {
  write("t", std::string(writes) + std::string(sends) + R"({"process": "p2", "text": "a } \" )");
  const Result result = check(stale, "cat t", "--json");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json()["events"], 2);
  EXPECT_EQ(result.json()["left_out"], 0);
  EXPECT_TRUE(has(result.err, {"line 3, the last one, is cut off"}));
  // Other mistakes in a last line are mistakes.
  write("t", std::string(writes) + R"({"process": "p2", "kind": "recieve"})");
  EXPECT_EQ(check(stale, "cat t").status, 2);
  write("t", std::string(writes) + "{\"process\": \n");
  EXPECT_EQ(check(stale, "cat t").status, 2);
}

}  // namespace
}  // namespace lightcone
