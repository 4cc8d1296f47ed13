// What the ranks other than 0 do: they serve rank 0.
#pragma once

#include <lightcone/lattice/workers/ranks.h>

namespace lightcone {

/// On the other ranks: works for rank 0 until it dismisses them; the number that it gave them.
[[nodiscard]] int serve(Ranks& ranks);

/// On rank 0: ends the service of the others, and tells them a number.
void dismiss(Ranks& ranks, int number);

}  // namespace lightcone
