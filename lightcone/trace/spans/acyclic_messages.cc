// Cycles lie within strongly connected components. Inside of one, edges are added to an order that
// is kept topological.
#include <lightcone/trace/spans/acyclic_messages.h>

#include <algorithm>
#include <queue>

namespace lightcone {
namespace {

constexpr std::uint32_t nothing = UINT32_MAX;

/// The edges that leave or reach each event.
class EdgeLists {
 public:
  enum class By { from, to };
  EdgeLists(std::size_t events, std::span<const EventEdge> edges, By by) : begin_(events + 1, 0) {
    const auto end_of = [by](const EventEdge& edge) {
      return by == By::from ? edge.from : edge.to;
    };
    for (const EventEdge& edge : edges) ++begin_[end_of(edge) + 1];
    for (std::size_t e = 0; e < events; ++e) begin_[e + 1] += begin_[e];
    edges_.resize(edges.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < edges.size(); ++i) edges_[next[end_of(edges[i])]++] = i;
  }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t event) const {
    return {edges_.data() + begin_[event], begin_[event + 1] - begin_[event]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> edges_;
};

/// For each event whether it is the last one of its process.
[[nodiscard]] std::vector<bool> last_events(std::span<const std::uint32_t> first) {
  std::vector<bool> last(first.back(), false);
  for (std::size_t p = 0; p + 1 < first.size(); ++p) {
    if (first[p + 1] > first[p]) last[first[p + 1] - 1] = true;
  }
  return last;
}

/// Tarjan's algorithm, without recursion. Each event gets the number of its component.
class Components {
 public:
  Components(const std::vector<bool>& last, std::span<const EventEdge> edges)
      : last_(last),
        edges_(edges),
        leaving_(last.size(), edges, EdgeLists::By::from),
        of_(last.size(), nothing),
        number_(last.size(), nothing),
        low_(last.size(), 0) {
    for (std::uint32_t e = 0; e < last.size(); ++e) {
      if (number_[e] == nothing) visit(e);
    }
  }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t event) const { return of_[event]; }

 private:
  struct Visit {
    std::uint32_t event;
    std::uint32_t next;  // of its successors
  };

  [[nodiscard]] std::uint32_t successor(std::uint32_t event, std::uint32_t i) const {
    const auto leaving = leaving_[event];
    if (i < leaving.size()) return edges_[leaving[i]].to;
    return i == leaving.size() && !last_[event] ? event + 1 : nothing;
  }

  void visit(std::uint32_t root) {
    begin(root);
    while (!path_.empty()) {
      Visit& at = path_.back();
      const std::uint32_t next = successor(at.event, at.next++);
      if (next == nothing) {
        end(at.event);
      } else if (number_[next] == nothing) {
        begin(next);
      } else if (of_[next] == nothing) {
        low_[at.event] = std::min(low_[at.event], number_[next]);
      }
    }
  }

  void begin(std::uint32_t event) {
    number_[event] = low_[event] = visited_++;
    open_.push_back(event);
    path_.push_back({event, 0});
  }

  void end(std::uint32_t event) {
    path_.pop_back();
    if (!path_.empty()) {
      low_[path_.back().event] = std::min(low_[path_.back().event], low_[event]);
    }
    if (low_[event] != number_[event]) return;
    std::uint32_t member = nothing;
    do {
      member = open_.back();
      open_.pop_back();
      of_[member] = event;
    } while (member != event);
  }

  const std::vector<bool>& last_;
  std::span<const EventEdge> edges_;
  EdgeLists leaving_;
  std::vector<std::uint32_t> of_, number_, low_;
  std::vector<std::uint32_t> open_;
  std::vector<Visit> path_;
  std::uint32_t visited_ = 0;
};

/// A graph that stays acyclic, with a topological order that changes where a new edge asks for it
/// (Pearce and Kelly, 2006).
class GrowingOrder {
 public:
  /// Begins with the order of the processes; `order` must respect it.
  GrowingOrder(const std::vector<bool>& last, std::span<const std::uint32_t> order)
      : last_(last),
        rank_(last.size(), 0),
        leaving_(last.size()),
        reaching_(last.size()),
        seen_(last.size(), 0) {
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
  }

  /// Returns whether the edge was added: it was not, if it closes a cycle.
  [[nodiscard]] bool add(EventEdge edge) {
    if (rank_[edge.from] > rank_[edge.to] && !make_room(edge)) return false;
    leaving_[edge.from].push_back(edge.to);
    reaching_[edge.to].push_back(edge.from);
    return true;
  }
  /// Returns how many events have been looked at.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  /// Moves what the edge leads to behind what it comes from. Returns false if that is a cycle.
  [[nodiscard]] bool make_room(EventEdge edge) {
    const std::uint32_t lowest = rank_[edge.to], highest = rank_[edge.from];
    ++round_;
    after_.assign(1, edge.to);
    seen_[edge.to] = round_;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      const std::uint32_t event = after_[i];
      if (event == edge.from) return false;
      const auto reach = [&](std::uint32_t next) {
        if (rank_[next] <= highest) see(next, after_);
      };
      if (!last_[event]) reach(event + 1);
      for (const std::uint32_t next : leaving_[event]) reach(next);
    }
    before_.assign(1, edge.from);
    seen_[edge.from] = round_;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const std::uint32_t event = before_[i];
      const auto reach = [&](std::uint32_t next) {
        if (rank_[next] >= lowest) see(next, before_);
      };
      if (event > 0 && !last_[event - 1]) reach(event - 1);
      for (const std::uint32_t next : reaching_[event]) reach(next);
    }
    reorder();
    return true;
  }

  void see(std::uint32_t event, std::vector<std::uint32_t>& into) {
    ++work_;
    if (seen_[event] == round_) return;
    seen_[event] = round_;
    into.push_back(event);
  }

  /// The ranks of all these events, given first to those before and then to those after.
  void reorder() {
    const auto by_rank = [&](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; };
    std::sort(before_.begin(), before_.end(), by_rank);
    std::sort(after_.begin(), after_.end(), by_rank);
    before_.insert(before_.end(), after_.begin(), after_.end());
    ranks_.clear();
    for (const std::uint32_t event : before_) ranks_.push_back(rank_[event]);
    std::sort(ranks_.begin(), ranks_.end());
    for (std::size_t i = 0; i < ranks_.size(); ++i) rank_[before_[i]] = ranks_[i];
  }

  const std::vector<bool>& last_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::vector<std::uint32_t>> leaving_, reaching_;
  std::vector<std::uint32_t> seen_;  // in which round an event was last seen
  std::vector<std::uint32_t> after_, before_, ranks_;
  std::uint32_t round_ = 0;
  std::uint64_t work_ = 0;
};

/// All events in an order of the processes that most edges agree with: where all events wait, the
/// next one of a process goes on without its messages.
[[nodiscard]] std::vector<std::uint32_t> likely_order(std::span<const std::uint32_t> first,
                                                      std::span<const EventEdge> edges) {
  const std::vector<bool> last = last_events(first);
  const EdgeLists leaving(last.size(), edges, EdgeLists::By::from);
  std::vector<std::uint32_t> waits(last.size(), 0);
  for (const EventEdge& edge : edges) ++waits[edge.to];
  std::vector<bool> reached(last.size(), false);  // all before it in its process are done
  std::vector<bool> done(last.size(), false);
  std::vector<std::uint32_t> order;
  order.reserve(last.size());
  const auto take = [&](std::uint32_t event) {
    if (done[event] || !reached[event]) return;
    done[event] = true;
    order.push_back(event);
  };
  std::queue<std::uint32_t> stuck;  // has waited since it was reached
  const auto reach = [&](std::uint32_t event) {
    reached[event] = true;
    if (waits[event] == 0)
      take(event);
    else
      stuck.push(event);
  };
  for (std::size_t p = 0; p + 1 < first.size(); ++p) {
    if (first[p] < first[p + 1]) reach(first[p]);
  }
  for (std::size_t i = 0; order.size() < last.size(); ++i) {
    while (i == order.size()) {
      take(stuck.front());
      stuck.pop();
    }
    const std::uint32_t event = order[i];
    for (const std::uint32_t edge : leaving[event]) {
      if (--waits[edges[edge].to] == 0) take(edges[edge].to);
    }
    if (!last[event]) reach(event + 1);
  }
  return order;
}

}  // namespace

std::vector<std::uint32_t> causal_order(std::span<const std::uint32_t> first,
                                        std::span<const EventEdge> edges) {
  const std::size_t events = first.back();
  const EdgeLists leaving(events, edges, EdgeLists::By::from);
  const std::vector<bool> last = last_events(first);
  std::vector<std::uint32_t> waits(events, 1);  // for the one before it in its process
  for (std::size_t p = 0; p + 1 < first.size(); ++p) {
    if (first[p] < first[p + 1]) waits[first[p]] = 0;
  }
  for (const EventEdge& edge : edges) ++waits[edge.to];
  std::vector<std::uint32_t> order;
  order.reserve(events);
  for (std::size_t p = 0; p + 1 < first.size(); ++p) {
    if (first[p] < first[p + 1] && waits[first[p]] == 0) order.push_back(first[p]);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t event = order[i];
    for (const std::uint32_t edge : leaving[event]) {
      if (--waits[edges[edge].to] == 0) order.push_back(edges[edge].to);
    }
    if (!last[event] && --waits[event + 1] == 0) order.push_back(event + 1);
  }
  return order;
}

std::optional<std::vector<bool>> cycle_closing_edges(std::span<const std::uint32_t> first,
                                                     std::span<const EventEdge> edges) {
  constexpr std::uint64_t most_work = std::uint64_t{1} << 31;
  const std::vector<bool> last = last_events(first);
  std::vector<bool> dropped(edges.size(), false);
  const Components component(last, edges);
  GrowingOrder order(last, likely_order(first, edges));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (component[edges[i].from] != component[edges[i].to]) continue;
    dropped[i] = !order.add(edges[i]);
    if (order.work() > most_work) return std::nullopt;
  }
  return dropped;
}

}  // namespace lightcone
