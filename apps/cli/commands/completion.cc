// `lightcone completion`: scripts that complete command lines, made from the definitions.
#include <fmt/format.h>

#include <memory>

#include "options/help.h"
#include "program.h"

namespace lightcone::cli {
namespace {

using Options = std::vector<const CLI::Option*>;

[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

[[nodiscard]] Options options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_positional(); });
}

[[nodiscard]] Options arguments_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

[[nodiscard]] std::string all_names(const Options& options) {
  std::vector<std::string> all;
  for (const CLI::Option* option : options) {
    for (const std::string& name : names_of(*option)) all.push_back(name);
  }
  return fmt::format("{}", fmt::join(all, " "));
}

/// The text with its single quotes made safe for the inside of single quotes.
[[nodiscard]] std::string quoted(const std::string& text) {
  return CLI::detail::find_and_replace(text, "'", "'\\''");
}

[[nodiscard]] std::string bash_value(const ValueShape& value) {
  if (value.is_file) return "_lightcone_files";
  if (value.choices.empty()) return "COMPREPLY=()";
  return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(value.choices, " "));
}

/// What may follow the options of one command, and what its arguments are.
[[nodiscard]] std::string bash_cases(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : options_of(app)) {
    const ValueShape value = value_of(*option);
    if (value.placeholder.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : names_of(*option)) {
      patterns.push_back(app.get_name() + ":" + name);
    }
    out += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), bash_value(value));
  }
  return out;
}

[[nodiscard]] std::string bash_script(const CLI::App& program) {
  std::string values;
  std::string words = fmt::format("    :-*) words='{}' ;;\n", all_names(options_of(program)));
  std::vector<std::string> names;
  for (const CLI::App* app : commands_of(program)) {
    names.push_back(app->get_name());
    values += bash_cases(*app);
    words +=
        fmt::format("    {}:-*) words='{}' ;;\n", app->get_name(), all_names(options_of(*app)));
    const Options arguments = arguments_of(*app);
    if (!arguments.empty()) {
      words += fmt::format("    {}:*) {}; return ;;\n", app->get_name(),
                           bash_value(value_of(*arguments.front())));
    }
  }
  return fmt::format(R"(# bash completion for lightcone; made by `lightcone completion bash`.
_lightcone_files() {{
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  compopt -o filenames 2>/dev/null
}}
_lightcone() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command='' words='' i
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
    {0}) command=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  case $command:$prev in
{1}  esac
  case $command:$cur in
{2}    :*) words='{3}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -F _lightcone lightcone
)",
                     fmt::join(names, "|"), values, words, fmt::join(names, " "));
}

/// `[` and `:` would end a description or a specification.
[[nodiscard]] std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : quoted(text)) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

[[nodiscard]] std::string zsh_value(const ValueShape& value) {
  const std::string shown = zsh_text(value.placeholder);
  if (value.is_file) return fmt::format(":{}:_files", shown);
  if (value.choices.empty()) return fmt::format(":{}: ", shown);
  return fmt::format(":{}:({})", shown, fmt::join(value.choices, " "));
}

[[nodiscard]] std::string zsh_arguments(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : options_of(app)) {
    const ValueShape value = value_of(*option);
    for (const std::string& name : names_of(*option)) {
      out += fmt::format(" \\\n        '*{}[{}]{}'", name, zsh_text(option->get_description()),
                         value.placeholder.empty() ? "" : zsh_value(value));
    }
  }
  for (const CLI::Option* argument : arguments_of(app)) {
    out += fmt::format(" \\\n        '{}'",
                       (argument->get_required() ? "" : ":") + zsh_value(value_of(*argument)));
  }
  return out;
}

[[nodiscard]] std::string zsh_script(const CLI::App& program) {
  std::string descriptions;
  std::string cases;
  for (const CLI::App* app : commands_of(program)) {
    descriptions +=
        fmt::format("        '{}:{}'\n", app->get_name(), quoted(app->get_description()));
    cases +=
        fmt::format("      {})\n        _arguments{} ;;\n", app->get_name(), zsh_arguments(*app));
  }
  return fmt::format(R"(#compdef lightcone
# zsh completion for lightcone; made by `lightcone completion zsh`.
_lightcone() {{
  local context state state_descr line
  typeset -A opt_args
  _arguments -C{} \
        '1:command:->command' '*::argument:->argument'
  case $state in
  command)
    local -a commands=(
{}    )
    _describe command commands ;;
  argument)
    case $line[1] in
{}    esac ;;
  esac
}}
if [ "$funcstack[1]" = _lightcone ]; then
  _lightcone "$@"
else
  compdef _lightcone lightcone
fi
)",
                     zsh_arguments(program), descriptions, cases);
}

[[nodiscard]] std::string fish_option(const CLI::Option& option, const std::string& condition) {
  std::string out = "complete -c lightcone -n '" + condition + "'";
  for (const std::string& name : option.get_snames()) out += " -s " + name;
  for (const std::string& name : option.get_lnames()) out += " -l " + name;
  const ValueShape value = value_of(option);
  if (!value.choices.empty()) out += fmt::format(" -x -a '{}'", fmt::join(value.choices, " "));
  if (value.is_file) out += " -r -F";
  if (!value.is_file && value.choices.empty() && !value.placeholder.empty()) out += " -x";
  return out + " -d '" + quoted(option.get_description()) + "'\n";
}

[[nodiscard]] std::string fish_script(const CLI::App& program) {
  std::string out =
      "# fish completion for lightcone; made by `lightcone completion fish`.\n"
      "complete -c lightcone -f\n";
  for (const CLI::Option* option : options_of(program)) {
    out += fish_option(*option, "__fish_use_subcommand");
  }
  for (const CLI::App* app : commands_of(program)) {
    const std::string seen = "__fish_seen_subcommand_from " + app->get_name();
    out += fmt::format("complete -c lightcone -n __fish_use_subcommand -a {} -d '{}'\n",
                       app->get_name(), quoted(app->get_description()));
    for (const CLI::Option* option : options_of(*app)) out += fish_option(*option, seen);
    for (const CLI::Option* argument : arguments_of(*app)) {
      const ValueShape value = value_of(*argument);
      if (value.is_file) out += fmt::format("complete -c lightcone -n '{}' -F\n", seen);
      if (!value.choices.empty()) {
        out += fmt::format("complete -c lightcone -n '{}' -a '{}'\n", seen,
                           fmt::join(value.choices, " "));
      }
    }
  }
  return out;
}

[[nodiscard]] std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  return bash_script(program);
}

void define_completion(CLI::App& app, Status& status) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "the shell to complete in")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  app.callback([shell, &app, &status] {
    const std::string script = completion_script(*app.get_parent(), *shell);
    std::fputs(script.c_str(), stdout);
    status = Status::ok;
  });
}

}  // namespace

Command completion_command() {
  return {
      "completion",
      "print completion scripts for bash, zsh or fish",
      "Prints a script with which the shell completes commands, options, formats and files. "
      "`make install` installs these scripts.",
      {{"source <(lightcone completion bash)", "use it in this shell; or put it into ~/.bashrc"},
       {"lightcone completion zsh > ~/.zfunc/_lightcone",
        "use it in every zsh, if ~/.zfunc is in its fpath"},
       {"lightcone completion fish > ~/.config/fish/completions/lightcone.fish",
        "use it in every fish"}},
      define_completion};
}

}  // namespace lightcone::cli
