// Names of messages as a prefix and a number: most programs count their messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone {

/// A message name split into a prefix and a trailing number: programs count their messages, and
/// a pair of integers is smaller and faster than a string. `number` is `no_number` where the name
/// does not end in a digit; leading zeros stay in the prefix, so that the split loses nothing.
struct SplitName {
  static constexpr std::uint64_t no_number = UINT64_MAX;
  std::string_view prefix;
  std::uint64_t number = no_number;
};
[[nodiscard]] SplitName split_name(std::string_view name);
[[nodiscard]] std::string join_name(SplitName name);

}  // namespace lightcone
