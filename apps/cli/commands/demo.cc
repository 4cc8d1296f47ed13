// `lightcone demo`: the tour that the README shows. Each step runs the command that it names.
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

void show_file(std::string_view why, std::string_view name, std::string_view text) {
  say(why);
  fmt::print("\n{} {}\n", paint_for(stdout).dim("$"),
             paint_for(stdout).bold(fmt::format("cat {}", name)));
  std::fputs(std::string(text).c_str(), stdout);
}

void show_lock() {
  show_file(
      "A trace is a log with one line per event. Here a lock server gives a lock to east, and "
      "later to west. Each line is correct: east leaves before west enters.",
      "lock.jsonl", lock_trace);
}

void show_counter() {
  show_file(
      "The next trace has a bug that happened. Two clients add one to the counter of a store. "
      "The store says what it did (labels) and what its counter is (vars):",
      "counter.jsonl", counter_trace);
}

constexpr TourStep lock_step{
    "lock.prop says: `forbid two_inside : possibly count(inside) >= 2`. Lightcone checks it in all "
    "orders of events that the messages allow, not only in the order of the trace. No message "
    "makes "
    "west wait for east, so both may be inside. The exit status is 1, so that a CI job stops:",
    "check --explain lock.prop lock.jsonl", Status::found};

constexpr TourStep steps[] = {
    {"What happened? Time runs from left to right. A name is the message of a send, and an "
     "arrowhead "
     "is its receive. Both clients were told 0, both put 1, and one addition is lost.",
     "info --diagram counter.jsonl"},
    {"Would it happen again? The store took the message that came first. The network decided which "
     "one that was. A replay only has to know this:",
     "races --pairs counter.jsonl"},
    {"Did it do what it should? counter.prop says: `require fresh : every longest flow at write "
     "ends "
     "with read write`. On every longest path of causes and effects, a write must come right after "
     "a "
     "read:",
     "check --explain counter.prop counter.jsonl", Status::found},
    {"Other programs can read the same as JSON:", "races --json counter.jsonl"},
    {"If a trace has lost a line, this is an error:", "info --json torn.jsonl", Status::bad_input},
    {"... unless you allow it:", "info --json --lenient torn.jsonl"},
    {"The next trace is a well-known example from the literature, with labels a to f. Depth, width "
     "and "
     "concurrency say how much of it happened in parallel:",
     "info --diagram control-flows.jsonl"},
    {"`generate` makes large traces. This one has 100,000 events of a server and 15 clients.",
     "generate --topology star -p 16 -n 100k --label request:0.2 -o random.jsonl"},
    {"Lightcone's own format is smaller and loads faster.", "convert random.jsonl random.lct"},
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
      {"lock.jsonl", lock_trace},
      {"lock.prop", "forbid two_inside : possibly count(inside) >= 2\n"},
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
  say("Lightcone can also run a program again, and run it in all orders of its messages. The "
      "README "
      "shows this with a program that loses money in one order of eight. `make examples` builds "
      "it:");
  constexpr std::string_view lines[] = {
      "lightcone record -- build/examples/bank_transfer --bug", "lightcone replay lightcone.rec",
      "lightcone explore -- build/examples/bank_transfer --bug", "lightcone replay lightcone.exp/8",
      "lightcone check --explain examples/bank_transfer/bank_transfer.prop lightcone.exp/8"};
  fmt::print("\n");
  for (const std::string_view line : lines) fmt::print("  {}\n", paint_for(stdout).bold(line));
  say("`lightcone --help` lists the commands. `lightcone COMMAND --help` explains a command with "
      "examples.");
}

[[nodiscard]] Status demo() {
  const auto workplace = Workplace::open();
  if (!workplace) return report(workplace.error());
  if (const auto written = write_files(); !written) return report(written.error());
  fmt::print("{}\n", paint_for(stdout).bold("Lightcone finds bugs in distributed programs."));
  const auto failed = [](const TourStep& step) {
    return report({fmt::format("`lightcone {}` failed", step.line), {}, 0, {}});
  };
  show_lock();
  if (!take(lock_step)) return failed(lock_step);
  show_counter();
  for (const TourStep& step : steps) {
    if (!take(step)) return failed(step);
  }
  compare_sizes();
  const TourStep last{"This is what it contains:", "info random.lct"};
  if (!take(last)) return failed(last);
  point_further();
  return Status::ok;
}

void define_demo(CLI::App& app, Status& status) {
  app.callback([&status] { status = demo(); });
}

}  // namespace

Command demo_command() {
  return {
      "demo",
      "show a tour",
      "Shows what Lightcone does. Each command line is printed and then run on small traces, in "
      "a temporary directory that is removed at the end.",
      {{"lightcone demo", "show the whole tour"},
       {"lightcone demo | less -R", "show it page by page"},
       {"NO_COLOR=1 lightcone demo", "show it without colours"}},
      define_demo};
}

}  // namespace lightcone::cli
