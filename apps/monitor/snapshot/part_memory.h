// How much memory parts of snapshots take, of what all executions may take together.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "decide/execution_memory.h"

namespace lightcone::service {

/// Not safe to use from several threads.
class PartMemory {
 public:
  PartMemory() = default;
  PartMemory(const PartMemory&) = delete;
  PartMemory& operator=(const PartMemory&) = delete;
  ~PartMemory() { give_back(bytes_); }

  /// Before anything is taken: parts may take a quarter of this, and count there.
  void count_in(std::shared_ptr<ExecutionMemory> memory) {
    memory_ = std::move(memory);
    most_ = memory_->most() / 4;
  }
  /// Returns whether there is room.
  [[nodiscard]] bool take(std::size_t bytes) {
    if (bytes_ + bytes > most_) return false;
    change(bytes_ + bytes);
    return true;
  }
  void give_back(std::size_t bytes) { change(bytes_ - bytes); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void change(std::size_t now) {
    if (memory_) memory_->change_other(bytes_, now);
    bytes_ = now;
  }

  std::shared_ptr<ExecutionMemory> memory_;  // null: nobody else counts it
  std::size_t most_ = 256 << 20, bytes_ = 0;
};

}  // namespace lightcone::service
