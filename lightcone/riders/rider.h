// What every rider is: it sees the events of one process, and rides on its messages.
#pragma once

#include <lightcone/property/states/observer.h>

#include <concepts>
#include <limits>
#include <span>

namespace lightcone {

/// An event, as a rider sees it.
struct Step {
  Scene scene = 0;
  /// In seconds, for riders that read times; not a number where the event has none.
  double time = std::numeric_limits<double>::quiet_NaN();
};

/// A rider belongs to one process. It is told of each event, gives the tag of a message that leaves
/// at the event it was told of last, and takes the tags of the messages that an event receives.
/// Neither the transport nor whether the process is alive or recorded makes a difference to it.
template <class R>
concept Rider = requires(R& rider, const Step& step, std::span<const typename R::Tag* const> tags) {
  typename R::Tag;
  rider.start(step);          // the initial state
  rider.event(step);          // an internal event, or a send
  rider.receive(step, tags);  // an event that receives
  { rider.tag() } -> std::convertible_to<typename R::Tag>;
};

}  // namespace lightcone
