// The page itself, one HTML file that the build makes from viewer/.
#pragma once

#include <string_view>

namespace lightcone::cli {

/// The page without data: it asks the server it came from.
[[nodiscard]] std::string_view view_page();

/// Where an exported page has its data instead of this text.
inline constexpr std::string_view embedded_data_mark = "LIGHTCONE-EMBEDDED-DATA";

}  // namespace lightcone::cli
