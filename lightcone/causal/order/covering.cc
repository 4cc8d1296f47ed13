// Immediate predecessors, by a clock whose entries also know whether they are still maximal.
#include <lightcone/causal/order/covering.h>

#include <lightcone/causal/order/vector_code.h>

#include <algorithm>

namespace lightcone {
namespace {

// Entry k of an event's clock is 2 * (chosen events of process k in its past), plus 1 once another
// chosen event of the past came after the last of them ("covered"). The join of two clocks is the
// plain maximum: a greater rank wins, and of two equal ranks a covered one. A chosen event has as
// immediate predecessors the entries that are neither zero nor covered; then it covers them all,
// and starts its own. This is the rule of Hélary, Raynal, Melideo and Baldoni for tracking
// immediate predecessors; columns do not depend on each other.
struct Edge {
  EventIndex from;
  EventIndex to;
};

class ColumnPass {
 public:
  ColumnPass(const Computation& computation, const Selection& observed, ProcessRange columns)
      : computation_(computation),
        observed_(observed),
        columns_(columns),
        clocks_(std::size_t{computation.event_count()} * columns.count) {}

  void run(std::vector<Edge>& edges) {
    for (const EventIndex e : computation_.order()) {
      std::uint32_t* clock = join(e);
      if (!observed_.contains(e)) continue;
      for (std::uint32_t k = 0; k < columns_.count; ++k) {
        const std::uint32_t entry = clock[k];
        if (entry == 0) continue;
        if ((entry & 1) == 0) {
          edges.push_back({observed_.event(columns_.first + k, entry / 2), e});
        }
        clock[k] = entry | 1;
      }
      const ProcessIndex p = computation_.process_of(e);
      if (columns_.contains(p)) clock[p - columns_.first] = 2 * observed_.rank(e);
    }
  }

 private:
  LIGHTCONE_VECTOR_CODE
  std::uint32_t* join(EventIndex e) {
    const std::size_t width = columns_.count;
    std::uint32_t* clock = clocks_.data() + e * width;
    if (e != computation_.first_event(computation_.process_of(e))) {
      std::copy(clock - width, clock, clock);
    }
    for (const MessageIndex m : computation_.takes(e)) {
      const std::uint32_t* sent = clocks_.data() + computation_.sent_by(m) * width;
      for (std::size_t k = 0; k < width; ++k) clock[k] = std::max(clock[k], sent[k]);
    }
    return clock;
  }

  const Computation& computation_;
  const Selection& observed_;
  ProcessRange columns_;
  std::vector<std::uint32_t> clocks_;
};

}  // namespace

CoveringGraph::CoveringGraph(const Computation& computation, const Selection& observed,
                             const Progress& progress, std::size_t budget)
    : begin_(computation.event_count() + 1, 0) {
  const std::uint32_t n = computation.process_count();
  const std::size_t column_bytes =
      std::max<std::size_t>(computation.event_count() * sizeof(std::uint32_t), 1);
  const std::size_t fitting = std::max<std::size_t>(budget / column_bytes, 1);
  const auto width = static_cast<std::uint32_t>(std::min<std::size_t>(fitting, n));
  std::vector<Edge> edges;
  for (ProcessIndex first = 0; first < n; first += width) {
    if (progress) progress("finding immediate predecessors", first, n);
    ColumnPass(computation, observed, {first, std::min(width, n - first)}).run(edges);
  }
  // By event; columns come in order, so that predecessors stay sorted by process.
  for (const Edge& edge : edges) ++begin_[edge.to + 1];
  for (std::size_t e = 0; e + 1 < begin_.size(); ++e) begin_[e + 1] += begin_[e];
  predecessors_.resize(edges.size());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges) predecessors_[next[edge.to]++] = edge.from;
}

}  // namespace lightcone
