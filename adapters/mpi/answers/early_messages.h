// In a replay: messages that came before their turn, taken out of the MPI.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "answers/answers.h"
#include "answers/channel_queues.h"
#include "process/standings.h"

namespace lightcone::mpi {

/// A message that was taken before the program receives it. A short one has been copied. Of a long
/// one only its handle was taken, so that its sender still waits for its receive.
struct EarlyMessage {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Status status = {};
  std::vector<char> bytes = {};           ///< as MPI_PACKED has them,
  MPI_Request coming = MPI_REQUEST_NULL;  ///< once this is over
  MPI_Message handle = MPI_MESSAGE_NULL;  ///< or the message itself
  std::optional<int> delivered = {};      ///< with this result
  bool is_quiet = false;                  ///< no error handler is called

  [[nodiscard]] Channel from() const { return {status.MPI_SOURCE, status.MPI_TAG}; }
  [[nodiscard]] bool is_long() const { return handle != MPI_MESSAGE_NULL; }
  /// Begins to copy a long message.
  void copy();
  /// Puts the data where a receive wants it, and returns the result of the receive. The program's
  /// error handler has been called.
  [[nodiscard]] int deliver(const Buffer& buffer, MPI_Status* status);
  /// The same for a long message, by a request.
  [[nodiscard]] int begin(const Buffer& buffer, MPI_Request* request);
};

/// A replay receives in the recorded order, in which the messages need not come. At each receive,
/// an MPI may look through all messages that no receive has asked for yet. So those that come first
/// are taken out and kept by their channels. The program cannot tell: it finds out what has come
/// from the journal alone, and no synchronous send is over before its receive. What the MPI itself
/// sends inside of a call is left alone.
class EarlyMessages {
 public:
  /// Open MPI has a list of such messages for each sender. There, a receive that names its sender
  /// finds its message at once, and taking the others early costs more than to let senders wait.
#ifdef OPEN_MPI
  static constexpr bool are_worth_it = false;
#else
  static constexpr bool are_worth_it = true;
#endif
  explicit EarlyMessages(const Standings& standings) : standings_(standings) {}

  /// Where the message is that a receive from there gets.
  enum class Where : std::uint8_t {
    here,
    at_mpi,   ///< it has come, or nothing more can be taken early: the MPI is to be asked
    nowhere,  ///< it has not come yet
  };
  /// Takes what has come before it. Either may be a wildcard of the MPI.
  [[nodiscard]] Where look_for(const Receiving& receiving, int source, int tag);
  /// The message, which is here.
  [[nodiscard]] const EarlyMessage& first(const Receiving& receiving, int source, int tag);
  /// Takes it out.
  [[nodiscard]] std::shared_ptr<EarlyMessage> take(const Receiving& receiving, int source, int tag);

 private:
  using Queues = ChannelQueues<EarlyMessage>;
  /// A longer message costs less than a copy of it.
  static constexpr int longest_copy = 2048;
  static constexpr std::size_t most_bytes = 256U << 20, most_handles = 4096;
  static constexpr std::size_t bytes_of_each = 192;  // besides its data

  [[nodiscard]] bool keep(Queues& queues, const Receiving& receiving, const MPI_Status& status);

  const Standings& standings_;
  std::map<const Communicator*, Queues> by_communicator_;
  std::size_t bytes_ = 0, handles_ = 0;  // that are kept
};

}  // namespace lightcone::mpi
