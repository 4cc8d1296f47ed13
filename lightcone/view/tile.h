// What a part of the diagram shows at one level of zoom: events and messages, or how many there
// are.
#pragma once

#include <lightcone/view/space_time.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lightcone {

/// Which part to show, and how much of it is shown one by one.
struct TileQuery {
  AxisKind axis = AxisKind::depth;
  double from = 0, to = 1;           ///< positions on the axis; `to` does not belong to it
  std::uint32_t columns = 1;         ///< into how many it is divided where events are counted
  std::uint32_t bundle_columns = 8;  ///< so many columns of sends are one end of a bundle, at least
  std::size_t most_events = 0;       ///< more are counted, not listed
  std::size_t most_messages = 0;
  std::size_t most_bundles = 0;
  std::vector<ProcessIndex> processes = {};  ///< those that are seen, each once; empty: all
};

/// Messages that are shown as one line. A position is the middle of those that belong together.
struct MessageBundle {
  ProcessIndex from = 0, to = 0;
  double sent = 0, received = 0;  ///< positions
  std::uint64_t messages = 0;
  friend bool operator==(const MessageBundle&, const MessageBundle&) = default;
};

/// A part of the diagram, of the processes that are seen. Either the events are listed or they are
/// counted by column; either the messages are listed or they are bundled. Nothing is left out that
/// no count tells of.
struct Tile {
  std::uint64_t events = 0;           ///< how many stand in this part
  std::uint64_t messages = 0;         ///< how many stand in it or pass through it; by receiver
  std::uint64_t unseen_messages = 0;  ///< others, whose sender and receiver are not seen

  bool lists_events = false;
  std::vector<EventIndex> listed = {};  ///< by process as asked for, from left to right
  std::uint32_t columns = 0;
  std::vector<std::uint32_t> density = {};  ///< of each process that is seen, and column

  bool lists_messages = false;
  std::vector<MessageEdge> edges = {};
  std::vector<MessageBundle> bundles = {};  ///< the thickest first
  std::uint64_t thin_bundles = 0;           ///< those that are not among `bundles`
  std::uint64_t thin_messages = 0;          ///< the messages of these
};

/// Counts of at most this many processes and columns are in one tile; with more processes there are
/// fewer columns.
inline constexpr std::size_t most_counts = 1 << 21;

/// So often may groups of columns become twice as wide when there are too many bundles.
inline constexpr int most_doublings = 2;

/// Returns what is to be seen between two positions.
[[nodiscard]] Tile tile(const SpaceTime& space_time, const TileQuery& query);

}  // namespace lightcone
