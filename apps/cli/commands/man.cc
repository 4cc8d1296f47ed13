// `lightcone man`: manual pages, made from the same definitions as --help.
#include <fmt/format.h>
#include <lightcone/base/file.h>

#include <filesystem>
#include <memory>

#include "options/help.h"
#include "program.h"

namespace lightcone::cli {
namespace {

struct ManOptions {
  std::string command;
  std::string directory;
};

/// Text as roff takes it literally; hyphens stay what a user must type.
[[nodiscard]] std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

[[nodiscard]] std::string page_name(std::string_view command) {
  return command.empty() ? "lightcone" : fmt::format("lightcone-{}", command);
}

[[nodiscard]] std::string heading(const std::string& name, std::string_view summary) {
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH \"{}\" 1 \"\" \"Lightcone {}\" \"Lightcone\"\n.SH NAME\n{} \\- {}\n",
                     roff(title), version(), roff(name), roff(summary));
}

[[nodiscard]] std::string synopsis(const CLI::App& app) {
  return fmt::format(".SH SYNOPSIS\n{}\n", roff(usage_of(app)));
}

[[nodiscard]] std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    out += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

[[nodiscard]] std::string entry(const CLI::Option& option) {
  const ValueShape value = value_of(option);
  std::string name = "\\fB" + roff(spelled(option)) + "\\fR";
  if (!option.get_positional() && !value.placeholder.empty()) {
    name += " \\fI" + roff(value.placeholder) + "\\fR";
  }
  return fmt::format(".TP\n{}\n{}\n", name, roff(meaning_of(option)));
}

[[nodiscard]] std::string options_text(const CLI::App& app) {
  std::string arguments;
  std::string options;
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? arguments : options) += entry(*option);
  }
  return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + ".SH OPTIONS\n" + options;
}

[[nodiscard]] std::string examples_text(const std::vector<Example>& examples) {
  std::string out = ".SH EXAMPLES\n";
  for (const Example& example : examples) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(example.line), roff(example.meaning));
  }
  return out;
}

[[nodiscard]] std::string exit_text(const Command* command) {
  std::string out = ".SH \"EXIT STATUS\"\n";
  for (const ExitMeaning& exit : exit_meanings(command)) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", exit.status, roff(exit.meaning));
  }
  return out;
}

[[nodiscard]] std::string environment_text() {
  return ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf it is set and not empty, nothing is ever "
         "printed in colour.\n";
}

[[nodiscard]] std::string see_also(std::string_view except) {
  std::string out = ".SH \"SEE ALSO\"\n";
  std::vector<std::string> pages;
  if (!except.empty()) pages.emplace_back("\\fBlightcone\\fR(1)");
  for (const Command& command : commands()) {
    if (command.name == except) continue;
    pages.push_back(fmt::format("\\fB{}\\fR(1)", roff(page_name(command.name))));
  }
  return out + fmt::format("{}\n", fmt::join(pages, ",\n"));
}

[[nodiscard]] std::string program_page(const CLI::App& program) {
  std::string out = heading("lightcone", tagline) + synopsis(program) + ".SH DESCRIPTION\n" +
                    paragraphs(tagline) + ".SH COMMANDS\n";
  for (const Command& command : commands()) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command.name), roff(command.summary));
  }
  return out + options_text(program) + examples_text(program_examples()) + exit_text(nullptr) +
         environment_text() + see_also("");
}

[[nodiscard]] std::string command_page(const Command& command, const CLI::App& app) {
  return heading(page_name(command.name), command.summary) + synopsis(app) + ".SH DESCRIPTION\n" +
         paragraphs(command.description) + options_text(app) + examples_text(command.examples) +
         exit_text(&command) + environment_text() + see_also(command.name);
}

[[nodiscard]] std::string page(const CLI::App& program, const std::string& name) {
  const Command* command = find_command(name);
  if (command == nullptr) return program_page(program);
  return command_page(*command, *program.get_subcommand(name));
}

[[nodiscard]] Expected<void> write_page(const CLI::App& program, const std::string& directory,
                                        const std::string& name) {
  auto file = OutputFile::create((std::filesystem::path(directory) / (page_name(name) + ".1")));
  if (!file) return failure(file.error());
  file->write(page(program, name));
  return file->commit();
}

[[nodiscard]] Expected<void> write_all(const CLI::App& program, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return failure("cannot be created: " + error.message(), directory);
  if (auto written = write_page(program, directory, ""); !written) return written;
  for (const Command& command : commands()) {
    auto written = write_page(program, directory, std::string(command.name));
    if (!written) return written;
  }
  return {};
}

void define_man(CLI::App& app, Status& status) {
  auto options = std::make_shared<ManOptions>();
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  app.add_option("COMMAND", options->command, "the command; without it, the whole program")
      ->check(one_of(names));
  app.add_option("--write", options->directory, "write the pages of all commands into a directory")
      ->type_name("DIRECTORY");
  app.callback([options, &app, &status] {
    const CLI::App& program = *app.get_parent();
    if (options->directory.empty()) {
      std::fputs(page(program, options->command).c_str(), stdout);
    } else if (const auto written = write_all(program, options->directory); !written) {
      status = report(written.error());
    }
  });
}

}  // namespace

Command man_command() {
  return {"man",
          "print the manual page of a command",
          "Prints a manual page for man(1). It has the same content as --help.",
          {{"lightcone man info | man -l -", "read the page of a command"},
           {"lightcone man > lightcone.1", "write the page of the whole program"},
           {"lightcone man --write /usr/local/share/man/man1", "write all pages"}},
          define_man};
}

}  // namespace lightcone::cli
