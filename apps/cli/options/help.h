// What --help prints, and what is known about the values of an option.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "program.h"

namespace lightcone::cli {

/// What may stand after an option, or in place of an argument.
struct ValueShape {
  std::string placeholder;           ///< `FORMAT`; empty for a flag
  std::vector<std::string> choices;  ///< empty: anything
  bool is_file = false;
};
[[nodiscard]] ValueShape value_of(const CLI::Option& option);

/// Accepts these words only; they become the choices of the option's value.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& words);

/// Accepts whole numbers in this range only.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = UINT64_MAX);
/// Accepts numbers in this range only.
[[nodiscard]] CLI::Validator number_between(double least, double most);

/// `-o,--output` as `-o, --output`; the placeholder is not part of it.
[[nodiscard]] std::string spelled(const CLI::Option& option);

/// What the option does, with its choices and its default.
[[nodiscard]] std::string meaning_of(const CLI::Option& option);

/// `lightcone info [OPTIONS] TRACE`.
[[nodiscard]] std::string usage_of(const CLI::App& app);

/// What a command returns; what the program does, without one.
struct ExitMeaning {
  std::string status;
  std::string meaning;
};
[[nodiscard]] std::vector<ExitMeaning> exit_meanings(const Command* command);

/// Where to begin.
[[nodiscard]] const std::vector<Example>& program_examples();

/// Lays out --help: what it is for, usage, options, examples, exit status; 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_subcommand(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace lightcone::cli
