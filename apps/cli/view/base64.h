// Bytes as text that may stand in a page.
#pragma once

#include <string>
#include <string_view>

namespace lightcone::cli {

/// The bytes in base 64, padded.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace lightcone::cli
