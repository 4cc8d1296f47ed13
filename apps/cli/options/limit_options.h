// Options that limit the visit of a lattice, for all commands that visit one.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/error.h>
#include <lightcone/states.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lightcone::cli {

/// Which limit ended a visit that took this long: `states` or `time`.
[[nodiscard]] inline std::string_view limit_hit(const Limits& limits, double seconds) {
  return seconds >= limits.seconds ? "time" : "states";
}

/// Returns whether there is room for this many tables of a level.
[[nodiscard]] bool have_room(const Limits& limits, const Computation& computation,
                             const Selection& relevant, std::uint64_t tables);

/// What the user said about limits.
struct LimitOptions {
  std::string states = "none", time = "60", memory = "4G";

  void define(CLI::App& app);
  /// The limits, or what is wrong with them.
  [[nodiscard]] Expected<Limits> limits() const;
};

/// `250`, `10k`, `2.5M`, `1G`, `2T`, or `none` for as much as there is.
[[nodiscard]] Expected<std::uint64_t> parse_limit(const std::string& option,
                                                  const std::string& text);

}  // namespace lightcone::cli
