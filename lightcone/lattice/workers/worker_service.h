// What the workers other than 0 do: whatever worker 0 asks of them.
#pragma once

#include <lightcone/lattice/workers/workers.h>

namespace lightcone {

/// On the other workers: works for worker 0 until it dismisses them; the number that it gave them.
[[nodiscard]] int serve(Workers& workers);

/// On worker 0: ends the service of the others, and tells them a number.
void dismiss(Workers& workers, int number);

}  // namespace lightcone
