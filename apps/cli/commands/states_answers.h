// What `states` can be asked: one function per question. Each prints its answer.
#pragma once

#include <lightcone/lattice/eliminate/natural_number.h>
#include <lightcone/lattice/visit/inevitable.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// How many states are drawn, and by which seed.
struct SampleRequest {
  std::uint64_t states, seed;
};

/// Some states at random, all equally likely.
[[nodiscard]] Status print_sample(StatesView& view, const Limits& limits,
                                  const SampleRequest& request, bool json);

/// Returns how many states there are of each size, or nothing if a limit was hit.
[[nodiscard]] std::optional<std::vector<NaturalNumber>> states_by_size(const StatesView& view,
                                                                       const Limits& limits);
[[nodiscard]] Status print_sizes(const StatesView& view, const std::vector<NaturalNumber>& sizes,
                                 bool json);
/// Says that a limit was hit before sizes were known.
[[nodiscard]] Status print_no_sizes(const StatesView& view, const Limits& limits, bool json);

/// `The limit of time was hit: --limit-time sets it.`
[[nodiscard]] std::string limit_words(std::string_view limit);

/// A count as JSON: a number, or digits in quotes if others could not read it exactly.
[[nodiscard]] std::string json_count(std::string_view digits);

/// Says that an answer, for JSON the member `name`, would take more memory than the limit.
[[nodiscard]] Status print_no_room(std::string_view name, const Wholeness& wholeness, bool json);

}  // namespace lightcone::cli
