// What could be different in a simulated execution, and the object that decides it.
#pragma once

#include <lightcone/simulation.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lightcone {

/// One of the things that may happen.
struct Alternative {
  enum class What : std::uint8_t {
    wakes,     ///< the process begins, or has slept long enough
    receives,  ///< the process, which waits or polls, takes the parcel
    gives_up,  ///< its poll finds nothing, or its waiting ends without a parcel
    arrives,   ///< the parcel that the process sends will arrive
    is_lost,   ///< the parcel will never arrive
    doubled,   ///< the parcel will arrive twice
    goes_on,   ///< the program continues with the alternative of this number, from 0
  };
  What what = What::wakes;
  std::string_view process;        ///< the process that it happens to
  SimulatedTime time = {};         ///< when it would happen, according to the random delays
  const Parcel* parcel = nullptr;  ///< the parcel, if there is one
  std::string_view sender = {};    ///< the sender of the parcel; empty if it was sent from outside
  std::uint64_t number = 0;        ///< its number among the parcels of its sender, counted from 1;
                                   ///< goes_on: which alternative
  bool copy = false;               ///< the second one of a parcel that was doubled
  std::string_view mailbox = {};   ///< where the process waits
};

/// A question with at least one answer; valid while it is asked.
struct OpenChoice {
  enum class Kind : std::uint8_t {
    next,    ///< what happens next, now that every process waits: wakes, receives, gives_up
    fate,    ///< what happens to a parcel that is being sent: arrives, is_lost, doubled
    branch,  ///< how the program continues: goes_on
  };
  Kind kind = Kind::next;
  std::string_view process = {};  ///< fate: the sender; branch: the process that continues
  std::span<const Alternative> alternatives;
};

/// Decides everything that could be different. It is also asked if there is only one alternative,
/// so that it sees all that happens.
class Chooser {
 public:
  virtual ~Chooser() = default;
  /// Returns the index of an alternative, or nothing to end the execution here. The same answers to
  /// the same questions give the same execution. It must not throw, and must not call the network.
  /// Questions of kind fate or branch are asked on the stack of the process concerned.
  [[nodiscard]] virtual std::optional<std::size_t> choose(const OpenChoice& choice) = 0;
};

}  // namespace lightcone
