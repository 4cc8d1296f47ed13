// Numbers and names as people read them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace lightcone {

/// The digits of a whole number in groups: `1234567` as `1,234,567`.
[[nodiscard]] std::string grouped_digits(std::string digits);

/// `1234567` as `1,234,567`.
[[nodiscard]] std::string grouped(std::uint64_t number);

/// The numbers in a text grouped: `12345 states` as `12,345 states`.
[[nodiscard]] std::string with_grouped_numbers(std::string_view text);

/// `1 event`, `2,000 events`. The plural is needed where an s does not make it.
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun,
                                  std::string_view plural = {});

/// The character that a text begins with, as a terminal shows it.
struct ShownCharacter {
  std::size_t bytes = 1;
  std::size_t columns = 1;  ///< 2 for wide ones, as of Chinese; 0 for marks on the one before
};
/// The text must not be empty. A byte that is no character takes a column.
[[nodiscard]] ShownCharacter first_shown(std::string_view text);

/// The columns that a terminal takes for a text without control characters.
[[nodiscard]] std::size_t shown_columns(std::string_view text);

/// A name from a trace made safe to show. Control characters become `?`, since they could steer
/// the terminal. What is longer than `most` columns loses its middle: `kv-nod~e-10`.
[[nodiscard]] std::string printable(std::string_view name, std::size_t most = 40);

/// The same, but with more columns where another one of these names would look the same. The name
/// itself may be among them.
template <class Names>
[[nodiscard]] std::string distinct_name(std::string_view name, std::size_t most, const Names& all) {
  constexpr std::size_t more = 8;
  for (;; most += more) {
    std::string shown = printable(name, most);
    if (shown == printable(name, SIZE_MAX)) return shown;
    const bool is_unlike = std::none_of(
        std::begin(all), std::end(all),
        [&](std::string_view other) { return other != name && printable(other, most) == shown; });
    if (is_unlike) return shown;
  }
}

}  // namespace lightcone
