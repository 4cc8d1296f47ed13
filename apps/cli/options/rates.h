// How the command line writes counts, labels and variables with their rates.
#pragma once

#include <lightcone/causal/random/random_computation.h>

#include <cstdint>
#include <string_view>

namespace lightcone::cli {

/// `250`, `10k`, `2.5M`, `1G`.
[[nodiscard]] Expected<std::uint32_t> parse_count(std::string_view text);

/// `name:rate`.
[[nodiscard]] Expected<LabelRate> parse_label(std::string_view text);

/// `name:rate`, `name:rate:bool`, `name:rate:int`, `name:rate:real`.
[[nodiscard]] Expected<VariableRate> parse_variable(std::string_view text);

}  // namespace lightcone::cli
