// Keeps what a process gets from others, so that it can be replayed alone. All bytes that come to a
// process pass here: messages, results of collective operations, windows.
#pragma once

#include <lightcone/run/journal/journal_entry.h>
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "calls/packed_message.h"
#include "process/communicator_facts.h"

namespace lightcone::mpi {

class MpiProcess;

/// The size of a message in bytes, as its status has it.
[[nodiscard]] MPI_Count size_of(const MPI_Status& status);

/// Errors by numbers that are the same for every MPI; 0 is success.
[[nodiscard]] std::uint64_t portable_error(int error);
[[nodiscard]] int error_of_portable(std::uint64_t number);

/// Enters contents in the journal of a process that is recorded with them.
class ContentsKeeper {
 public:
  explicit ContentsKeeper(MpiProcess& rank) : rank_(rank) {}

  /// The process begins: how many there are, and its command line.
  void began(int size, const std::string& mpi);
  void received(const Buffer& buffer, const MPI_Status& status, int error);
  void probed(const MPI_Status& status);
  void collective(const std::vector<Buffer>& results, int error);
  /// A call that gives nothing but its result.
  void result(int error) { collective({}, error); }
  void communicator(const CommunicatorFacts& facts, int error);
  void told(std::string_view text, int error);

  void add_window(MPI_Win window);
  void remove_window(MPI_Win window);
  /// Enters what has changed in the process's own windows since the last time.
  void note_windows();

 private:
  struct Window {
    std::uint64_t key = 0, number = 0;
    const char* base = nullptr;
    std::string known;  ///< what it held
  };
  void enter(KeptContents::What what, std::uint64_t detail, std::string_view bytes);
  void enter_change(std::uint64_t window, std::size_t at, std::string_view bytes);
  void note(Window& window);
  [[noreturn]] void refuse(const char* what) const;

  MpiProcess& rank_;
  std::vector<Window> windows_;
  std::uint64_t made_windows_ = 0;
};

}  // namespace lightcone::mpi
