// Inevitable states that existed in physical time.
#pragma once

#include <lightcone/lattice/visit/inevitable.h>

#include <span>
#include <vector>

namespace lightcone {

/// Those of the inevitable states whose local states coexisted at some instant: each had begun
/// before any other of them was over, without assuming that processes start and end together
/// (RR-2194, 3.3: neither H⁰ nor Hˡᵃˢᵗ). That a process had started is known where one of its
/// events is; it ends after all of its events, relevant or not. The group has all processes of the
/// level's events, and may have others: these stay in one local state, which counts as well.
[[nodiscard]] InevitableStates physically_inevitable(const InevitableStates& inevitable,
                                                     std::span<const ProcessIndex> group);
/// The same for the group of all processes.
[[nodiscard]] InevitableStates physically_inevitable(const InevitableStates& inevitable);

}  // namespace lightcone
