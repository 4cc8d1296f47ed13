// How much of the communication of a computation its observed events show (RR-2595, section 5).
#pragma once

#include <lightcone/property/states/observer.h>

#include <cstdint>
#include <span>

namespace lightcone {

/// From the least that can be assumed to the most.
enum class Visibility : std::uint8_t {
  any,             ///< nothing
  participation,   ///< between a receive and a send of a process there is an observed event
  communications,  ///< and between a receive and the next one, too; receives take one message
};

/// The most that holds for a computation when the events at which `labelled` holds are observed.
[[nodiscard]] Visibility visibility(const Computation& computation, std::span<const Scene> scenes,
                                    const Observer& observer, std::uint32_t labelled);

}  // namespace lightcone
