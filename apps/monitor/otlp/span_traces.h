// Traces of spans: each is decided when it has been quiet, and again if spans come late.
#pragma once

#include <lightcone/property.h>
#include <lightcone/states.h>
#include <lightcone/trace.h>
#include <lightcone/trace/spans/span_table.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "decide/span_decider.h"

namespace lightcone::service {

/// Its calls come from one thread.
class SpanTraces final : public SpanDecider {
 public:
  /// The limits are those of each decision.
  SpanTraces(PropertyFile properties, SpanCallbacks callbacks, SpanMemory most = {},
             Limits limits = {})
      : properties_(std::move(properties)),
        callbacks_(std::move(callbacks)),
        most_(most),
        limits_(limits) {}

  void add(const SpanBatch& batch) override;
  void decide(const std::string& trace) override;
  void ignore(const std::string& id) override;
  void forget(const std::string& id) override;
  [[nodiscard]] const SpanCounts& counts() const override { return counts_; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] std::vector<TraceSize> dispensable() const override;
  void give_up(const std::string& id) override;
  [[nodiscard]] std::size_t kept_traces() const { return traces_.size(); }

 private:
  struct SpanPlace {
    std::shared_ptr<const SpanTable> table;
    std::uint32_t span = 0;
  };
  struct OpenTrace {
    std::vector<SpanPlace> spans = {};
    std::set<std::pair<SpanId, bool>> ids = {};
    std::size_t bytes = 0;
    std::uint32_t decisions = 0;
    bool is_decided = false;
  };

  [[nodiscard]] static SpanTable joined(const OpenTrace& trace);
  void tell(const std::string& trace, bool is_again, const Reading& reading);

  PropertyFile properties_;
  SpanCallbacks callbacks_;
  SpanMemory most_;
  Limits limits_;
  std::map<std::string, OpenTrace, std::less<>> traces_;
  std::deque<std::string> decided_;  // the oldest first
  std::size_t kept_spans_ = 0;       // of decided ones
  std::size_t bytes_ = 0;            // of memory, of all traces
  std::set<std::string, std::less<>> known_;
  std::deque<std::string> known_in_order_;
  SpanCounts counts_;
};

}  // namespace lightcone::service
