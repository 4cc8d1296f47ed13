// The format of a file, by what is in it.
#pragma once

#include <lightcone/error.h>
#include <lightcone/trace.h>

#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// The format that the beginning of a file shows; nothing where it shows none.
[[nodiscard]] std::optional<Format> format_in(std::string_view beginning);

/// The format that options tell, since no other has them: a map, or an expression without a clock.
[[nodiscard]] std::optional<Format> format_told_by(const ReadOptions& options);

/// The format of a file: by its content where that shows it, else by its extension. Only regular
/// files and standard input (`-`) are looked into.
[[nodiscard]] Expected<Format> detect_format(const std::string& path);

}  // namespace lightcone
