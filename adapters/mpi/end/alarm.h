// A process that ends the program wakes the others of its host, so that they write what they keep.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lightcone::mpi {

/// An MPI may kill all processes as soon as one of them fails. Nothing is written to raise it: all
/// wait at the same place of a file that each of them has.
class Alarm {
 public:
  /// `file`: one that is there, and the same for all. Where it cannot be mapped, nobody is woken.
  explicit Alarm(const std::string& file);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// Waits so long. Returns whether it was raised meanwhile.
  bool wait(std::chrono::milliseconds longest) const;
  /// Wakes all, and waits until they wait again, which they do after they have written. Not longer
  /// than a fifth of a second.
  void raise() const;

 private:
  const std::uint32_t* word_ = nullptr;
};

}  // namespace lightcone::mpi
