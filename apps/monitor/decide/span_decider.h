// Who decides traces of spans.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accept/span_batch.h"
#include "decide/verdict_log.h"

namespace lightcone::service {

struct SpanCounts {
  std::uint64_t spans = 0;       ///< that came
  std::uint64_t duplicates = 0;  ///< that had come before
  std::uint64_t late = 0;        ///< after their trace was decided
  std::uint64_t too_late = 0;    ///< of these, those that decide nothing
  std::uint64_t decided = 0, decided_again = 0, failing = 0;
};

/// What a trace of spans leads to.
struct SpanCallbacks {
  std::function<void(const ToldVerdict&)> tell;
  /// A failing trace.
  std::function<void(const std::string& trace, const Computation& computation)> keep;
  /// A trace of which nothing is kept any more.
  std::function<void(const std::string& trace)> forget;
};

/// Its calls come from one thread.
class SpanDecider {
 public:
  SpanDecider() = default;
  SpanDecider(const SpanDecider&) = delete;
  SpanDecider& operator=(const SpanDecider&) = delete;
  virtual ~SpanDecider() = default;

  virtual void add(const SpanBatch& batch) = 0;
  /// The trace is quiet now.
  virtual void decide(const std::string& trace) = 0;
  /// The trace was decided before; what comes of it is too late.
  virtual void ignore(const std::string& trace) = 0;
  /// Forgets a trace that has been decided.
  virtual void forget(const std::string& trace) = 0;
  [[nodiscard]] virtual const SpanCounts& counts() const = 0;
  /// About how much memory the traces take.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  struct TraceSize {
    std::string trace = {};
    std::size_t bytes = 0;
  };
  /// Traces in the order in which they can be missed: first those that have been decided, the
  /// oldest first; then the largest.
  [[nodiscard]] virtual std::vector<TraceSize> dispensable() const = 0;
  /// Decides the trace as it is, if it is not decided, and forgets it.
  virtual void give_up(const std::string& trace) = 0;
};

/// What is kept of traces that have been decided, in case that more of them comes.
struct SpanMemory {
  std::size_t spans = 200'000;
  std::size_t of_trace = 100'000;  ///< spans of one trace, which is then decided as it is
  std::size_t traces = 1'000'000;  ///< of which only the id is known after that
};

using SpanDeciderMaker =
    std::function<std::unique_ptr<SpanDecider>(const PropertyFile&, SpanCallbacks)>;

}  // namespace lightcone::service
