// Values that are fetched from windows of memory. Others may be changing them.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "calls/packed_message.h"

namespace lightcone::mpi {

class MpiProcess;
struct Request;

/// Values that are under way to this place.
class Fetch {
 public:
  Fetch(const char* call, void* to, MPI_Count count, MPI_Datatype type, int target)
      : call_(call), to_(to), count_(count), type_(type), target_(target) {}
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;

  [[nodiscard]] int target() const { return target_; }
  /// They have come: they are entered, or replaced by those that were recorded. With digests, this
  /// is an event.
  void complete(MpiProcess& rank) const;

 private:
  const char* call_;
  void* to_;
  MPI_Count count_;
  KeptType type_;
  int target_;
};

/// With digests: an event that says what was read out of a window or put into one. It has the call
/// and these as labels.
void note_access(MpiProcess& rank, const char* call, std::span<const Buffer> buffers,
                 std::vector<std::string> labels = {});

/// The request, if it is one of a fetch, is over.
void complete_fetch(MpiProcess& rank, Request& request);

/// The program makes a call whose values are not recorded. It is ended, unless the user has
/// accepted that.
void refuse_unrecorded(MpiProcess& rank, const char* call);

}  // namespace lightcone::mpi
