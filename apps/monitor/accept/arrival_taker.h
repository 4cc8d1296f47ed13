// Who takes what clients send: a monitor that decides it, or one that passes it on to a stream.
#pragma once

#include "accept/arrival.h"

namespace lightcone::service {

/// Safe to use from several threads.
class ArrivalTaker {
 public:
  ArrivalTaker() = default;
  ArrivalTaker(const ArrivalTaker&) = delete;
  ArrivalTaker& operator=(const ArrivalTaker&) = delete;
  virtual ~ArrivalTaker() = default;

  /// Waits while too much is queued.
  virtual void offer(Arrival arrival) = 0;
  /// Waits until all that was offered so far is stored, and clients were answered.
  virtual void settle() = 0;
};

}  // namespace lightcone::service
