// What `states` can be asked: one function per question. Each prints its answer.
#pragma once

#include <lightcone/lattice/visit/inevitable.h>

#include <cstdint>

#include "commands/states_view.h"
#include "options/limit_options.h"
#include "program.h"

namespace lightcone::cli {

/// Returns how many consistent global states there are.
[[nodiscard]] Status print_count(const StatesView& view, const Limits& limits, bool json);

/// All of them, in lexical order.
[[nodiscard]] Status print_list(StatesView& view, const Limits& limits, bool json);

/// Those that every observation passes through; of these, if `physical`, only those whose local
/// states coexisted.
[[nodiscard]] Status print_inevitable(StatesView& view, bool physical, bool json);

/// Returns how many observations there are.
[[nodiscard]] Status print_observation_count(const StatesView& view, const Limits& limits,
                                             bool json);

/// One of them, at random.
[[nodiscard]] Status print_observation(const StatesView& view, std::uint64_t seed, bool json);

/// Says that an answer, for JSON the member `name`, would take more memory than the limit.
[[nodiscard]] Status print_no_room(std::string_view name, const Wholeness& wholeness, bool json);

}  // namespace lightcone::cli
