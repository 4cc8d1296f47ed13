// A greedy order: the next event closes the most; of several, the one with the smallest past.
#include <lightcone/lattice/eliminate/event_order.h>

#include <algorithm>
#include <set>

namespace lightcone {
namespace {

class GreedyEventOrder {
 public:
  GreedyEventOrder(const PositionGraph& graph, const std::vector<bool>& takes_part)
      : first_(graph.variables() + 1, 0) {
    for (std::uint32_t v = 0; v < graph.variables(); ++v) {
      first_[v + 1] = first_[v] + (takes_part[v] ? graph.stops(v) - 1 : 0);
      for (std::uint32_t stop = 1; takes_part[v] && stop < graph.stops(v); ++stop) {
        events_.push_back({v, stop});
        pasts_.push_back(
            size_of(graph.level().past(graph.chain(v), graph.first_position(v, stop))));
      }
    }
    neighbours_.resize(events_.size());
    for (std::uint32_t e = 0; e + 1 < events_.size(); ++e) {
      if (events_[e].variable == events_[e + 1].variable) connect(e, e + 1);
    }
    for (const auto& need : graph.needs()) {
      if (!takes_part[need.variable] || !takes_part[need.needed_variable]) continue;
      connect(first_[need.variable] + need.stop - 1,
              first_[need.needed_variable] + need.needed_stop - 1);
    }
    for (std::uint32_t e = 0; e < events_.size(); ++e) unopened_.insert({pasts_[e], e});
    missing_.resize(events_.size());
    for (std::uint32_t e = 0; e < events_.size(); ++e) missing_[e] = neighbours_[e].size();
    is_open_.resize(events_.size());
  }

  [[nodiscard]] std::vector<EventStep> run() {
    std::vector<EventStep> steps;
    while (!unopened_.empty()) {
      const std::uint32_t e = next();
      open(e, steps);
    }
    return steps;
  }

 private:
  void connect(std::uint32_t a, std::uint32_t b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  [[nodiscard]] std::uint32_t next() const {
    if (candidates_.empty()) return unopened_.begin()->second;
    std::uint32_t best = none;
    int best_growth = 0;
    for (const auto& [past, e] : candidates_) {
      const int growth = growth_of(e);
      if (best != none && growth >= best_growth) continue;
      best = e;
      best_growth = growth;
    }
    return best;
  }
  [[nodiscard]] int growth_of(std::uint32_t e) const {
    int growth = missing_[e] > 0 ? 1 : 0;
    for (const std::uint32_t f : neighbours_[e]) growth -= is_open_[f] && missing_[f] == 1 ? 1 : 0;
    return growth;
  }
  void open(std::uint32_t e, std::vector<EventStep>& steps) {
    unopened_.erase({pasts_[e], e});
    candidates_.erase({pasts_[e], e});
    is_open_[e] = true;
    steps.push_back({events_[e], true});
    for (const std::uint32_t f : neighbours_[e]) {
      if (!is_open_[f]) candidates_.insert({pasts_[f], f});
      if (--missing_[f] == 0 && is_open_[f]) steps.push_back({events_[f], false});
    }
    if (missing_[e] == 0) steps.push_back({events_[e], false});
  }

  using ByPast = std::set<std::pair<std::uint64_t, std::uint32_t>>;
  std::vector<std::uint32_t> first_;  // event of each variable
  std::vector<StopEvent> events_;
  std::vector<std::uint64_t> pasts_;  // how many events are before each
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::size_t> missing_;  // neighbours that are not open
  std::vector<bool> is_open_;         // or was
  ByPast unopened_, candidates_;
};

}  // namespace

std::vector<EventStep> event_order(const PositionGraph& graph,
                                   const std::vector<bool>& takes_part) {
  return GreedyEventOrder(graph, takes_part).run();
}

}  // namespace lightcone
