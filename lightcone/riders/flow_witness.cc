// Finds the flow that is quickest to read among those that decide a property at an event.
#include <lightcone/riders/witness.h>

#include <lightcone/riders/past_graph.h>

#include <algorithm>
#include <optional>

namespace lightcone {
namespace {

/// What a reader has to follow: first of all changes of process, then letters that lead the
/// automaton to another state. All letters that led back to state 0 are forgotten. Packed, so that
/// one comparison compares both; what is too much to count is just much.
namespace cost {
constexpr std::uint32_t change = 1U << 12;
constexpr std::uint32_t turns = change - 1;
constexpr std::uint32_t most = UINT32_MAX - 2 * change;

[[nodiscard]] std::uint32_t with_change(std::uint32_t cost) {
  return cost < most ? cost + change : cost;
}
[[nodiscard]] std::uint32_t with_turn(std::uint32_t cost) {
  return (cost & turns) < turns ? cost + 1 : cost;
}
[[nodiscard]] std::uint32_t without_turns(std::uint32_t cost) { return cost & ~turns; }
}  // namespace cost

/// The cheapest path through the graph, among those whose words an automaton accepts, or among
/// all.
///
/// at(v, q) is the cost of the cheapest path to v whose word leads to q; the path itself is found
/// backwards, by asking which predecessor that cost came from.
class CheapestPath {
 public:
  CheapestPath(const Inspection& inspection, const CompiledFlow& flow, const PastGraph& graph,
               bool accepted)
      : inspection_(inspection),
        flow_(flow),
        graph_(graph),
        accepted_(accepted),
        states_(accepted ? flow.automaton.states() : 1),
        steps_(inspection.observer().scene_count()) {}

  [[nodiscard]] std::size_t bytes() const {
    return graph_.rows.size() * states_ * sizeof(std::uint32_t);
  }

  void find(FlowWitness& witness) {
    costs_.assign(graph_.rows.size() * states_, none);
    for (std::size_t v = 0; v < graph_.rows.size(); ++v) reach(v);
    const std::size_t last = graph_.rows.size() - 1;
    std::uint32_t state = none;
    for (std::uint32_t q = 0; q < states_; ++q) {
      const bool deciding = !accepted_ || flow_.automaton.finals().contains(q);
      if (deciding && at(last, q) != none && (state == none || at(last, q) < at(last, state))) {
        state = q;
      }
    }
    LIGHTCONE_ASSERT(state != none);
    bool begun = true;
    for (std::size_t v = last;;) {
      const auto before = origin(v, state);
      begun = begun && accepted_ && state != 0;
      witness.path.push_back(graph_.rows[v]);
      witness.turns.push_back(begun && state != (before ? before->state : 0));
      if (!before) break;
      v = before->vertex;
      state = before->state;
    }
    std::reverse(witness.path.begin(), witness.path.end());
    std::reverse(witness.turns.begin(), witness.turns.end());
  }

 private:
  using Steps = std::vector<StateSet>;
  struct Origin {
    std::size_t vertex;
    std::uint32_t state;
  };

  [[nodiscard]] std::uint32_t& at(std::size_t v, std::uint32_t q) {
    return costs_[v * states_ + q];
  }
  [[nodiscard]] bool is_labelled(std::size_t v) const {
    return inspection_.observer().holds(inspection_.scene(graph_.rows[v]), flow_.labelled);
  }
  /// What the cheapest path to a vertex costs when it goes on to the next, before its letter.
  [[nodiscard]] std::uint32_t onward(std::uint32_t spent, std::size_t from, std::size_t to) const {
    const Computation& computation = inspection_.computation();
    const bool stays =
        process_of(computation, graph_.rows[from]) == process_of(computation, graph_.rows[to]);
    return stays ? spent : cost::with_change(spent);
  }
  /// The automaton's steps at a vertex; none where states stay as they are.
  [[nodiscard]] const Steps* steps(std::size_t v) {
    if (!accepted_ || !is_labelled(v)) return nullptr;
    const Scene scene = inspection_.scene(graph_.rows[v]);
    if (!steps_[scene]) {
      steps_[scene] = flow_.automaton.step(letter(flow_.automaton, inspection_.observer(), scene));
    }
    return &*steps_[scene];
  }

  /// Calls `visit(cost, origin, to)` for every way to reach `v` in a state `to`.
  template <class Visit>
  void for_each_way(std::size_t v, const Visit& visit) {
    const Steps* const table = steps(v);
    const auto leave = [&](std::uint32_t before, const std::optional<Origin>& origin,
                           std::uint32_t q) {
      if (table == nullptr) return visit(before, origin, q);
      (*table)[q].for_each(
          [&](std::uint32_t to) { visit(to == q ? before : cost::with_turn(before), origin, to); });
    };
    if (graph_.before(v).empty()) leave(0, std::nullopt, 0);
    for (const std::uint32_t u : graph_.before(v)) {
      for (std::uint32_t q = 0; q < states_; ++q) {
        if (at(u, q) != none) leave(onward(at(u, q), u, v), Origin{u, q}, q);
      }
    }
  }

  void reach(std::size_t v) {
    for_each_way(v, [&](std::uint32_t found, const std::optional<Origin>&, std::uint32_t to) {
      std::uint32_t& known = at(v, to);
      known = std::min(known, to == 0 ? cost::without_turns(found) : found);
    });
  }

  /// Where the cheapest path to (v, state) comes from, the local predecessor where it can; none
  /// where it begins.
  [[nodiscard]] std::optional<Origin> origin(std::size_t v, std::uint32_t state) {
    std::uint32_t least = none;
    std::optional<Origin> best;
    for_each_way(v, [&](std::uint32_t found, const std::optional<Origin>& from, std::uint32_t to) {
      if (to != state || found >= least) return;
      least = found;
      best = from;
    });
    LIGHTCONE_ASSERT(least != none);
    return best;
  }

  const Inspection& inspection_;
  const CompiledFlow& flow_;
  const PastGraph& graph_;
  bool accepted_;
  std::uint32_t states_;
  std::vector<std::optional<Steps>> steps_;  // by scene
  std::vector<std::uint32_t> costs_;         // by vertex and state
};

}  // namespace

Expected<FlowWitness> flow_witness(const Inspection& inspection, const CompiledFlow& flow, Row row,
                                   std::size_t budget) {
  LIGHTCONE_ASSERT(inspection.answer(flow.property) != nullptr);
  LIGHTCONE_ASSERT(inspection.is_asked(flow.property, row));
  const PastGraph graph = past_of(inspection, flow, row);
  FlowWitness witness;
  witness.matches = inspection.answer(flow.property)->found_at(row);
  witness.flows = count_paths(graph);
  // The automaton accepts what decides: words that match, or for `every` those that do not.
  CheapestPath search(inspection, flow, graph, witness.matches != flow.every);
  if (search.bytes() > budget) return failure("the past of this event is too large to search");
  search.find(witness);
  return witness;
}

}  // namespace lightcone
