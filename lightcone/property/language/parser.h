// Parses property files into their syntax tree (docs/properties.md).
#pragma once

#include <lightcone/property/language/syntax.h>

#include <string>
#include <string_view>

namespace lightcone {

/// Parses a property file; `file` stands for it in error messages.
[[nodiscard]] Expected<Properties> parse_property_syntax(std::string_view text,
                                                         const std::string& file);

/// Parses one atom of a pattern: `a`, `!a`, `[a b]`, `[^a b]`, `.`, `who:a`; `file` stands for
/// where it was written.
[[nodiscard]] Expected<Atom> parse_atom(std::string_view text, const std::string& file);

/// Reads and parses a property file.
[[nodiscard]] Expected<Properties> read_property_syntax(const std::string& path);

}  // namespace lightcone
