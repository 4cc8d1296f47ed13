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

/// Goes through all events for some columns, and passes over events that come after none of theirs.
class ColumnPass {
 public:
  ColumnPass(const Computation& computation, const Selection& observed, std::uint32_t most_columns)
      : computation_(computation),
        observed_(observed),
        clocks_(std::size_t{computation.event_count()} * most_columns),
        is_zero_(computation.event_count()) {}

  void run(ProcessRange columns, std::vector<Edge>& edges) {
    columns_ = columns;
    for (const EventIndex e : computation_.order()) {
      const ProcessIndex p = computation_.process_of(e);
      const bool is_observed = observed_.contains(e);
      const bool starts_own = is_observed && columns_.contains(p);
      is_zero_[e] = !starts_own && has_zero_past(e) ? 1 : 0;
      if (is_zero_[e] != 0) continue;
      std::uint32_t* clock = join(e);
      if (is_observed) cover(e, clock, edges);
      if (starts_own) clock[p - columns_.first] = 2 * observed_.rank(e);
    }
  }

 private:
  [[nodiscard]] bool is_first(EventIndex e) const {
    return e == computation_.first_event(computation_.process_of(e));
  }
  [[nodiscard]] bool has_zero_past(EventIndex e) const {
    if (!is_first(e) && is_zero_[e - 1] == 0) return false;
    return std::ranges::all_of(computation_.takes(e), [&](MessageIndex m) {
      return is_zero_[computation_.sent_by(m)] != 0;
    });
  }

  LIGHTCONE_VECTOR_CODE
  std::uint32_t* join(EventIndex e) {
    const std::size_t width = columns_.count;
    std::uint32_t* clock = clocks_.data() + e * width;
    if (is_first(e) || is_zero_[e - 1] != 0) {
      std::fill(clock, clock + width, 0);
    } else {
      std::copy(clock - width, clock, clock);
    }
    for (const MessageIndex m : computation_.takes(e)) {
      if (is_zero_[computation_.sent_by(m)] != 0) continue;
      const std::uint32_t* sent = clocks_.data() + computation_.sent_by(m) * width;
      for (std::size_t k = 0; k < width; ++k) clock[k] = std::max(clock[k], sent[k]);
    }
    return clock;
  }

  /// Takes the entries that are not covered as predecessors of the event, which covers them.
  void cover(EventIndex e, std::uint32_t* clock, std::vector<Edge>& edges) const {
    for (std::uint32_t k = 0; k < columns_.count; ++k) {
      const std::uint32_t entry = clock[k];
      if (entry == 0) continue;
      if ((entry & 1) == 0) {
        edges.push_back({observed_.event(columns_.first + k, entry / 2), e});
      }
      clock[k] = entry | 1;
    }
  }

  const Computation& computation_;
  const Selection& observed_;
  ProcessRange columns_ = {};
  std::vector<std::uint32_t> clocks_;  // by event and column
  std::vector<std::uint8_t> is_zero_;  // by event: its clock has no entry, and is not written
};

}  // namespace

CoveringGraph::CoveringGraph(const Computation& computation, const Selection& observed,
                             const Progress& progress, std::size_t budget)
    : begin_(computation.event_count() + 1, 0) {
  const std::uint32_t n = computation.process_count();
  const std::uint32_t width = columns_at_a_time(computation, budget);
  std::vector<Edge> edges;
  ColumnPass pass(computation, observed, width);
  for (ProcessIndex first = 0; first < n; first += width) {
    if (progress) progress("finding immediate predecessors", first, n);
    pass.run({first, std::min(width, n - first)}, edges);
  }
  // By event; columns come in order, so that predecessors stay sorted by process.
  for (const Edge& edge : edges) ++begin_[edge.to + 1];
  for (std::size_t e = 0; e + 1 < begin_.size(); ++e) begin_[e + 1] += begin_[e];
  predecessors_.resize(edges.size());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges) predecessors_[next[edge.to]++] = edge.from;
}

}  // namespace lightcone
