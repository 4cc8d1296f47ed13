// Message races (RR-2257, section 3.4): which messages could have arrived earlier.
#pragma once

#include <lightcone/base/progress.h>
#include <lightcone/causal/computation.h>
#include <lightcone/causal/order/timestamps.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace lightcone {

/// A message at one of its receivers.
struct Reception {
  EventIndex event;
  MessageIndex message;
  friend bool operator==(const Reception&, const Reception&) = default;
};

/// The receptions that must be traced to replay this execution (Netzer and Miller): those of a
/// message that was not sent causally after the previous receive of its receiver; where labels say
/// what receives admit (`Admission`), the previous one that admits it. By event.
[[nodiscard]] std::vector<Reception> traced_receptions(const Computation& computation,
                                                       const Progress& progress = {});

/// The same for the receivers that have these timestamps.
[[nodiscard]] std::vector<Reception> traced_receptions(const Computation& computation,
                                                       const Timestamps& known);

/// Calls `visit(first, second)` for each pair of messages that one process received in this order
/// and could have received in the other: the second was not sent causally after the first was
/// received, whose receive admits it. By receiver, then by the second reception, then by the first.
/// Stops early, and returns false, when `visit` returns false.
bool for_each_racing_pair(const Computation& computation,
                          const std::function<bool(Reception first, Reception second)>& visit,
                          const Progress& progress = {});

/// A message at a process that its send names (`to`) and that never received it.
struct Unreceived {
  ProcessIndex addressee = 0;
  MessageIndex message = none;
  friend bool operator==(const Unreceived&, const Unreceived&) = default;
};

/// All of them, by addressee, then by message.
[[nodiscard]] std::vector<Unreceived> unreceived_messages(const Computation& computation);

/// Those that race: a receive of the addressee admits the message and does not precede its send, so
/// that it could have taken the message. To replay this execution it must be known that no receive
/// took them.
[[nodiscard]] std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                                        const Progress& progress = {});

/// The same for the addressees that have these timestamps.
[[nodiscard]] std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                                        const Timestamps& known);

/// Calls `visit(first, second)` for each reception and each message that its receive could have
/// taken and that its process never received. By addressee, then by the message, then by the
/// reception. Stops early, and returns false, when `visit` returns false.
bool for_each_unreceived_pair(const Computation& computation,
                              const std::function<bool(Reception first, Unreceived second)>& visit,
                              const Progress& progress = {});

/// Returns how many messages were never received and have sends that name no receiver.
[[nodiscard]] std::size_t unaddressed_messages(const Computation& computation);

}  // namespace lightcone
