// Runs programs in processes of our own, so that several run at a time, each with all that it
// starts.
#pragma once

#include <lightcone/base/framed_socket.h>
#include <lightcone/error.h>

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "run/child_program.h"

namespace lightcone::cli {

/// A process that runs programs for us, one at a time. What these start become its children when
/// their parents end, not ours; so it knows when all of them have ended. It does not outlive us,
/// and neither do they.
class ProgramHost {
 public:
  /// Makes so many. We must have no other threads yet.
  [[nodiscard]] static Expected<std::vector<ProgramHost>> make(std::size_t count);
  ProgramHost(ProgramHost&& other) noexcept;
  ProgramHost& operator=(ProgramHost&&) = delete;
  /// Ends it, and the program.
  ~ProgramHost();

  [[nodiscard]] Expected<void> start(const ChildProgram::Options& options);
  /// Returns the exit status of the program, as a shell tells it, if it ends within this time.
  [[nodiscard]] std::optional<int> wait(std::chrono::milliseconds longest);
  /// Ends the program, and all that it started: asks first, and waits for so long.
  void end(std::chrono::milliseconds longest);

 private:
  ProgramHost(pid_t process, FramedSocket socket) : process_(process), socket_(std::move(socket)) {}

  pid_t process_;
  FramedSocket socket_;
  std::optional<int> status_;
};

}  // namespace lightcone::cli
