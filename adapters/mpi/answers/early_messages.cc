// Looks at a message before it is taken: its sender may not want that.
#include "answers/early_messages.h"

#include <utility>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

/// Returns whether the MPI puts the beginning of a message into a buffer that is too small for it.
/// MPICH does this only if the process has sent it to itself; then the status has the length of the
/// beginning.
[[nodiscard]] bool gives_beginning(const EarlyMessage& message) {
#ifdef MPICH_VERSION
  int is_inter = 0, self = 0;
  LIGHTCONE_REAL(Comm_test_inter)(message.comm, &is_inter);
  LIGHTCONE_REAL(Comm_rank)(message.comm, &self);
  return is_inter == 0 && message.status.MPI_SOURCE == self;
#else
  static_cast<void>(message);
  return true;
#endif
}

/// Lets the MPI say what it does with a message that is longer than its buffer: it is sent again,
/// by the process to itself.
[[nodiscard]] int receive_again(EarlyMessage& message, const Buffer& buffer) {
  const bool has_beginning = gives_beginning(message);
  MPI_Request request = MPI_REQUEST_NULL;
  LIGHTCONE_REAL(Isend)
  (message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_PACKED, 0, 0, quiet_comm(),
   &request);
  const Buffer to = has_beginning ? buffer : Buffer{nullptr, 0, MPI_BYTE};
  MPI_Status status;
#if MPI_VERSION >= 4
  const int result = LIGHTCONE_REAL(Recv_c)(to.at, to.count, to.type, 0, 0, quiet_comm(), &status);
#else
  const int result =
      LIGHTCONE_REAL(Recv)(to.at, static_cast<int>(to.count), to.type, 0, 0, quiet_comm(), &status);
#endif
  LIGHTCONE_REAL(Wait)(&request, MPI_STATUS_IGNORE);
  const Channel from = message.from();
  if (has_beginning) message.status = status;
  message.status.MPI_SOURCE = from.source;
  message.status.MPI_TAG = from.tag;
  const bool is_said = result != MPI_SUCCESS && !message.is_quiet;
  if (is_said) LIGHTCONE_REAL(Comm_call_errhandler)(message.comm, result);
  return result;
}

/// The length of a message in bytes; negative if it is longer than an int can say.
[[nodiscard]] int length_of(const MPI_Status& status) {
  int length = 0;
  LIGHTCONE_REAL(Get_count)(&status, MPI_BYTE, &length);
  return length;
}

}  // namespace

void EarlyMessage::copy() {
  if (!is_long()) return;
  bytes.resize(static_cast<std::size_t>(length_of(status)));
  LIGHTCONE_REAL(Imrecv)
  (bytes.data(), static_cast<int>(bytes.size()), MPI_PACKED, &handle, &coming);
  handle = MPI_MESSAGE_NULL;
}

int EarlyMessage::deliver(const Buffer& buffer, MPI_Status* to) {
  if (is_long()) {
#if MPI_VERSION >= 4
    return LIGHTCONE_REAL(Mrecv_c)(buffer.at, buffer.count, buffer.type, &handle, to);
#else
    return LIGHTCONE_REAL(Mrecv)(buffer.at, static_cast<int>(buffer.count), buffer.type, &handle,
                                 to);
#endif
  }
  if (!delivered) {
    if (coming != MPI_REQUEST_NULL) LIGHTCONE_REAL(Wait)(&coming, MPI_STATUS_IGNORE);
    const bool fits = unpack_first({bytes.data(), bytes.size()}, buffer);
    delivered = fits ? MPI_SUCCESS : receive_again(*this, buffer);
  }
  *to = status;
  return *delivered;
}

int EarlyMessage::begin(const Buffer& buffer, MPI_Request* request) {
#if MPI_VERSION >= 4
  return LIGHTCONE_REAL(Imrecv_c)(buffer.at, buffer.count, buffer.type, &handle, request);
#else
  return LIGHTCONE_REAL(Imrecv)(buffer.at, static_cast<int>(buffer.count), buffer.type, &handle,
                                request);
#endif
}

namespace {

[[nodiscard]] Receive wanted_from(int source, int tag) {
  return {source == MPI_ANY_SOURCE ? any : source, tag == MPI_ANY_TAG ? any : tag};
}

}  // namespace

EarlyMessages::Where EarlyMessages::look_for(const Receiving& receiving, int source, int tag) {
  const Receive wanted = wanted_from(source, tag);
  Queues& queues = by_communicator_[receiving.communicator];
  if (queues.find(wanted.source, wanted.tag) != nullptr) return Where::here;
  for (;;) {
    MPI_Status status;
    int is_there = 0;
    LIGHTCONE_REAL(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, receiving.comm, &is_there, &status);
    if (is_there == 0) return Where::nowhere;
    if (wanted.accepts({status.MPI_SOURCE, status.MPI_TAG})) return Where::at_mpi;
    if (!keep(queues, receiving, status)) return Where::at_mpi;
  }
}

const EarlyMessage& EarlyMessages::first(const Receiving& receiving, int source, int tag) {
  const Receive wanted = wanted_from(source, tag);
  return *by_communicator_[receiving.communicator].find(wanted.source, wanted.tag);
}

std::shared_ptr<EarlyMessage> EarlyMessages::take(const Receiving& receiving, int source, int tag) {
  const Receive wanted = wanted_from(source, tag);
  auto taken = std::make_shared<EarlyMessage>(
      by_communicator_[receiving.communicator].take(wanted.source, wanted.tag));
  if (taken->is_long()) {
    --handles_;
  } else {
    bytes_ -= taken->bytes.size() + bytes_of_each;
  }
  return taken;
}

/// Takes the message that a probe has found. Returns whether it could.
bool EarlyMessages::keep(Queues& queues, const Receiving& receiving, const MPI_Status& status) {
  using Early = Standings::Early;
  const Early early = standings_.early(receiving.communicator->world_rank(status.MPI_SOURCE));
  const int length = length_of(status);
  if (early == Early::nothing || length < 0) return false;
  const Channel from{status.MPI_SOURCE, status.MPI_TAG};
  if (early == Early::match || length > longest_copy) {
    if (handles_ >= most_handles) return false;
    EarlyMessage message{.comm = receiving.comm, .status = status};
    int is_there = 0;
    LIGHTCONE_REAL(Improbe)
    (from.source, from.tag, receiving.comm, &is_there, &message.handle, &message.status);
    if (is_there == 0) return false;
    ++handles_;
    queues.add(from, std::move(message));
    return true;
  }
  if (bytes_ >= most_bytes) return false;
  bytes_ += static_cast<std::size_t>(length) + bytes_of_each;
  EarlyMessage& kept = queues.add(from, {.comm = receiving.comm, .status = status});
  kept.bytes.resize(static_cast<std::size_t>(length));
  LIGHTCONE_REAL(Irecv)
  (kept.bytes.data(), length, MPI_PACKED, from.source, from.tag, receiving.comm, &kept.coming);
  int is_over = 0;
  LIGHTCONE_REAL(Test)(&kept.coming, &is_over, MPI_STATUS_IGNORE);
  return true;
}

}  // namespace lightcone::mpi
