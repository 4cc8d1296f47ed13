// Reads the limits of a visit from a command line.
#include "options/limit_options.h"

#include <fmt/format.h>
#include <lightcone/lattice/order/level.h>

#include <charconv>
#include <cmath>

#include "print/terminal.h"

namespace lightcone::cli {
namespace {

[[nodiscard]] double unit_of(char letter) {
  switch (letter | 0x20) {
    case 'k': return 1e3;
    case 'm': return 1e6;
    case 'g': return 1e9;
    case 't': return 1e12;
    default: return 1;
  }
}

/// A number that is not negative, maybe with a unit.
[[nodiscard]] Expected<double> parse_amount(const std::string& option, const std::string& text,
                                            bool with_unit) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  const double unit = with_unit && !text.empty() ? unit_of(text.back()) : 1;
  const char* const end = text.data() + text.size() - (unit > 1 ? 1 : 0);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value) || value < 0) {
    return failure(fmt::format("{}: `{}` is not a limit", option, printable(text)), {}, 0,
                   with_unit ? "as in 250, 10k, 2.5M, 1G, or none"
                             : "a number of seconds, as in 0.5 or 60, or none");
  }
  return value * unit;
}

}  // namespace

Expected<std::uint64_t> parse_limit(const std::string& option, const std::string& text) {
  const auto amount = parse_amount(option, text, true);
  if (!amount) return failure(amount.error());
  return *amount >= 0x1p64 ? UINT64_MAX : static_cast<std::uint64_t>(*amount);
}

bool have_room(const Limits& limits, const Computation& computation, const Selection& relevant,
               std::uint64_t tables) {
  return tables * bytes_of_level(computation, relevant) <= limits.bytes;
}

Expected<Limits> LimitOptions::limits() const {
  const auto most_states = parse_limit("--limit-states", states);
  if (!most_states) return failure(most_states.error());
  const auto seconds = parse_amount("--limit-time", time, false);
  if (!seconds) return failure(seconds.error());
  const auto bytes = parse_limit("--limit-memory", memory);
  if (!bytes) return failure(bytes.error());
  return Limits{*most_states, *seconds, *bytes};
}

}  // namespace lightcone::cli
