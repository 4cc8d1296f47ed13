// A process that has stopped for a debugger.
#pragma once

namespace lightcone {

/// Waits until a debugger has come, and stops in it.
void stand_for_debugger();

}  // namespace lightcone
