// Lays out help from the definitions of commands and options.
#include "options/help.h"

#include <fmt/format.h>
#include <lightcone/base/spelling.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "print/terminal.h"
#include "print/wording.h"
#include "program.h"

namespace lightcone::cli {
namespace {

constexpr std::size_t help_width = 80;
constexpr std::size_t first_column = 24;

/// `  name      what it is, over as many lines as it takes`.
[[nodiscard]] std::string entry(const std::string& name, const std::string& meaning) {
  std::string out = "  " + name;
  if (display_width(out) + 2 > first_column) {
    out += '\n' + std::string(first_column, ' ');
  } else {
    out.append(first_column - display_width(out), ' ');
  }
  return out + wrapped(meaning, help_width, first_column) + '\n';
}

[[nodiscard]] std::string examples_text(const std::vector<Example>& examples) {
  const Paint paint = paint_for(stdout);
  std::string out = paint.bold("Examples:") + "\n";
  for (const Example& example : examples) {
    out += fmt::format("  {} {}\n      {}\n", paint.dim("$"), paint.cyan(example.line),
                       wrapped(example.meaning, help_width, 6));
  }
  return out;
}

[[nodiscard]] std::string exit_text(const Command* command) {
  std::string out = "\n" + paint_for(stdout).bold("Exit status:") + "\n";
  for (const ExitMeaning& exit : exit_meanings(command)) {
    out += fmt::format("  {}  {}\n", exit.status, wrapped(exit.meaning, help_width, 5));
  }
  return out;
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& word) -> std::string {
    if (std::find(words.begin(), words.end(), word) != words.end()) return {};
    const std::string hint = did_you_mean(word, words);
    return fmt::format("`{}` is not one of {}{}", printable(word), fmt::join(words, ", "),
                       hint.empty() ? "" : "\n  " + hint);
  };
  return {check, fmt::format("{{{}}}", fmt::join(words, ","))};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](const std::string& word) -> std::string {
    std::uint64_t value = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) return {};
    return most == UINT64_MAX
               ? fmt::format("`{}` is not a whole number from {} on", printable(word), least)
               : fmt::format("`{}` is not a whole number from {} to {}", printable(word), least,
                             most);
  };
  return {check, ""};
}

CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& word) -> std::string {
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) return {};
    return fmt::format("`{}` is not a number from {} to {:.0f}", printable(word), least, most);
  };
  return {check, ""};
}

ValueShape value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  ValueShape shape;
  const std::string type = option.get_type_name();  // `FORMAT:{jsonl,lct}`
  shape.placeholder = type.substr(0, type.find(":{"));
  if (option.get_positional()) shape.placeholder = option.get_name(true, false);
  shape.is_file = type == "FILE" || type == "DIRECTORY";
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open != std::string::npos && close != std::string::npos) {
    shape.choices = CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
  }
  return shape;
}

std::string spelled(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::string out;
  for (const std::string& name : option.get_snames()) out += (out.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) out += (out.empty() ? "--" : ", --") + name;
  return out;
}

std::string meaning_of(const CLI::Option& option) {
  std::string out = option.get_description();
  const ValueShape value = value_of(option);
  if (!value.choices.empty()) out += fmt::format(": {}", fmt::join(value.choices, ", "));
  if (!option.get_default_str().empty() && !value.placeholder.empty()) {
    out += fmt::format(" [{}]", option.get_default_str());
  }
  return out;
}

std::string usage_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "lightcone COMMAND [OPTIONS] ...";
  if (app.get_name() == "monitor") return "lightcone monitor PROPS ... [OPTIONS]";
  std::string out = "lightcone " + app.get_name() + " [OPTIONS]";
  const Command* command = find_command(app.get_name());
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = option->get_name(true, false);
    if (command != nullptr && command->runs_program && name == "COMMAND") name = "-- COMMAND ...";
    out += option->get_required() ? " " + name : " [" + name + "]";
  }
  return out;
}

std::vector<ExitMeaning> exit_meanings(const Command* command) {
  const ExitMeaning bad{"2",
                        "wrong usage or bad input; standard error says what, where and what to do"};
  const ExitMeaning limit{"3", "a limit was hit, and the answer is not known"};
  const std::string_view name = command == nullptr ? std::string_view() : command->name;
  if (name.empty()) {
    return {{"0", "success"},
            {"1",
             "something was found: a property failed, runs differ, a replay diverged, an explored "
             "execution failed"},
            bad,
            limit};
  }
  if (name == "check") {
    return {{"0", "no property failed"},
            {"1", "a property failed"},
            bad,
            {"3",
             "an answer is not known: a limit was hit, or what is lost could decide it, or "
             "clocks cannot tell"}};
  }
  if (name == "diff") {
    return {{"0", "the runs are the same"},
            {"1", "the runs differ"},
            bad,
            {"3", "nothing differs, but a run is not complete"}};
  }
  if (name == "explore") {
    return {{"0", "no execution failed, and no other order remains"},
            {"1", "an execution failed"},
            bad,
            {"3", "no execution failed, but there may be others"}};
  }
  if (name == "replay") {
    return {{"1", "the replay diverged"}, bad, {"other", "see above"}};
  }
  if (name == "snapshot") {
    return {{"0", "no process is deadlocked"},
            {"1", "some processes are deadlocked"},
            bad,
            {"3", "an answer is unknown"}};
  }
  if (command->runs_program) {
    return {{"1", "only if COMMAND exits with 1"}, bad, {"other", "see above"}};
  }
  return {{"0", "success"}, {"1", "is not used by this command"}, bad, limit};
}

const std::vector<Example>& program_examples() {
  static const std::vector<Example> examples = {
      {"lightcone demo", "see a tour"},
      {"lightcone info run.jsonl", "summarise a trace"},
      {"lightcone info --help", "read about a command, with examples"},
      {"lightcone man races | man -l -", "read the manual page of a command"}};
  return examples;
}

HelpFormatter::HelpFormatter() { label("Positionals", "Arguments"); }

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode),
                                       "\n\n\n", "\n\n");
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  const Command* command = find_command(app->get_name());
  if (command == nullptr) return wrapped(tagline, help_width) + "\n\n";
  return wrapped(command->description, help_width) + "\n\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string) const {
  return paint_for(stdout).bold("Usage:") + " " + usage_of(*app) + "\n";
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
  std::string out = "\n" + paint_for(stdout).bold(group + ":") + "\n";
  for (const CLI::Option* option : options) out += make_option(option, is_positional);
  return out;
}

std::string HelpFormatter::make_subcommand(const CLI::App* app) const {
  return entry(app->get_name(), app->get_description());
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool) const {
  const ValueShape value = value_of(*option);
  std::string name = spelled(*option);
  if (!option->get_positional() && !value.placeholder.empty()) name += " " + value.placeholder;
  return entry(name, meaning_of(*option));
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const Command* command = find_command(app->get_name());
  if (command == nullptr) return examples_text(program_examples()) + exit_text(nullptr);
  return examples_text(command->examples) + exit_text(command);
}

}  // namespace lightcone::cli
