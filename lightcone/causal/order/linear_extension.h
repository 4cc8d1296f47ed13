// Linear extensions: total orders of the events that respect happened-before.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// What orders events, before there is a Computation: processes as ranges, and message edges.
struct CausalRelation {
  std::span<const EventIndex> first;  ///< one more than processes
  std::span<const ProcessIndex> process_of;
  std::span<const std::uint32_t> takes_begin;
  std::span<const MessageIndex> takes;
  std::span<const EventIndex> sent_by;
};

/// Either an order of all events, or (when there is none) the events of a cycle, each waiting for
/// the next one's process, the last one for the first one's.
struct OrderOrCycle {
  std::vector<EventIndex> order;
  std::vector<EventIndex> cycle;
};

/// The linear extension that follows `preferred` (all events, those of a process in order) and
/// departs from it only to put sends before their receives.
[[nodiscard]] OrderOrCycle order_causally(const CausalRelation& relation,
                                          std::span<const EventIndex> preferred);

/// A linear extension in which, at each step, every process that can go on is equally likely to.
[[nodiscard]] std::vector<EventIndex> random_linear_extension(const Computation& computation,
                                                              std::uint64_t seed);

[[nodiscard]] bool is_linear_extension(const Computation& computation,
                                       std::span<const EventIndex> order);

}  // namespace lightcone
