// The events that a load generator sends: a ring of processes, without end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone::load {

/// Three flows and one `possibly`, which the ring never satisfies. `seen` is found at every event
/// `odd`.
inline constexpr std::string_view properties = R"(
watch  seen    : some flow at odd contains odd
forbid wrong   : some flow contains impossible
require opened : every flow at close contains open
forbid both    : possibly r0.busy == 1 and r8.busy == 1
)";

inline constexpr std::uint32_t processes = 16;
/// Events of each process in a round.
inline constexpr std::uint32_t per_round = 3;

/// The heading that names all processes, and their initial states.
[[nodiscard]] std::string beginning(const std::string& execution);
/// Adds the lines of one process in one round: something it does, a receive, a send. One in `odd`
/// rounds it does what `seen` looks for.
void add_round(std::string& to, std::uint32_t process, std::uint64_t round, std::uint64_t odd);

}  // namespace lightcone::load
