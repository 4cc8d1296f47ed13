// Says that a call of the program is being handled.
#pragma once

#include <cstdint>

// Libraries read clocks when they begin, which may be before an address sanitizer has begun.
#define LIGHTCONE_CALLED_EARLY __attribute__((no_sanitize("address")))

namespace lightcone::mpi {

/// While one lives, calls of the same thread are the MPI's own, or ours.
class Inside {
 public:
  /// `call`: its name, if it may have to wait for others.
  explicit Inside(const char* call = nullptr);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

/// While one lives, the call at hand does not count as one that waits: it goes on by itself.
class GoesOn {
 public:
  GoesOn();
  ~GoesOn();
  GoesOn(const GoesOn&) = delete;
  GoesOn& operator=(const GoesOn&) = delete;

 private:
  const char* call_;
};

/// A call that is being handled, as another thread sees it.
struct CallAtHand {
  const char* name = nullptr;  ///< none: the program is not in a call that may have to wait
  std::uint64_t number = 0;    ///< calls so far
  friend bool operator==(const CallAtHand&, const CallAtHand&) = default;
};
[[nodiscard]] CallAtHand call_at_hand();
/// Returns whether this thread is inside of a call of the program that is being handled.
[[nodiscard]] bool is_inside_of_call();

}  // namespace lightcone::mpi
