// Automata of patterns with `within`: edges that may be taken only in time.
#pragma once

#include <lightcone/error.h>
#include <lightcone/property/states/vocabulary.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace lightcone {

/// The positions of a pattern, as Glushkov's automaton has them. A run remembers the time of one
/// letter, its anchor: the letter that it read last, or, between P and Q of `P -> Q within D`, the
/// letter that ended P. An edge to the letter that begins Q has the limit D: that letter may come
/// at most D after the anchor.
struct TimedAutomaton {
  struct Edge {
    std::uint32_t to = 0;
    std::optional<double> within = {};  ///< seconds
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  struct Position {
    std::optional<Test> test = {};  ///< of its letter; none: any letter
    bool keeps_anchor = false;      ///< it stands between P and Q
    bool needs_anchor = false;      ///< whether the anchor matters for what follows
    bool is_final = false;
    std::vector<Edge> edges = {};
  };
  std::vector<Position> positions;  ///< the first is where a run starts
};

/// The automaton of a pattern. Fails when it has more than 1,024 positions.
[[nodiscard]] Expected<TimedAutomaton> timed_automaton(const Pattern& pattern,
                                                       Vocabulary& vocabulary);

}  // namespace lightcone
