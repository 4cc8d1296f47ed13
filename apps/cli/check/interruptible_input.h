// Standard input that ends when the user interrupts, so that what was read can be reported.
#pragma once

#include <lightcone/base/file.h>

#include <signal.h>

#include <cstddef>

namespace lightcone::cli {

/// Reads what there is so far. SIGINT and SIGTERM end the input after what had arrived by then,
/// unless they are ignored. When this is gone they act as before.
class InterruptibleInput {
 public:
  explicit InterruptibleInput(InputFile& file);
  InterruptibleInput(const InterruptibleInput&) = delete;
  InterruptibleInput& operator=(const InterruptibleInput&) = delete;
  ~InterruptibleInput();

  /// Waits for at least one byte. Returns 0 if the input has ended, or if it was interrupted.
  [[nodiscard]] Expected<std::size_t> read_some(char* buffer, std::size_t size);
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  void wait();
  void note_signal();

  InputFile& file_;
  sigset_t before_{};  // signals that were blocked
  int signals_ = -1;   // tells of those that interrupt; -1: they act as always
  bool interrupted_ = false;
  std::size_t left_ = 0;  // bytes that had arrived when it was interrupted
};

}  // namespace lightcone::cli
