// Success without a value, at no cost.
#pragma once

#include <lightcone/error.h>

namespace lightcone {

/// Returns success, for functions that are called with every event. After `return {}`, GCC writes
/// zeros over the room for an error, which takes longer than many of these functions. It does not
/// where the constructor cannot be evaluated while compiling, as here.
[[nodiscard]] inline Expected<void> success() {
  struct Success : Expected<void> {
    Success() noexcept {}  // NOLINT: not the same as `= default`
  };
  return Success();
}

}  // namespace lightcone
