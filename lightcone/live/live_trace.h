// The trace that a live process writes as it goes.
#pragma once

#include <lightcone/causal/computation.h>
#include <lightcone/live/process.h>
#include <lightcone/trace/coarse_clock.h>
#include <lightcone/trace/lct_appender.h>

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
    std::string sent = {};
    std::span<const std::string_view> to = {};
    std::span<const std::string> taken = {};
    bool duplicate = false;
    const std::source_location* where = nullptr;
  };

  /// Replaces a file of this name.
  [[nodiscard]] static Expected<LiveTrace> create(const std::string& path, std::string process);

  [[nodiscard]] Expected<void> add(const Row& row);
  [[nodiscard]] Expected<void> flush();

  /// `file.cc:12`, without the folders above.
  [[nodiscard]] static std::string source_text(const std::source_location& where);

 private:
  LiveTrace(LctAppender appender, std::string process)
      : appender_(std::move(appender)), process_(std::move(process)) {}

  LctAppender appender_;
  std::string process_;
  CoarseClock::time_point flushed_ = CoarseClock::now();
};

}  // namespace lightcone
