// The program as a whole: its commands, and how a command line is run.
#pragma once

#include <lightcone/error.h>

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace lightcone::cli {

/// What the program returns to the shell.
enum class Status { ok = 0, found = 1, bad_input = 2, limit = 3 };

/// A command line that a reader can try, and what it does.
struct Example {
  std::string_view line;
  std::string_view meaning;
};

/// One command: what --help, the manual page and the completions are made of.
struct Command {
  std::string_view name;
  std::string_view summary;      ///< one line
  std::string_view description;  ///< paragraphs
  std::vector<Example> examples;
  /// Adds the options, and the callback that runs the command and sets the status.
  void (*define)(CLI::App& app, Status& status);
  bool runs_program = false;   ///< its words come after `--`; the description says the status
  bool runs_on_ranks = false;  ///< an MPI launcher may start it several times
};

// One file each.
[[nodiscard]] Command check_command();
[[nodiscard]] Command info_command();
[[nodiscard]] Command convert_command();
[[nodiscard]] Command states_command();
[[nodiscard]] Command races_command();
[[nodiscard]] Command diff_command();
[[nodiscard]] Command view_command();
[[nodiscard]] Command monitor_command();
[[nodiscard]] Command snapshot_command();
[[nodiscard]] Command record_command();
[[nodiscard]] Command replay_command();
[[nodiscard]] Command explore_command();
[[nodiscard]] Command generate_command();
[[nodiscard]] Command demo_command();
[[nodiscard]] Command completion_command();
[[nodiscard]] Command man_command();

/// All commands, in the order in which --help lists them.
[[nodiscard]] const std::vector<Command>& commands();
[[nodiscard]] const Command* find_command(std::string_view name);

/// As in `1.2.3`.
[[nodiscard]] std::string_view version();

/// What the program is, in one line.
inline constexpr std::string_view tagline =
    "Finds bugs in distributed programs: shows what a program did, checks it in all orders of its "
    "events, and runs it again.";

/// Runs one command line, without the program's name; returns the exit status.
[[nodiscard]] int run_program(const std::vector<std::string>& arguments);

/// The words of another program as they were typed. CLI11 has a notation of its own for some
/// (`[a,b]`), so those after `--` come to a command that runs a program with a mark.
[[nodiscard]] std::vector<std::string> without_marks(std::vector<std::string> words);

/// Returns whether a word belongs to another program.
[[nodiscard]] bool is_marked(std::string_view word);

/// Prints an error on standard error; returns the status that goes with it.
Status report(const Error& error);

/// Prints a remark on standard error.
void report_note(std::string_view note);

}  // namespace lightcone::cli
