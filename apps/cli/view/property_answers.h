// Checks the properties that one types in the page, and keeps the last check for its witnesses.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/check/recorded_check.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "view/viewed_trace.h"

namespace lightcone::cli {

/// The verdicts of a property file on a trace.
class PropertyAnswers {
 public:
  /// Each global property may take this many seconds; then it is unknown.
  explicit PropertyAnswers(double seconds) : seconds_(seconds) {}

  /// Checks this text. Returns verdicts and places, or the error and where it is.
  [[nodiscard]] Json check(std::shared_ptr<const TraceSnapshot> trace, const std::string& text);
  /// Why a property of the last check is as it is, at a place as in `p2:4` or, if that is empty, at
  /// its first one.
  [[nodiscard]] Json witness(std::uint32_t property, const std::string& place) const;

 private:
  struct Checked {
    std::shared_ptr<const TraceSnapshot> trace;  // the check reads it
    RecordedCheck check;
  };

  double seconds_;
  std::atomic<std::uint64_t> begun_ = 0;  // checks
  mutable std::mutex mutex_;
  std::shared_ptr<const Checked> last_;
  std::uint64_t last_number_ = 0;
};

}  // namespace lightcone::cli
