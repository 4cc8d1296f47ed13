// The program at a terminal: colour, progress bars, completion, manual pages.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "system/shell.h"

namespace lightcone {
namespace {

/// Some commands run at a terminal of their own, which `script` makes.
class AtTerminal : public Shell {
 protected:
  [[nodiscard]] Result at_terminal(const std::string& line) const {
    write("typed", line + "\n");
    return run("script -qec 'bash ./typed' /dev/null");
  }
  void SetUp() override {
    Shell::SetUp();
    if (run("script -qec true /dev/null").status != 0) GTEST_SKIP() << "script makes no terminal";
  }
};

TEST_F(AtTerminal, ColourOnlyWhereItIsWanted) {
  ASSERT_EQ(run("lightcone generate -o t.jsonl").status, 0);
  EXPECT_TRUE(has(at_terminal("lightcone info t.jsonl").out, {"\033["}));
  EXPECT_TRUE(has(at_terminal("NO_COLOR=1 lightcone info t.jsonl").out, {}, {"\033["}));
  EXPECT_TRUE(has(at_terminal("NO_COLOR= lightcone info t.jsonl").out, {"\033["}));
  EXPECT_TRUE(has(at_terminal("TERM=dumb lightcone info t.jsonl").out, {}, {"\033["}));
  EXPECT_TRUE(has(at_terminal("lightcone info t.jsonl | cat").out, {}, {"\033["}));
  EXPECT_TRUE(has(at_terminal("lightcone info --json t.jsonl").out, {}, {"\033["}));
  EXPECT_TRUE(has(at_terminal("lightcone info --help").out, {"\033["}));
}

TEST_F(AtTerminal, NamesCannotSteerIt) {
  write("t.jsonl", "{\"process\": \"\\u001b[31mred\", \"kind\": \"internal\"}\n");
  EXPECT_TRUE(has(run("lightcone info --diagram t.jsonl").out, {"?[31mred"}, {"\033"}));
}

TEST_F(AtTerminal, DiagramsAreAsWideAsIt) {
  ASSERT_EQ(run("lightcone generate -n 200 -o t.jsonl").status, 0);
  const auto widest = [&](int columns) {
    const Result drawn = at_terminal(
        fmt::format("stty cols {}; NO_COLOR=1 LC_ALL=C lightcone info --diagram t.jsonl", columns));
    std::istringstream lines(drawn.out);
    std::size_t width = 0;
    for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
    return width;
  };
  EXPECT_LE(widest(60), 81U) << "tables need not fit";
  EXPECT_GT(widest(160), 120U);
  EXPECT_LE(widest(160), 161U);
}

TEST_F(AtTerminal, ProgressBarForLongWorkOnly) {
  const Result quick = at_terminal("lightcone generate -n 1000 -o quick.lct");
  EXPECT_EQ(quick.out, "");
  // Input that keeps the reader waiting for longer than the bar's patience.
  const Result slow = at_terminal(
      "{ lightcone generate -n 20k; sleep 1.5; } | lightcone convert --from jsonl - slow.lct");
  EXPECT_EQ(slow.status, 0);
  EXPECT_TRUE(has(slow.out, {"\r\033[Kreading", "/s\r\033[K"})) << slow.out;
}

TEST_F(AtTerminal, ConvertSaysWhatItWrote) {
  ASSERT_EQ(run("lightcone generate -o t.jsonl").status, 0);
  EXPECT_TRUE(has(at_terminal("lightcone convert t.jsonl t.lct").out,
                  {"t.lct: 100 events of 4 processes, "}));
  EXPECT_EQ(run("lightcone convert t.jsonl t.lct").err, "");
}

class Bash : public Shell {
 protected:
  /// What the completion of these words offers; the last word is being typed.
  [[nodiscard]] std::string completed(const std::string& words) const {
    const Result result = run("source <(lightcone completion bash) || exit\nCOMP_WORDS=(" + words +
                              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_lightcone\n"
                              "printf '%s|' \"${COMPREPLY[@]}\"");
    EXPECT_EQ(result.err, "");
    return result.out;
  }
};

TEST_F(Bash, CompletesCommandsOptionsFormatsAndFiles) {
  write("my trace.jsonl", "");
  write("other.lct", "");
  EXPECT_EQ(completed("lightcone in"), "info|");
  EXPECT_TRUE(has(completed("lightcone ''"), {"races|", "generate|"}));
  EXPECT_EQ(completed("lightcone info --js"), "--json|");
  EXPECT_EQ(completed("lightcone --ver"), "--version|");
  EXPECT_EQ(completed("lightcone convert --to l"), "lct|");
  EXPECT_EQ(completed("lightcone convert --to = sh"), "shiviz|");
  EXPECT_EQ(completed("lightcone convert --to ="), "jsonl|lct|shiviz|clocks|otlp|chrome|");
  EXPECT_EQ(completed("lightcone generate --topology r"), "ring|");
  EXPECT_EQ(completed("lightcone completion ''"), "bash|zsh|fish|");
  EXPECT_EQ(completed("lightcone info my"), "my trace.jsonl|");
  EXPECT_EQ(completed("lightcone generate -o o"), "other.lct|");
  EXPECT_EQ(completed("lightcone man ra"), "races|");
  EXPECT_EQ(completed("lightcone generate --seed ''"), "|");
}

TEST_F(Bash, OtherShellsReadTheirScripts) {
  for (const std::string shell : {"zsh", "fish"}) {
    const Result script = run("lightcone completion " + shell + " > script && cat script");
    EXPECT_EQ(script.status, 0);
    EXPECT_TRUE(has(script.out, {"topology", "races"}));
    EXPECT_TRUE(!has_command(shell) || run(shell + " -n script").status == 0) << shell;
  }
  EXPECT_EQ(run("lightcone completion tcsh").status, 2);
}

using Manual = Shell;

TEST_F(Manual, PagesHaveNoWarnings) {
  ASSERT_EQ(run("lightcone man --write pages").status, 0);
  for (const char* page : {"lightcone.1", "lightcone-check.1", "lightcone-explore.1"}) {
    EXPECT_NE(run("ls pages").out.find(page), std::string::npos) << page;
  }
  if (!has_command("groff")) GTEST_SKIP() << "no groff";
  const Result pages = run("for page in pages/*; do groff -man -Tutf8 -ww -z $page; done");
  EXPECT_EQ(pages.status, 0);
  EXPECT_EQ(pages.err, "");
}

TEST_F(Manual, SaysWhatHelpSays) {
  const Result page = run("lightcone man generate");
  EXPECT_TRUE(has(page.out, {".TH \"LIGHTCONE\\-GENERATE\" 1", "\\fB\\-\\-topology\\fR", "EXAMPLES",
                             "EXIT STATUS"}));
  EXPECT_TRUE(has(run("lightcone man").out, {"\\fBraces\\fR"}));
  EXPECT_EQ(run("lightcone man nothing").status, 2);
}

}  // namespace
}  // namespace lightcone
