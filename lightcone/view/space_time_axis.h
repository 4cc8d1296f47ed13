// Where events stand from left to right: by causal depth, by recorded time, or by file order.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// A send and an event that receives from it.
struct MessageEdge {
  EventIndex send = 0;
  EventIndex receive = 0;
  MessageIndex message = none;
  friend auto operator<=>(const MessageEdge&, const MessageEdge&) = default;
};

enum class AxisKind : std::uint8_t { depth, time, order };

/// The position of each event of a computation on one axis.
class SpaceTimeAxis {
 public:
  /// The edges are those of the computation; both must outlive the axis.
  SpaceTimeAxis(const Computation& computation, std::span<const MessageEdge> edges, AxisKind kind);

  /// The depth of an event counts from 1, and so does its place in the order. A time counts from
  /// the earliest one. An event without a time stands where the one before it in its process does;
  /// without one before it, where the first one with a time does.
  [[nodiscard]] double position(EventIndex e) const { return positions_[e]; }
  /// All events stand between these. Initial states stand at the first.
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }
  /// What position 0 means: the earliest time, or 0.
  [[nodiscard]] double origin() const { return origin_; }
  /// Returns how many events have no time of their own.
  [[nodiscard]] std::uint64_t without_time() const { return without_time_; }

  /// The events of a process that stand in [from, to), from left to right. Valid as long as the
  /// axis is.
  [[nodiscard]] std::span<const EventIndex> events_between(ProcessIndex p, double from,
                                                           double to) const;
  /// Returns how many events of a process lie before its first one right of a position.
  [[nodiscard]] Rank rank_at(ProcessIndex p, double position) const;
  /// The event of a process that stands nearest to a position; the left one of two, the first one
  /// of several at the same place. Nothing if the process has no events.
  [[nodiscard]] std::optional<EventIndex> nearest(ProcessIndex p, double position) const;

  /// Calls `function(edge)` for each message that stands in [from, to) or passes through it.
  template <class Function>
  void for_each_edge(double from, double to, Function function) const {
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (!(blocks_[block].left < to && blocks_[block].right >= from)) continue;
      const std::size_t end = std::min(edges_.size(), (block + 1) * block_edges);
      for (std::size_t i = block * block_edges; i < end; ++i) {
        const Extent extent = extent_of(edges_[i]);
        if (extent.left < to && extent.right >= from) function(edges_[i]);
      }
    }
  }

 private:
  struct Extent {
    double left = 0, right = 0;
  };
  static constexpr std::size_t block_edges = 512;

  void place_by_depth();
  void place_by_time();
  void place_by_order();
  void sort_events();
  void make_blocks();
  [[nodiscard]] Extent extent_of(const MessageEdge& edge) const {
    const double send = positions_[edge.send], receive = positions_[edge.receive];
    return send < receive ? Extent{send, receive} : Extent{receive, send};
  }

  const Computation* computation_;
  std::span<const MessageEdge> edges_;
  std::vector<double> positions_;    // of each event
  std::vector<EventIndex> sorted_;   // of each process, from left to right
  std::vector<bool> goes_backward_;  // of each process: some event stands left of one before it
  std::vector<Extent> blocks_;       // of so many edges each
  double begin_ = 0, end_ = 1, origin_ = 0;
  std::uint64_t without_time_ = 0;
};

}  // namespace lightcone
