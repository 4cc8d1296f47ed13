// Keeps the answers that a process gets from the world.
#pragma once

#include <lightcone/base/success.h>
#include <lightcone/base/time/coarse_clock.h>
#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/journal/journal.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone {

/// The journal of a process that runs. What is not in the file yet is lost when the process is
/// killed: at most what came since the last flush, which is made at least every second in which
/// something happens.
class Recorder {
 public:
  [[nodiscard]] static Expected<Recorder> create(const std::string& path, std::string process,
                                                 JournalKind kind);

  /// The process took a message; `races`: another could have come first. Contents are kept if
  /// given.
  [[nodiscard]] Expected<void> took(const MessageIdentity& message, bool races,
                                    std::optional<std::string_view> contents);
  [[nodiscard]] Expected<void> found_nothing();
  [[nodiscard]] Expected<void> answered(const JournalEntry& answer);
  /// The process has made so many events, and they have this digest.
  [[nodiscard]] Expected<void> made(std::uint64_t events, std::uint32_t digest) {
    writer_.note(events, digest);
    return CoarseClock::now() - flushed_ < longest_unwritten ? success() : flush();
  }

  [[nodiscard]] Expected<void> flush();
  /// The process ends by itself.
  [[nodiscard]] Expected<void> end();
  [[nodiscard]] std::uint64_t takes() const { return takes_; }
  /// Where the journal stands: how many blocks it has.
  [[nodiscard]] std::uint64_t blocks() const { return writer_.blocks(); }
  [[nodiscard]] const JournalWriter& writer() const { return writer_; }

 private:
  static constexpr std::chrono::seconds longest_unwritten{1};

  explicit Recorder(JournalWriter writer) : writer_(std::move(writer)) {}

  JournalWriter writer_;
  std::uint64_t takes_ = 0;
  CoarseClock::time_point flushed_ = CoarseClock::now();
};

}  // namespace lightcone
