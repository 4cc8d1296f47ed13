// Which messages must go so that no event waits for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// A message from an event to another one. Events are numbered process by process, in their order.
struct EventEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// The events of processes, in an order in which none stands before one that it waits for. All of
/// them, or if there is a cycle, those that wait for none.
/// `first` has the first event of each process, and the end of the last.
[[nodiscard]] std::vector<std::uint32_t> causal_order(std::span<const std::uint32_t> first,
                                                      std::span<const EventEdge> edges);

/// Which edges are dropped, if they are taken one after the other, in this order, and one that
/// closes a cycle with those before it and with the order of the processes is dropped. Nothing, if
/// that would take too long: the events of very many processes wait for each other.
[[nodiscard]] std::optional<std::vector<bool>> cycle_closing_edges(
    std::span<const std::uint32_t> first, std::span<const EventEdge> edges);

}  // namespace lightcone
