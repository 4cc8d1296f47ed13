// Numbers that a trace writes as texts.
#pragma once

#include <lightcone/causal/arrivals.h>
#include <lightcone/computation.h>

#include <optional>
#include <span>
#include <string_view>

namespace lightcone {

/// The number that a text spells as JSON does; nothing for any other text, and for an integer of
/// more than 64 bits.
[[nodiscard]] std::optional<Value> number_in(std::string_view text);

/// Makes numbers of the texts of each variable all of whose values are numbers, written as texts or
/// not.
void read_numbers_in_texts(std::span<Arrivals> chunks, const Names& names);

}  // namespace lightcone
