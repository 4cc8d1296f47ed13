// Several pictures in one, one below the other.
#pragma once

#include <string>
#include <vector>

namespace lightcone::cli {

/// The documents must be pictures of this program: each says its size in its first line.
[[nodiscard]] std::string stacked_svg(const std::vector<std::string>& documents);

}  // namespace lightcone::cli
