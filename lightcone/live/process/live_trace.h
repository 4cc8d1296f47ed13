// The trace that a live process writes as it goes.
#pragma once

#include <lightcone/base/time/coarse_clock.h>
#include <lightcone/computation.h>
#include <lightcone/process.h>
#include <lightcone/trace/lct/lct_appender.h>

#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Appends the rows of one process to an lct file. What is not in the file yet is lost when the
/// process is killed: at most what came since the last flush, which is made at least every second
/// in which something happens.
class LiveTrace {
 public:
  struct Row {
    Kind kind = Kind::internal;
    const LiveState& state;
    std::string_view sent = {};
    std::span<const std::string_view> to = {};
    std::span<const std::string> taken = {};
    bool duplicate = false;
    const std::source_location* where = nullptr;
    std::uint64_t digest = 0;  ///< of the contents of its messages; 0: not known
  };

  /// Replaces a file of this name.
  [[nodiscard]] static Expected<LiveTrace> create(const std::string& path, std::string process);
  /// Takes a file that is there, and empty.
  [[nodiscard]] static Expected<LiveTrace> fill(const std::string& path, std::string process);

  /// Goes on after the first bytes of another trace of the same process.
  [[nodiscard]] static Expected<LiveTrace> resume(const std::string& path, std::string process,
                                                  const std::string& begun, std::uint64_t bytes);

  [[nodiscard]] Expected<void> add(const Row& row);
  [[nodiscard]] Expected<void> flush();

  [[nodiscard]] const LctAppender& appender() const { return appender_; }

  /// In the file so far.
  [[nodiscard]] std::uint64_t bytes() const;

  /// `file.cc:12`, without the folders above.
  [[nodiscard]] static std::string source_text(const std::source_location& where);

 private:
  LiveTrace(LctAppender appender, std::string path, std::string process)
      : appender_(std::move(appender)), path_(std::move(path)), process_(std::move(process)) {}

  LctAppender appender_;
  std::string path_, process_;
  CoarseClock::time_point flushed_ = CoarseClock::now();
};

}  // namespace lightcone
