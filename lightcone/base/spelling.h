// Finds the word that a misspelt word may mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Returns how many letters must be added, removed, changed or swapped with their neighbour to turn
/// one word into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to this one, if it is near enough to be meant.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      const std::vector<std::string>& known);

/// `did you mean …?` with the nearest known word; empty where none is near enough.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

}  // namespace lightcone
