// Text that came from a trace, as an SVG may hold it: valid XML, of a width known in advance.
#pragma once

#include <string>
#include <string_view>

namespace lightcone::cli {

/// Valid UTF-8 that no XML parser refuses: what is not, controls, and marks that would turn the
/// direction of the text become `?`. Line breaks become spaces, unless they are to stay.
[[nodiscard]] std::string safe_text(std::string_view text, bool keep_lines = false);

/// The columns that safe text takes in a font of fixed width; wide characters take two.
[[nodiscard]] std::size_t svg_columns(std::string_view safe);

/// Safe text of at most `most` columns; what was cut off is shown by `…`.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

/// Returns whether a font of fixed width may lack a character of this text and take it from
/// another, so that its width is only known if it is set.
[[nodiscard]] bool may_change_font(std::string_view safe);

/// Safe text with the characters of markup replaced, for elements and attributes.
[[nodiscard]] std::string escaped(std::string_view safe);

}  // namespace lightcone::cli
