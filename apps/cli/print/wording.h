// Numbers and sentences as people read them.
#pragma once

#include <lightcone/base/wording.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace lightcone::cli {

/// `grouped` for digits of any number; where they are many, about how large it is: `1.07 * 10^301`.
[[nodiscard]] std::string short_number(std::string_view digits);

/// `part` of `whole` in percent: `43%`, and `<1%` rather than a `0%` that is not none.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

/// A number cut to three digits: `12.3 M`.
[[nodiscard]] std::string roughly(double number);

/// A size of a file: `12.3 MB`.
[[nodiscard]] std::string byte_size(std::uint64_t bytes);

/// Text broken at spaces into lines of at most `width` columns; all but the first start with
/// `indent` spaces. Line breaks of the text stay.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

/// A bar as long as `part` of `whole`, of at most `width` columns.
[[nodiscard]] std::string bar(std::uint64_t part, std::uint64_t whole, std::size_t width,
                              bool unicode);

}  // namespace lightcone::cli
