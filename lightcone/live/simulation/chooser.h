// What could be different in a simulated execution, and the object that decides it.
#pragma once

#include <lightcone/live/network/parcel.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lightcone {

/// Time in a simulation, from its beginning.
using SimulatedTime = std::chrono::nanoseconds;

/// One of the things that may happen.
struct Alternative {
  enum class What : std::uint8_t {
    wakes,     ///< the process begins, or has slept long enough
    receives,  ///< the process, which waits or polls, takes the parcel
    gives_up,  ///< its poll finds nothing, or its waiting ends without a parcel
    arrives,   ///< the parcel that the process sends will arrive
    is_lost,   ///< it never will
    doubled,   ///< it will arrive twice
    goes_on,   ///< the program goes on with the alternative of this number, from 0
  };
  What what = What::wakes;
  std::string_view process;        ///< the process that it happens to
  SimulatedTime time = {};         ///< when it would happen by the delays that were drawn
  const Parcel* parcel = nullptr;  ///< if one is concerned
  std::string_view sender = {};    ///< of the parcel; empty: sent from outside
  std::uint64_t number = 0;        ///< which of its sender's parcels it is, counted from 1;
                                   ///< goes_on: which alternative
  bool copy = false;               ///< the second one of a parcel that was doubled
  std::string_view mailbox = {};   ///< where the process waits
};

/// A question with at least one answer; valid while it is asked.
struct Choice {
  enum class Kind : std::uint8_t {
    next,    ///< what happens next, now that every process waits: wakes, receives, gives_up
    fate,    ///< what becomes of a parcel that is being sent: arrives, is_lost, doubled
    branch,  ///< how the program goes on: goes_on
  };
  Kind kind = Kind::next;
  std::string_view process = {};  ///< fate: the sender; branch: who goes on
  std::span<const Alternative> alternatives;
};

/// Decides everything that could have been different. Asked also where there is only one
/// alternative, so that it sees all that happens.
class Chooser {
 public:
  virtual ~Chooser() = default;
  /// The index of an alternative, or nothing to end the execution here. The same answers to the
  /// same questions give the same execution. It must not throw, and must not call the network; a
  /// question of kind fate or branch is asked on the stack of the process concerned.
  [[nodiscard]] virtual std::optional<std::size_t> choose(const Choice& choice) = 0;
};

}  // namespace lightcone
