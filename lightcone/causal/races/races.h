// Message races (RR-2257, section 3.4): which messages could have arrived earlier.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/progress.h>

#include <cstddef>
#include <vector>

namespace lightcone {

/// Returns the traced receptions of the receivers that have these timestamps.
[[nodiscard]] std::vector<Reception> traced_receptions(const Computation& computation,
                                                       const Timestamps& known);

/// The messages that race although they were never received: a receive of the addressee admits the
/// message and does not precede its send, so that it could have taken the message. To replay this
/// execution it must be known that no receive took them.
[[nodiscard]] std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                                        const Progress& progress = {});

/// The same for the addressees that have these timestamps.
[[nodiscard]] std::vector<Unreceived> racing_unreceived(const Computation& computation,
                                                        const Timestamps& known);

/// Returns how many messages were never received and have sends that name no receiver.
[[nodiscard]] std::size_t unaddressed_messages(const Computation& computation);

}  // namespace lightcone
