// The covering graph of chosen events: which events come immediately before which.
#pragma once

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causality.h>
#include <lightcone/progress.h>

#include <span>
#include <vector>

namespace lightcone {

/// f covers e iff e → f and no chosen event lies between them. At most one immediate predecessor
/// a process.
class CoveringGraph {
 public:
  CoveringGraph(const Computation& computation, const Selection& observed,
                const Progress& progress = {}, std::size_t budget = default_timestamp_bytes);

  /// The immediate predecessors of a chosen event, by process; none for any other event.
  [[nodiscard]] std::span<const EventIndex> predecessors(EventIndex e) const {
    return {predecessors_.data() + begin_[e], begin_[e + 1] - begin_[e]};
  }
  [[nodiscard]] std::size_t edge_count() const { return predecessors_.size(); }

 private:
  std::vector<std::size_t> begin_;
  std::vector<EventIndex> predecessors_;
};

}  // namespace lightcone
