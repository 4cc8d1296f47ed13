// The requests of a process that matter here, by an identity that outlives their handles.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "calls/packed_message.h"
#include "process/communicators.h"
#include "process/mpi_trace.h"

namespace lightcone::mpi {

class Fetch;
struct EarlyMessage;

/// Places in memory that are filled later, with types that stay until then.
struct KeptPlaces {
  explicit KeptPlaces(std::vector<Buffer> places);
  std::vector<Buffer> buffers;

 private:
  std::vector<std::unique_ptr<KeptType>> types_;
};

/// How messages flow in a collective operation.
enum class Direction : std::uint8_t { all, to_root, from_root, upward, neighbours };

/// A collective operation as this process takes part in it.
struct Collective {
  const char* call = nullptr;
  Communicator* communicator = nullptr;
  Direction flow = Direction::all;
  int root = 0;              ///< as given to the call
  std::uint64_t number = 0;  ///< on its communicator
  std::size_t taken = 0;     ///< explored: of the others, how many have begun it
  ContentsNote given = {};   ///< what this process gives to it
  const char* kind = "#";    ///< explored: operations of several kinds are counted apart
};

/// ExploredProcess: a message whose sender waits for its receive.
struct SentMessage {
  Communicator* communicator = nullptr;  ///< null: there is none
  int to = 0, tag = 0;
  std::uint64_t number = 0;  ///< on its channel
};

/// What a request is about. Those that are not about these are left to the MPI.
struct Request {
  enum class What : std::uint8_t { receive, send, collective, communicator, fetch, neighbours };
  What what = What::receive;
  const char* call = nullptr;
  Communicator* communicator = nullptr;
  std::shared_ptr<Receive> receive = {};

  bool persistent = false;
  bool active = true;
  bool cancelling = false;
  MPI_Comm comm = MPI_COMM_NULL;  ///< persistent or explored, like those that follow
  int rank = 0, tag = 0;          ///< of the other process, as asked for
  void* buffer = nullptr;         ///< of the program
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  bool done = false;          ///< explored: it has got its message,
  MPI_Status status = {};     ///< with this status, whose MPI_ERROR is the result
  bool acknowledged = false;  ///< explored: the sender was told which message it gets
  SentMessage sent = {};      ///< explored: it is not over before this is received

  /// In a replay: the request that the MPI knows, where the program's is only a name.
  MPI_Request stand_in = MPI_REQUEST_NULL;
  bool is_name = false;
  bool never = false;                        ///< in a replay: it does not get a message,
  bool was_cancelled = false;                ///< as it was cancelled
  std::shared_ptr<EarlyMessage> early = {};  ///< in a replay: what it gets, if that came early

  /// With contents: where they go, if they have not been kept or given yet.
  std::shared_ptr<KeptPlaces> places = {};
  bool has_contents = false;

  Collective collective = {};
  MPI_Comm* made = nullptr;  ///< the communicator that is there when it is over,
  std::string name = {};     ///< and its name
  std::shared_ptr<const Fetch> fetch = {};
};

class Requests {
 public:
  [[nodiscard]] Request* find(MPI_Request handle);
  Request& add(MPI_Request handle, Request request);
  /// The request is over; a persistent one can be started again.
  void over(MPI_Request handle);
  void forget(MPI_Request handle) { by_handle_.erase(key_of(handle)); }
  [[nodiscard]] bool empty() const { return by_handle_.empty(); }
  /// Returns whether there is one that is open, or can be started.
  [[nodiscard]] bool has_one_on(const Communicator& communicator) const;
  /// The handle by which the MPI knows a receive; null if it is not posted any more.
  [[nodiscard]] MPI_Request handle_of(const Receive& receive) const;
  /// A receive of the channel took nothing: those after it take one message before the one they
  /// were to take.
  void renumber(const Communicator& communicator, const Receive& cancelled);
  /// Receives that the program gave up before it was known what they take.
  std::vector<std::pair<MPI_Request, Request>> freed;

 private:
  struct Entry {
    MPI_Request handle;
    std::unique_ptr<Request> request;
  };
  tsl::robin_map<std::uint64_t, Entry> by_handle_;
};

/// `MPI_Recv for a message from rank 2, tag 7, on world`; wildcards as `any`.
[[nodiscard]] std::string describe(const char* call, const Communicator& communicator, int source,
                                   int tag);

}  // namespace lightcone::mpi
