// `lightcone demo`: the tour that the README shows; each step runs the command that it names.
#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/working_folder.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "commands/demo_traces.h"
#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

/// A temporary directory to work in, with the way back.
class Workplace {
 public:
  [[nodiscard]] static Expected<Workplace> open();
  Workplace(Workplace&& other) noexcept = default;
  Workplace& operator=(Workplace&&) = delete;
  ~Workplace();

 private:
  Workplace(WorkingFolder here, fs::path back) : here_(std::move(here)), back_(std::move(back)) {}
  WorkingFolder here_;
  fs::path back_;
};

Expected<Workplace> Workplace::open() {
  std::error_code error;
  const fs::path back = fs::current_path(error);
  auto here = WorkingFolder::make((fs::temp_directory_path(error) / "lightcone-demo-").string());
  if (!here) return failure(here.error());
  Workplace place(std::move(*here), back);
  fs::current_path(place.here_.path(), error);
  if (error) return failure(error.message(), place.here_.path());
  return place;
}

Workplace::~Workplace() {
  std::error_code ignored;
  if (!here_.path().empty()) fs::current_path(back_, ignored);
}

[[nodiscard]] Expected<void> write_file(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file) return failure(file.error());
  file->write(text);
  return file->commit();
}

void say(std::string_view words) {
  fmt::print("\n{}\n", wrapped(words, 80));
  std::fflush(stdout);
}

/// One step of the tour: why, and the command, which is then run for real.
struct TourStep {
  std::string_view why;
  std::string_view line;  ///< words without quotes, behind `lightcone`
  Status expected = Status::ok;
};

/// What a step prints on standard error belongs to the tour, in its place.
class ErrorsInPlace {
 public:
  ErrorsInPlace() : kept_(::dup(STDERR_FILENO)) { ::dup2(STDOUT_FILENO, STDERR_FILENO); }
  ErrorsInPlace(const ErrorsInPlace&) = delete;
  ErrorsInPlace& operator=(const ErrorsInPlace&) = delete;
  ~ErrorsInPlace() {
    if (kept_ < 0) return;
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }

 private:
  int kept_;
};

[[nodiscard]] bool take(const TourStep& step) {
  say(step.why);
  fmt::print("\n{} {}\n", paint_for(stdout).dim("$"),
             paint_for(stdout).bold(fmt::format("lightcone {}", step.line)));
  std::fflush(stdout);
  const ErrorsInPlace errors_in_place;
  return run_program(CLI::detail::split(std::string(step.line), ' ')) ==
         static_cast<int>(step.expected);
}

void show_trace() {
  say("A trace has a line for each event. Here two clients add one to the counter of a store; "
      "the store says what it did (labels) and what its counter is (vars):");
  fmt::print("\n{} {}\n", paint_for(stdout).dim("$"), paint_for(stdout).bold("cat counter.jsonl"));
  std::fputs(std::string(counter_trace).c_str(), stdout);
}

constexpr TourStep steps[] = {
    {"What happened? Time runs from left to right; a send shows its message, an arrowhead is the "
     "receive. Both clients were told 0, both put 1, and one addition is lost.",
     "info --diagram counter.jsonl"},
    {"Would it happen again? The store took whatever came first; that was decided by the network, "
     "and this is all that a replay has to know:",
     "races --pairs counter.jsonl"},
    {"Did it do what it should? counter.prop says: `require fresh : every longest flow at write "
     "ends "
     "with read write`. Along every longest flow of causes, a write must come right after a read. "
     "The exit status is 1, for a build to stop at:",
     "check --explain counter.prop counter.jsonl", Status::found},
    {"Everything is there for other programs, too:", "races --json counter.jsonl"},
    {"A trace that lost a line is never taken for a whole one:", "info --json torn.jsonl",
     Status::bad_input},
    {"... unless you say so:", "info --json --lenient torn.jsonl"},
    {"The example on which control flows are explained, with labels a to f. Depth, width and "
     "concurrency say how much of it had to wait for something else:",
     "info --diagram control-flows.jsonl"},
    {"For something larger, make one: 100,000 events of a server and 15 clients.",
     "generate --topology star -p 16 -n 100k --label request:0.2 -o random.jsonl"},
    {"The native format is smaller and loads faster.", "convert random.jsonl random.lct"},
};

void compare_sizes() {
  std::error_code error;
  const std::uintmax_t text = fs::file_size("random.jsonl", error);
  const std::uintmax_t binary = error ? 0 : fs::file_size("random.lct", error);
  if (error || binary == 0) return;
  fmt::print("\nrandom.jsonl {}, random.lct {}: {:.0f} times smaller.\n", byte_size(text),
             byte_size(binary), static_cast<double>(text) / static_cast<double>(binary));
}

[[nodiscard]] Expected<void> write_files() {
  const std::pair<const char*, std::string_view> files[] = {
      {"counter.jsonl", counter_trace},
      {"counter.prop", "require fresh : every longest flow at write ends with read write\n"},
      {"control-flows.jsonl", control_flow_trace},
      {"torn.jsonl", torn_trace}};
  for (const auto& [path, text] : files) {
    if (auto written = write_file(path, text); !written) return written;
  }
  return {};
}

/// What the program alone cannot show: it needs another one to run.
void point_further() {
  say("A program that links Lightcone can be made to do it again. The README goes on with one that "
      "loses money in one order of eight; `make examples` builds it:");
  constexpr std::string_view lines[] = {
      "lightcone record -- build/examples/bank_transfer --bug", "lightcone replay lightcone.rec",
      "lightcone explore -- build/examples/bank_transfer --bug", "lightcone replay lightcone.exp/8",
      "lightcone check --explain examples/bank_transfer/bank_transfer.prop lightcone.exp/8"};
  fmt::print("\n");
  for (const std::string_view line : lines) fmt::print("  {}\n", paint_for(stdout).bold(line));
  say("`lightcone --help` lists the commands, `lightcone COMMAND --help` explains one by "
      "examples.");
}

[[nodiscard]] Status demo() {
  const auto workplace = Workplace::open();
  if (!workplace) return report(workplace.error());
  if (const auto written = write_files(); !written) return report(written.error());
  fmt::print("{}\n",
             paint_for(stdout).bold(
                 "Lightcone: what a distributed program did, and how to make it do it again."));
  show_trace();
  for (const TourStep& step : steps) {
    if (!take(step)) return report({fmt::format("`lightcone {}` failed", step.line), {}, 0, {}});
  }
  compare_sizes();
  const TourStep last{"And what does it hold?", "info random.lct"};
  if (!take(last)) return report({"`lightcone info random.lct` failed", {}, 0, {}});
  point_further();
  return Status::ok;
}

void define(CLI::App& app, Status& status) {
  app.callback([&status] { status = demo(); });
}

}  // namespace

Command demo_command() {
  return {"demo",
          "a tour: commands, and what they print",
          "Shows what Lightcone does, in a few minutes: each command line is printed and then run "
          "for real, on small traces in a temporary directory that is removed at the end.",
          {{"lightcone demo", "the whole tour"},
           {"lightcone demo | less -R", "page by page"},
           {"NO_COLOR=1 lightcone demo", "without colour"}},
          define};
}

}  // namespace lightcone::cli
