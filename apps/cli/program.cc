// Parses a command line, runs its command, and turns whatever happens into an exit status.
#include "program.h"

#include <fmt/format.h>
#include <lightcone/base/spelling.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>

#include "options/help.h"
#include "print/terminal.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] std::unique_ptr<CLI::App> make_program(Status& status) {
  auto program = std::make_unique<CLI::App>(std::string(tagline), "lightcone");
  program->formatter(std::make_shared<HelpFormatter>());
  program->require_subcommand(1);
  program->set_help_flag("-h,--help", "print this help and exit");
  program->set_version_flag("--version", fmt::format("lightcone {}", version()),
                            "print the version and exit");
  for (const Command& command : commands()) {
    CLI::App* app =
        program->add_subcommand(std::string(command.name), std::string(command.summary));
    app->group("Commands");
    command.define(*app, status);
  }
  return program;
}

/// The words that a misspelt one could stand for.
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

[[nodiscard]] std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

[[nodiscard]] Error unknown(std::string_view what, const std::string& word,
                            const std::vector<std::string>& known, const std::string& help) {
  Error error{fmt::format("unknown {} `{}`", what, printable(word)), {}, 0, {}};
  error.hint = did_you_mean(word, known);
  if (error.hint.empty()) error.hint = fmt::format("see `{} --help`", help);
  return error;
}

/// What CLI11 has to say, in our words where it concerns a spelling.
[[nodiscard]] Error usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const auto chosen = program.get_subcommands();
  const CLI::App& app = chosen.empty() ? program : *chosen.back();
  const std::string name = chosen.empty() ? "lightcone" : "lightcone " + app.get_name();
  const std::vector<std::string> extras = program.remaining(true);
  // Without a command, CLI11 misses the command first.
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || chosen.empty();
  if (is_extra && !extras.empty()) {
    // The value of an unknown option counts as a word of its own, which may come first.
    const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& word) {
      return word.starts_with("-");
    });
    if (option != extras.end()) return unknown("option", *option, option_names(app), name);
    const std::string word = without_marks(extras).front();
    return {fmt::format("`{}` is one argument too many", printable(word)),
            {},
            0,
            fmt::format("see `{} --help`", name)};
  }
  std::string what = error.what();
  constexpr std::string_view not_converted = "Could not convert: ";  // `--delay = x`
  if (const std::size_t sign = what.find(" = ");
      what.starts_with(not_converted) && sign != std::string::npos) {
    what = fmt::format("{}: `{}` is not a number",
                       what.substr(not_converted.size(), sign - not_converted.size()),
                       printable(what.substr(sign + 3)));
  }
  return {what, {}, 0, fmt::format("see `{} --help`", name)};
}

/// `help`, `help COMMAND` are what many type first.
[[nodiscard]] std::vector<std::string> without_help_word(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  return arguments;
}

constexpr char mark = '\1';

/// Marks the words that belong to another program.
void mark_words(std::vector<std::string>& arguments) {
  const Command* command = find_command(arguments.front());
  if (command == nullptr || !command->runs_program) return;
  auto word = std::find(arguments.begin(), arguments.end(), "--");
  while (word != arguments.end() && ++word != arguments.end()) word->insert(0, 1, mark);
}

[[nodiscard]] Status parse_and_run(std::vector<std::string> arguments) {
  Status status = Status::ok;
  const auto program = make_program(status);
  arguments = without_help_word(std::move(arguments));
  if (arguments.empty()) {
    std::fputs(program->help().c_str(), stderr);
    return Status::bad_input;
  }
  const std::string& first = arguments.front();
  if (!first.starts_with("-") && find_command(first) == nullptr) {
    return report(unknown("command", first, command_names(), "lightcone"));
  }
  mark_words(arguments);
  try {
    std::reverse(arguments.begin(), arguments.end());  // the order in which CLI11 takes a vector
    program->parse(arguments);
  } catch (const CLI::Success& success) {
    program->exit(success, std::cout, std::cerr);
    std::cout.flush();
  } catch (const CLI::ParseError& error) {
    return report(usage_error(*program, error));
  }
  return status;
}

/// A disk that is full is found out only here.
[[nodiscard]] Status check_output(Status status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return report(
      {std::string("cannot be written: ") + std::strerror(errno), "standard output", 0, {}});
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      check_command(),    info_command(),   states_command(),     races_command(),
      diff_command(),     view_command(),   monitor_command(),    snapshot_command(),
      record_command(),   replay_command(), explore_command(),    convert_command(),
      generate_command(), demo_command(),   completion_command(), man_command()};
  return all;
}

const Command* find_command(std::string_view name) {
  const auto& all = commands();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
  return it == all.end() ? nullptr : &*it;
}

std::string_view version() { return LIGHTCONE_VERSION; }

int run_program(const std::vector<std::string>& arguments) {
  try {
    return static_cast<int>(check_output(parse_and_run(arguments)));
  } catch (const std::bad_alloc&) {
    report({"not enough memory", {}, 0, "the trace is too large for this machine"});
    return static_cast<int>(Status::limit);
  }
}

std::vector<std::string> without_marks(std::vector<std::string> words) {
  for (std::string& word : words) {
    if (is_marked(word)) word.erase(0, 1);
  }
  return words;
}

bool is_marked(std::string_view word) { return word.starts_with(mark); }

Status report(const Error& error) {
  std::fflush(stdout);
  fmt::print(stderr, "{} {}\n", paint_for(stderr).red("lightcone:"), error.text());
  return Status::bad_input;
}

void report_note(std::string_view note) {
  fmt::print(stderr, "{} {}\n", paint_for(stderr).yellow("lightcone: note:"), note);
}

}  // namespace lightcone::cli
