// How far a process of a replay has come, in a file that remains if it dies.
#pragma once

#include <lightcone/error.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// A number in a file that is mapped into memory: it is there for others as soon as it is set, and
/// after the process was killed.
class RunProgress {
 public:
  /// Makes the file of a process, in the directory of the reports.
  [[nodiscard]] static Expected<RunProgress> create(const std::string& directory,
                                                    std::string_view process);
  RunProgress(RunProgress&& other) noexcept : events_(std::exchange(other.events_, nullptr)) {}
  RunProgress& operator=(RunProgress&&) = delete;
  ~RunProgress();

  /// The process has made so many events.
  void made(std::uint64_t events) { events_->store(events, std::memory_order_relaxed); }
  /// Returns how many events a process has made, or nothing if it has not reported.
  [[nodiscard]] static std::optional<std::uint64_t> read(const std::string& directory,
                                                         std::string_view process);

 private:
  explicit RunProgress(std::atomic<std::uint64_t>* events) : events_(events) {}
  std::atomic<std::uint64_t>* events_;
};

}  // namespace lightcone
