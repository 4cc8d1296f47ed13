// The one JSON document that a command prints for other programs.
#pragma once

#include <nlohmann/json.hpp>

namespace lightcone::cli {

/// An object that starts with the version of what it says.
[[nodiscard]] inline nlohmann::ordered_json json_document() { return {{"lightcone", 1}}; }

/// Prints the document on one line; bytes of names that are not UTF-8 become U+FFFD.
void print_json(const nlohmann::ordered_json& document);

}  // namespace lightcone::cli
