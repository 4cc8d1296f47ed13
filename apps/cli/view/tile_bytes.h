// A tile of the diagram as the page reads it.
#pragma once

#include <lightcone/view/tile.h>

#include <string>

namespace lightcone::cli {

/// Marks of a listed event.
enum class EventMark : unsigned char {
  sends = 1,       ///< a message leaves at it
  in_transit = 2,  ///< nobody receives that message
  labelled = 4,
  assigns = 8,  ///< it changes a variable, or assigns it again
};

/// What an event is called where there is room: its labels, or its text. Long ones are cut off.
[[nodiscard]] std::string caption_of(const Computation& computation, Row row);

/// Packs the tile: what is listed by process and rank, with positions; what is counted as it is.
[[nodiscard]] std::string tile_bytes(const SpaceTime& space_time, const TileQuery& query,
                                     std::uint64_t version);

}  // namespace lightcone::cli
