// Finds events by what they carry, or by an expression of the property language.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/trace.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace lightcone {

/// Where to look.
enum class SearchKind : std::uint8_t {
  any,        ///< labels, texts, sources and names of processes
  label,      ///< labels of events
  process,    ///< names of processes; a hit is the initial state
  text,       ///< texts of events
  expression  ///< the states in which a local predicate holds, as after `label x =`
};

/// What was found: events, or initial states (rank 0), by process and rank.
struct SearchHits {
  std::uint64_t count = 0;
  std::vector<EventPlace> places = {};  ///< the first ones
};

/// Looks for a part of a name, in capitals or not; or for states in which an expression holds. At
/// most `most` places are listed. Returns an error if the expression is wrong.
[[nodiscard]] Expected<SearchHits> search_events(const Reading& reading, SearchKind kind,
                                                 std::string_view words, std::size_t most);

}  // namespace lightcone
