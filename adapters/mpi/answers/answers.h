// Who answers the calls of an MPI process: the world, whose answers are recorded; a journal; or a
// controller. Call handlers ask it and do not know which of these it is.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answers/function_ref.h"
#include "calls/packed_message.h"
#include "calls/requests.h"
#include "process/communicators.h"

namespace lightcone::mpi {

struct EarlyMessage;

/// A message that a call sends.
struct Sending {
  const char* call = nullptr;
  Communicator* communicator = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int to = 0, tag = 0;
  Buffer data = {};
  bool standard = false;  ///< it may be buffered, or wait for its receive
};

/// A message that a call receives or looks for, as the program asks for it.
struct Receiving {
  const char* call = nullptr;
  Communicator* communicator = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int source = 0, tag = 0;  ///< as the MPI has them
  Buffer buffer = {};
  bool sends = false;  ///< the call sends a message, too
};

/// A message that a probe took out of the queue.
struct TakenMessage {
  Communicator* communicator = nullptr;
  std::shared_ptr<Receive> receive = {};
  std::shared_ptr<EarlyMessage> early = {};  ///< in a replay: the message, if the handle is none
};

/// Tells the places that a call fills in, where someone wants to know.
using ResultPlaces = FunctionRef<std::vector<Buffer>()>;

/// The answers of one process. A call that has been checked comes here, and what this returns is
/// the result of the call.
class Answers {
 public:
  virtual ~Answers() = default;

  // Sends. `real` makes the call of the program.
  /// `synchronous` is the same call that waits for its receive; `request` is null if the call has
  /// none.
  virtual int send(const Sending& sending, MPI_Request* request, FunctionRef<int()> real,
                   FunctionRef<int()> synchronous) = 0;
  /// Starts a persistent send.
  virtual int start_send(const char* call, Request& request, MPI_Request* handle) = 0;
  /// The send of a call that receives, too. Returns the rank that the MPI is to send to; nothing if
  /// the MPI will refuse the call.
  [[nodiscard]] virtual std::optional<int> send_beside(const Sending& sending) = 0;
  /// After such a call: waits for what it sent, or returns what its request has to wait for.
  virtual void end_beside(const Sending& sending) = 0;
  [[nodiscard]] virtual SentMessage begun_beside(const Sending& sending) = 0;
  /// The rank that the MPI is to know for a request that is made and started later.
  [[nodiscard]] virtual int peer_of_made(int rank) const = 0;

  // Receives and probes. `real` makes the call with another source and tag.
  virtual int receive(const Receiving& receiving, MPI_Status* status,
                      FunctionRef<int(int, int, MPI_Status*)> real) = 0;
  virtual int begin_receive(const Receiving& receiving, MPI_Request* request,
                            FunctionRef<int(int, int, MPI_Request*)> real) = 0;
  virtual int start_receive(Request& request, MPI_Request* handle) = 0;
  virtual int probe(const Receiving& receiving, MPI_Status* status) = 0;
  virtual int poll_probe(const Receiving& receiving, int* flag, MPI_Status* status) = 0;
  /// These take the message out, and keep it until it is received.
  virtual int take_probe(const Receiving& receiving, MPI_Message* message, TakenMessage& taken,
                         MPI_Status* status) = 0;
  virtual int poll_take_probe(const Receiving& receiving, int* flag, MPI_Message* message,
                              TakenMessage& taken, MPI_Status* status) = 0;
  /// `is_still_there`: the MPI refused the call, and the message was not received.
  virtual int receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                            MPI_Message* message, MPI_Status* status, bool& is_still_there,
                            FunctionRef<int(MPI_Status*)> real) = 0;
  virtual int begin_receive_taken(const char* call, const TakenMessage& taken, const Buffer& buffer,
                                  MPI_Message* message, MPI_Request* request,
                                  FunctionRef<int()> real) = 0;
  /// Of requests that were started.
  virtual int start_again(const Request& request, FunctionRef<int()> real) = 0;
  virtual int cancel(Request& request, FunctionRef<int()> real) = 0;
  virtual int free_request(Request& request, MPI_Request* handle, FunctionRef<int()> real) = 0;

  // Completions: which requests are over.
  virtual int wait(const char* call, MPI_Request* request, MPI_Status* status) = 0;
  virtual int wait_all(const char* call, int count, MPI_Request* requests,
                       MPI_Status* statuses) = 0;
  virtual int wait_any(const char* call, int count, MPI_Request* requests, int* index,
                       MPI_Status* status) = 0;
  virtual int wait_some(const char* call, int count, MPI_Request* requests, int* outcount,
                        int* indices, MPI_Status* statuses) = 0;
  virtual int test(const char* call, MPI_Request* request, int* flag, MPI_Status* status) = 0;
  virtual int test_all(const char* call, int count, MPI_Request* requests, int* flag,
                       MPI_Status* statuses) = 0;
  virtual int test_any(const char* call, int count, MPI_Request* requests, int* index, int* flag,
                       MPI_Status* status) = 0;
  virtual int test_some(const char* call, int count, MPI_Request* requests, int* outcount,
                        int* indices, MPI_Status* statuses) = 0;
  virtual int get_status(const char* call, MPI_Request request, int* flag, MPI_Status* status) = 0;

  // Collective operations. `results`: the places that the process gets something in.
  virtual int meet(const Collective& collective, ResultPlaces results, FunctionRef<int()> real) = 0;
  /// Begins one; its request is in `made`, which has a description of it.
  virtual int begin_meeting(Request& made, ResultPlaces results, MPI_Request* request,
                            FunctionRef<int()> real) = 0;
  /// Makes a communicator, whose facts are told. `collective` is null if its members alone make it.
  virtual int make(const Collective* collective, const char* call, MPI_Comm parent, MPI_Comm* made,
                   CommunicatorFacts& facts, FunctionRef<int()> real) = 0;
  /// The program gives up a communicator, or what it takes for one.
  virtual void will_free(MPI_Comm) {}
  /// A request for a communicator was made.
  virtual void begin_making(Request& made) = 0;
  /// A call about neighbours, which is no event.
  virtual int meet_neighbours(const char* call, ResultPlaces results, FunctionRef<int()> real) = 0;
  virtual int begin_neighbours(Request& made, ResultPlaces results, MPI_Request* request,
                               FunctionRef<int()> real) = 0;

  // Windows.
  virtual int make_window(const char* call, MPI_Comm comm, MPI_Win* window,
                          FunctionRef<int()> real) = 0;
  virtual int free_window(const char* call, MPI_Win* window, FunctionRef<int()> real) = 0;
  /// A call that synchronises processes by a window, and what it is about.
  virtual int synchronise(const char* call, MPI_Win window, MPI_Group group,
                          FunctionRef<int()> real) = 0;
  virtual int test_window(const char* call, MPI_Win window, int* flag) = 0;
  /// A call that puts something into a window, or begins to fetch something.
  virtual int access(FunctionRef<int()> real) = 0;
  /// The same with a request. That of a fetch is described in `made`.
  virtual int begin_access(MPI_Request* request, FunctionRef<int()> real) = 0;
  virtual int begin_fetch(Request&, MPI_Request*, FunctionRef<int()> real) { return real(); }
  /// These bytes came out of a window. Returns those that were recorded instead.
  [[nodiscard]] virtual std::optional<std::string> fetched(std::string_view bytes) = 0;

  // Clocks and texts.
  /// What a clock tells the program where it says `now`.
  [[nodiscard]] virtual std::uint64_t time(int clock, std::uint64_t now) = 0;
  [[nodiscard]] virtual double seconds() = 0;  ///< as MPI_Wtime
  /// Returns whether answers are kept that the first versions did not keep. Asked before each of
  /// them.
  [[nodiscard]] virtual bool keeps_more() { return true; }
  /// Returns whether they are of the first versions of a journal, which had fewer kinds.
  [[nodiscard]] virtual bool are_old() const { return false; }
  /// A text about the machine, which the call puts into `text`.
  virtual int tell(const char* call, std::string& text, FunctionRef<int()> real) = 0;

  // The process.
  /// Values that are not recorded are accepted.
  [[nodiscard]] virtual bool accepts_unrecorded() const { return false; }
  /// The program makes a call that cannot be answered if it runs alone.
  virtual void note_not_alone(const char*) {}
  /// What receives that the program gave up have taken in the end.
  virtual void look_after() {}
  /// The process comes to its end.
  virtual void end() {}
  /// It ends before, as `how` says. `fails`: so the program ends with an error.
  virtual void ends_before_its_end(const std::string& /*how*/, bool /*fails*/) {}
  /// The communicators and groups of a process that runs alone, which the MPI does not know; else
  /// null.
  [[nodiscard]] virtual class StandIns* stand_ins() { return nullptr; }
};

}  // namespace lightcone::mpi
