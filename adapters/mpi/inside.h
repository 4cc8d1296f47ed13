// Says that a call of the program is being handled.
#pragma once

namespace lightcone::mpi {

/// While one lives, calls of the same thread are the MPI's own, or ours.
class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

}  // namespace lightcone::mpi
