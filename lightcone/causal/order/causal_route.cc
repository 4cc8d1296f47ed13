// Finds shortest causal paths in one walk along a linear extension.
#include <lightcone/causal/order/causal_route.h>

#include <algorithm>
#include <tuple>

namespace lightcone {
namespace {

/// A causal path from one state to a later one lies between them in any linear extension. So the
/// search for each leg of the route looks at that stretch of the order only, and all legs of a
/// causal path together look at each event once.
class RouteSearch {
 public:
  explicit RouteSearch(const Computation& computation)
      : computation_(computation),
        position_(computation.row_count(), 0),  // initial states stand before all events
        cost_(computation.row_count()) {
    std::uint32_t position = 0;
    for (const EventIndex e : computation.order()) position_[e] = ++position;
  }

  /// The rows after `from` up to `to` on the best way; empty if there is none.
  [[nodiscard]] std::vector<Row> way(Row from, Row to) {
    if (position_[from] >= position_[to]) return {};
    ++leg_;
    cost_[from] = {leg_, 0, 0};
    const auto stretch =
        computation_.order().subspan(position_[from], std::size_t{position_[to]} - position_[from]);
    for (const EventIndex e : stretch) cost_[e] = best_before(e).cost;
    std::vector<Row> rows;
    if (cost_[to].leg != leg_) return rows;
    for (Row row = to; row != from; row = best_before(row).row) rows.push_back(row);
    std::reverse(rows.begin(), rows.end());
    return rows;
  }

 private:
  struct Cost {
    std::uint32_t leg = 0;  // for which leg this was found; that of another means nothing
    std::uint32_t messages = 0;
    std::uint32_t events = 0;
  };
  struct Best {
    Row row = none;
    Cost cost;  // of the event that comes after `row`
  };

  [[nodiscard]] Best best_before(EventIndex e) const {
    Best best;
    const auto consider = [&](Row row, std::uint32_t messages) {
      if (cost_[row].leg != leg_) return;
      const Cost cost{leg_, cost_[row].messages + messages, cost_[row].events + 1};
      if (best.row == none ||
          std::tie(cost.messages, cost.events) < std::tie(best.cost.messages, best.cost.events)) {
        best = {row, cost};
      }
    };
    consider(
        computation_.rank_of(e) > 1 ? e - 1 : computation_.initial_row(computation_.process_of(e)),
        0);
    for (const MessageIndex m : computation_.takes(e)) consider(computation_.sent_by(m), 1);
    return best;
  }

  const Computation& computation_;
  std::vector<std::uint32_t> position_;
  std::vector<Cost> cost_;
  std::uint32_t leg_ = 0;
};

}  // namespace

std::vector<RouteStep> causal_route(const Computation& computation, std::span<const Row> path) {
  std::vector<RouteStep> route;
  if (path.empty()) return route;
  RouteSearch search(computation);
  route.push_back({path[0], true, false});
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i] == path[i - 1]) continue;
    const std::vector<Row> way = search.way(path[i - 1], path[i]);
    for (const Row row : way) route.push_back({row, row == path[i], true});
    if (way.empty()) route.push_back({path[i], true, false});
  }
  return route;
}

}  // namespace lightcone
