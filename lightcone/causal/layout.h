// Lays arrived events out by process, and checks that they form a computation.
#pragma once

#include <lightcone/causal/arrivals.h>
#include <lightcone/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// Where an arrival is: which of the chunks, and which row of it.
struct ArrivalPlace {
  std::size_t chunk = 0;
  std::size_t row = 0;
};

/// How a receive whose message is never sent is treated.
enum class Unsent { error, make_internal };

/// A receive that waits for a send.
struct Wait {
  ArrivalPlace receive;
  MessageIndex message = none;
  ArrivalPlace send;
};

/// Why arrivals are no computation.
struct LayoutError {
  enum class Why { sent_twice, unsent, received_twice, cycle, late_initial, too_many };
  Why why = Why::cycle;
  ArrivalPlace where;
  MessageIndex message = none;
  std::vector<Wait> cycle;  ///< each send stands at or after the receive of the next
};

/// Lays out `chunks`; messages are numbered below `messages`, processes below `processes`.
[[nodiscard]] tl::expected<Columns, LayoutError> lay_out(std::span<const Arrivals> chunks,
                                                         std::uint32_t processes,
                                                         std::uint32_t messages);

/// The arrival that became this event.
[[nodiscard]] ArrivalPlace place_of(std::span<const Arrivals> chunks, const Columns& columns,
                                    EventIndex e);

}  // namespace lightcone
