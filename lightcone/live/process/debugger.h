// A process that stands where it was told to, for someone to look at it.
#pragma once

namespace lightcone {

/// Waits until a debugger has come, and stops in it.
void stand_for_debugger();

}  // namespace lightcone
