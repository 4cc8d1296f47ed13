// How much memory all open executions of a monitor take together.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <string>

namespace lightcone::service {

/// Shared by all who decide. Safe to use from several threads.
class ExecutionMemory {
 public:
  explicit ExecutionMemory(std::size_t most) : most_(most) {}
  ExecutionMemory(const ExecutionMemory&) = delete;
  ExecutionMemory& operator=(const ExecutionMemory&) = delete;

  /// An execution takes so much now, instead of so much before.
  void change(std::size_t before, std::size_t now) {
    bytes_ += now;
    bytes_ -= before;
  }
  /// What no share of the executions takes, but is kept of them.
  void change_other(std::size_t before, std::size_t now) {
    other_ += now;
    other_ -= before;
  }
  void begin_share() { ++shares_; }
  void end_share(std::size_t bytes) {
    bytes_ -= bytes;
    --shares_;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_ + other_; }
  [[nodiscard]] std::size_t most() const { return most_; }
  /// Returns whether somebody who takes so much of it has to give some back: of all who share it,
  /// one at least takes as much as the average.
  [[nodiscard]] bool is_over(std::size_t mine) const {
    const std::size_t all = bytes_;
    return all + other_ > most_ && mine * shares_ >= all;
  }
  /// Why an execution is given up.
  [[nodiscard]] std::string why() const {
    return fmt::format("there is no memory left for it: all executions may take {} MB together",
                       most_ / 1'000'000);
  }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> bytes_ = 0, other_ = 0, shares_ = 0;
};

}  // namespace lightcone::service
