// Finds a path that shows what became of a flow with `within`, and the times that it compares.
#include <lightcone/riders/past_graph.h>
#include <lightcone/riders/timed/timed_paths.h>
#include <lightcone/riders/witness.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lightcone {
namespace {

constexpr const char* too_large = "the past of this event is too large to search";

/// The events of a graph as a timed flow sees them.
struct TimedGraph {
  const Inspection& inspection;
  const CompiledFlow& flow;
  const PastGraph& graph;

  [[nodiscard]] bool is_letter(std::size_t vertex) const {
    return inspection.observer().holds(inspection.scene(graph.rows[vertex]), flow.labelled);
  }
  [[nodiscard]] double time(Row row) const {
    return inspection.computation().time(row).value_or(std::numeric_limits<double>::quiet_NaN());
  }
  [[nodiscard]] ClockTime clock_time(Row row) const {
    return {process_of(inspection.computation(), row), time(row)};
  }
  [[nodiscard]] TimedFlows timed() const {
    return {flow, inspection.observer(), inspection.properties().source().clocks_within};
  }
};

/// Follows single runs of the automaton along all paths, and remembers where each came from.
///
/// Of two runs with the same position whose anchors are of one process, the one with the later
/// anchor is kept. Where anchors do not matter, it is the one that has been late by less.
class TimedRuns {
 public:
  TimedRuns(const TimedGraph& graph, TimeMode mode, std::size_t most)
      : graph_(graph), timed_(graph.timed()), mode_(mode), most_(most) {}

  /// Returns whether there is a path whose word matches. Nothing: there are too many runs.
  [[nodiscard]] std::optional<bool> find(FlowWitness& witness) {
    for (std::size_t v = 0; v < graph_.graph.rows.size(); ++v) {
      if (!reach(v)) return std::nullopt;
    }
    const Run* best = nullptr;
    for (std::size_t i = begin_[begin_.size() - 2]; i < runs_.size(); ++i) {
      const bool is_final = positions()[runs_[i].position].is_final;
      if (is_final && (best == nullptr || runs_[i].late < best->late)) best = &runs_[i];
    }
    if (best == nullptr) return false;
    tell(*best, witness);
    return true;
  }

 private:
  static constexpr std::size_t nothing = SIZE_MAX;

  struct Run {
    std::uint32_t position = 0;
    Row anchor = none;             ///< none where it does not matter
    std::size_t before = nothing;  ///< the run that it goes on
    std::size_t vertex = 0;
    std::optional<double> within = {};  ///< of the edge by which it came here
    double late = -HUGE_VAL;            ///< by how much the latest of its gaps was too long
  };

  [[nodiscard]] const std::vector<TimedAutomaton::Position>& positions() const {
    return graph_.flow.timed->positions;
  }

  [[nodiscard]] bool reach(std::size_t v) {
    if (begin_.empty()) begin_.push_back(0);
    const bool is_letter = graph_.is_letter(v);
    const auto go_on = [&](const Run& run, std::size_t index) {
      if (is_letter) {
        read(run, index, v);
      } else {
        add({run.position, run.anchor, index, v, {}, run.late});
      }
    };
    if (graph_.graph.before(v).empty()) go_on({}, nothing);
    for (const std::uint32_t u : graph_.graph.before(v)) {
      for (std::size_t i = begin_[u]; i < begin_[u + 1]; ++i) go_on(Run(runs_[i]), i);
    }
    begin_.push_back(runs_.size());
    return runs_.size() <= most_;
  }

  void read(const Run& run, std::size_t index, std::size_t v) {
    const Row row = graph_.graph.rows[v];
    for (const TimedAutomaton::Edge& edge : positions()[run.position].edges) {
      const TimedAutomaton::Position& to = positions()[edge.to];
      const auto& observer = graph_.inspection.observer();
      if (to.test && !observer.holds(graph_.inspection.scene(row), *to.test)) continue;
      Run reached{edge.to, none, index, v, edge.within, run.late};
      if (edge.within) {
        const ClockTime first = graph_.clock_time(run.anchor), second = graph_.clock_time(row);
        if (!is_in_time(timed_, first, second, *edge.within, mode_)) continue;
        const double late = second.seconds - first.seconds - *edge.within;
        reached.late = late > run.late ? late : (late <= run.late ? run.late : HUGE_VAL);
      }
      if (to.needs_anchor) reached.anchor = to.keeps_anchor ? run.anchor : row;
      add(reached);
    }
  }

  /// Keeps the better one of two runs that go on in the same way.
  void add(const Run& run) {
    const auto process = [&](Row anchor) {
      return anchor == none ? none : process_of(graph_.inspection.computation(), anchor);
    };
    for (std::size_t i = begin_.back(); i < runs_.size(); ++i) {
      Run& known = runs_[i];
      if (known.position != run.position || process(known.anchor) != process(run.anchor)) continue;
      // An event without a time is long ago.
      const auto time = [&](Row anchor) {
        const double seconds = graph_.time(anchor);
        return std::isnan(seconds) ? -HUGE_VAL : seconds;
      };
      const bool is_later = run.anchor != none && time(run.anchor) > time(known.anchor);
      const bool is_equal = run.anchor == known.anchor;
      if (is_later || (is_equal && run.late < known.late)) known = run;
      return;
    }
    runs_.push_back(run);
  }

  /// The path of a run, and what it compared.
  void tell(const Run& last, FlowWitness& witness) {
    std::vector<const Run*> path{&last};
    while (path.back()->before != nothing) path.push_back(&runs_[path.back()->before]);
    std::reverse(path.begin(), path.end());
    for (const Run* run : path) witness.path.push_back(graph_.graph.rows[run->vertex]);
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (!path[i]->within) continue;
      witness.gaps.push_back(
          gap(path[i - 1]->anchor, graph_.graph.rows[path[i]->vertex], *path[i]->within));
    }
    for (const Row row : witness.path) {
      witness.turns.push_back(std::ranges::any_of(
          witness.gaps, [&](const TimeGap& gap) { return gap.from == row || gap.to == row; }));
    }
  }

  [[nodiscard]] TimeGap gap(Row from, Row to, double within) {
    const ClockTime first = graph_.clock_time(from), second = graph_.clock_time(to);
    TimeGap gap{from, to, within, true};
    if (!is_in_time(timed_, first, second, within, TimeMode::certain)) {
      gap.in_time = std::nullopt;
      if (!is_in_time(timed_, first, second, within, TimeMode::possible)) gap.in_time = false;
    }
    return gap;
  }

  const TimedGraph& graph_;
  TimedFlows timed_;
  TimeMode mode_;
  std::size_t most_;
  std::vector<Run> runs_;           // those of a vertex stand together
  std::vector<std::size_t> begin_;  // by vertex
};

/// Of `every`: a path none of whose runs matches, each kind of path once, as TimedPaths tells them
/// apart.
class UnmatchedPath {
 public:
  UnmatchedPath(const TimedGraph& graph, TimeMode mode)
      : graph_(graph), timed_(graph.timed()), mode_(mode), kinds_(graph.graph.rows.size()) {}

  /// The rows of the path; none where all match, as far as they were followed.
  [[nodiscard]] std::vector<Row> find() {
    for (std::size_t v = 0; v < kinds_.size(); ++v) reach(v);
    const std::vector<PathKind>& last = kinds_.back();
    const auto found = std::ranges::find_if(
        last, [&](const PathKind& kind) { return !kind.paths.accepts(graph_.flow); });
    if (found == last.end()) return {};
    std::vector<Row> path;
    std::size_t vertex = kinds_.size() - 1;
    for (const PathKind* kind = &*found;;) {
      path.push_back(graph_.graph.rows[vertex]);
      if (kind->vertex == SIZE_MAX) break;
      vertex = kind->vertex;
      kind = &kinds_[vertex][kind->number];
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  struct PathKind {
    TimedPaths paths;                           ///< one set of runs
    std::size_t vertex = SIZE_MAX, number = 0;  ///< the kind that it goes on
  };

  void reach(std::size_t v) {
    here_ = {};
    if (graph_.graph.before(v).empty()) add(v, {TimedPaths::start()});
    for (const std::uint32_t u : graph_.graph.before(v)) {
      for (std::size_t i = 0; i < kinds_[u].size(); ++i) add(v, {kinds_[u][i].paths, u, i});
    }
  }

  void add(std::size_t v, PathKind kind) {
    const Row row = graph_.graph.rows[v];
    if (graph_.is_letter(v)) {
      const Step step{graph_.inspection.scene(row), graph_.time(row)};
      kind.paths.read_letter(timed_, step, graph_.clock_time(row).process, mode_);
    }
    // A kind that adds nothing to those that are there shows no other path that does not match.
    TimedPaths joined = here_;
    joined.join(timed_, kind.paths);
    if (joined == here_ || joined.is_cut()) return;
    here_ = std::move(joined);
    kinds_[v].push_back(std::move(kind));
  }

  const TimedGraph& graph_;
  TimedFlows timed_;
  TimeMode mode_;
  TimedPaths here_;                           // all kinds of the vertex that is looked at
  std::vector<std::vector<PathKind>> kinds_;  // by vertex
};

[[nodiscard]] PastGraph line_of(std::vector<Row> rows) {
  PastGraph line;
  line.rows = std::move(rows);
  for (std::uint32_t v = 0; v < line.rows.size(); ++v) {
    if (v > 0) line.predecessors.push_back(v - 1);
    line.begin.push_back(line.predecessors.size());
  }
  return line;
}

}  // namespace

Expected<FlowWitness> timed_witness(const Inspection& inspection, const CompiledFlow& flow, Row row,
                                    std::size_t most_runs) {
  const FoundRows& answer = *inspection.answer(flow.property);
  const PastGraph graph = past_of(inspection, flow, row);
  FlowWitness witness;
  witness.matches = answer.found_at(row);
  witness.is_undecided = answer.is_undecided(row);
  witness.flows = count_paths(graph);
  const TimeMode mode = witness.matches        ? TimeMode::certain
                        : witness.is_undecided ? TimeMode::possible
                                               : TimeMode::whatever;
  const TimedGraph past{inspection, flow, graph};
  if (!flow.every || witness.matches) {
    const auto found = TimedRuns(past, mode, most_runs).find(witness);
    if (!found) return failure(too_large);
    if (*found) return witness;
    return failure("No path has what the pattern asks for, whatever the times.");
  }
  if (graph.rows.size() > most_runs / TimedPaths::most_sets) return failure(too_large);
  const TimeMode unmatched = witness.is_undecided ? TimeMode::certain : TimeMode::possible;
  std::vector<Row> path = UnmatchedPath(past, unmatched).find();
  if (path.empty()) return failure(too_large);
  const PastGraph line = line_of(std::move(path));
  const TimedGraph one{inspection, flow, line};
  const auto found = TimedRuns(one, mode, most_runs).find(witness);
  if (!found) return failure(too_large);
  if (!*found) {
    witness.path = line.rows;
    witness.turns.assign(line.rows.size(), false);
  }
  return witness;
}

}  // namespace lightcone
