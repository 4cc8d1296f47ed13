// What processes wait for, and how that may end.
#pragma once

#include <cstdint>

namespace lightcone {

/// What a process waits for.
struct Waiting {
  enum class What : std::uint8_t {
    ended,     ///< nothing, it makes no more moves
    ready,     ///< its turn
    receives,  ///< a message
    polls,     ///< a message, but it may also find none
  };
  What what = What::ended;
  std::uint32_t mailbox = 0;
  std::uint32_t filter = 0;  ///< of the messages in it; 0: it takes any
  friend bool operator==(const Waiting&, const Waiting&) = default;
};

/// How a process may go on.
struct WaitEnding {
  enum class What : std::uint8_t {
    wakes,    ///< it begins, or has slept long enough
    takes,    ///< it takes a message
    nothing,  ///< its poll finds nothing
    closed,   ///< it waits no longer, as no more messages will come
    forced,   ///< its poll finds nothing since nothing else can happen
  };
  What what = What::wakes;
  std::uint32_t message = 0;
};

}  // namespace lightcone
