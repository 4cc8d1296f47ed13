// Walks through the past of an event, and counts its paths.
#include <lightcone/riders/past_graph.h>

#include <lightcone/causal/order/covering.h>
#include <lightcone/causality.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// Builds the graph of one event's past.
class PastWalk {
 public:
  PastWalk(const Computation& computation, Row row)
      : computation_(computation),
        row_(row),
        past_(causal_past(computation, row)),
        vertex_(computation.row_count(), none) {}

  /// All states, along local steps and messages.
  [[nodiscard]] PastGraph of_states() {
    for (ProcessIndex p = 0; p < computation_.process_count(); ++p) {
      if (past_[p] > 0) add(computation_.initial_row(p), {});
    }
    std::vector<Row> before;
    for (const EventIndex e : computation_.order()) {
      if (!is_past(e)) continue;
      const ProcessIndex p = computation_.process_of(e);
      before.assign(1, computation_.rank_of(e) > 1 ? e - 1 : computation_.initial_row(p));
      for (const MessageIndex m : computation_.takes(e)) {
        const Row sent = computation_.sent_by(m);
        if (std::find(before.begin(), before.end(), sent) == before.end()) before.push_back(sent);
      }
      add(e, before);
      if (e == row_) break;
    }
    return std::move(graph_);
  }

  /// The labelled events, along the covering relation. The past is closed downward, so that what
  /// covers what in it does not depend on the rest of the computation.
  [[nodiscard]] PastGraph of_labelled(const Inspection& inspection, std::uint32_t labelled) {
    const Selection chosen(computation_, [&](EventIndex e) {
      return is_past(e) && inspection.observer().holds(inspection.scene(e), labelled);
    });
    const CoveringGraph covering(computation_, chosen);
    std::vector<Row> before;
    for (const EventIndex e : computation_.order()) {
      if (!chosen.contains(e)) continue;
      const auto covered = covering.predecessors(e);
      before.assign(covered.begin(), covered.end());
      std::stable_partition(before.begin(), before.end(), [&](Row row) {
        return computation_.process_of(row) == computation_.process_of(e);
      });
      add(e, before);
      if (e == row_) break;
    }
    return std::move(graph_);
  }

 private:
  [[nodiscard]] bool is_past(EventIndex e) const {
    return computation_.rank_of(e) <= past_[computation_.process_of(e)];
  }
  void add(Row row, const std::vector<Row>& before) {
    vertex_[row] = static_cast<std::uint32_t>(graph_.rows.size());
    graph_.rows.push_back(row);
    for (const Row from : before) graph_.predecessors.push_back(vertex_[from]);
    graph_.begin.push_back(graph_.predecessors.size());
  }

  const Computation& computation_;
  Row row_;
  std::vector<Rank> past_;
  std::vector<std::uint32_t> vertex_;
  PastGraph graph_;
};

}  // namespace

PastGraph past_of(const Inspection& inspection, const CompiledFlow& flow, Row row) {
  PastWalk walk(inspection.computation(), row);
  return flow.longest ? walk.of_labelled(inspection, flow.labelled) : walk.of_states();
}

std::uint64_t count_paths(const PastGraph& graph) {
  std::vector<std::uint64_t> counts(graph.rows.size());
  for (std::size_t v = 0; v < counts.size(); ++v) {
    std::uint64_t count = graph.before(v).empty() ? 1 : 0;
    for (const std::uint32_t u : graph.before(v)) {
      count = counts[u] > UINT64_MAX - count ? UINT64_MAX : count + counts[u];
    }
    counts[v] = count;
  }
  return counts.back();
}

ProcessIndex process_of(const Computation& computation, Row row) {
  return row < computation.event_count() ? computation.process_of(row)
                                         : row - computation.event_count();
}

}  // namespace lightcone
