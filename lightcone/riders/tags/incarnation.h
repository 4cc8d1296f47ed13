// The incarnations of a process: under one name it runs, ends or is killed, and is started again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone {

/// Incarnations are counted from 1 to this.
inline constexpr std::uint32_t most_incarnations = 1'000'000;

/// A process's name without the number of its incarnation, and that number.
struct Incarnation {
  std::string_view name;
  std::uint32_t number = 1;
};

/// What a process is called in tags, traces and journals: each incarnation is a process of its own.
/// The first has the name alone, the others `~` and a number after it.
[[nodiscard]] std::string identity_of(std::string_view name, std::uint32_t incarnation);

/// The same for a name that ends with a digit.
[[nodiscard]] Incarnation incarnation_with_digit(std::string_view identity);

/// The reverse. Whatever does not end like a later incarnation is a first one.
[[nodiscard]] inline Incarnation incarnation_of(std::string_view identity) {
  const char last = identity.empty() ? '\0' : identity.back();
  return last >= '0' && last <= '9' ? incarnation_with_digit(identity) : Incarnation{identity, 1};
}

}  // namespace lightcone
