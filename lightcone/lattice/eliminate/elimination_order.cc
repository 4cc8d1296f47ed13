// Greedy orders: the next chain is the one whose elimination costs least now.
#include <lightcone/lattice/eliminate/elimination_order.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace lightcone {
namespace {

/// Tables about more variables than this are not estimated: they are too large.
constexpr std::size_t widest_scope = 10;

/// Guesses how many entries tables have. A table about two variables has one entry for each pair of
/// stops that some cut has: that is counted. Others are guessed from pairs.
class TableSizes {
 public:
  explicit TableSizes(const PositionGraph& graph) : graph_(graph) {}

  [[nodiscard]] double of(const std::vector<std::uint32_t>& scope) {
    if (scope.size() > widest_scope) return std::numeric_limits<double>::infinity();
    double size = 1;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      double choices = graph_.stops(scope[i]);
      for (std::size_t j = 0; j < i; ++j) {
        choices = std::min(choices, pairs(scope[j], scope[i]) / graph_.stops(scope[j]));
      }
      size *= choices;
    }
    return size;
  }
  [[nodiscard]] double pairs(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    double& pairs = pairs_[std::uint64_t{a} << 32 | b];
    if (pairs == 0) {
      const auto bounds = graph_.bounds(a, b);
      for (std::size_t x = 0; x < bounds.first.size(); ++x) {
        pairs += bounds.last[x] - bounds.first[x] + 1;
      }
    }
    return pairs;
  }

 private:
  const PositionGraph& graph_;
  std::unordered_map<std::uint64_t, double> pairs_;
};

enum class Preference : std::uint8_t { least_table, least_fill };

/// Eliminates variables in the graph alone.
class GreedyOrder {
 public:
  GreedyOrder(const PositionGraph& graph, TableSizes& sizes, Preference preference)
      : sizes_(sizes), preference_(preference), neighbours_(graph.neighbours()) {
    for (std::uint32_t v = 0; v < graph.variables(); ++v) left_.push_back(v);
    scores_.resize(left_.size());
    for (const std::uint32_t v : left_) scores_[v] = score(v);
  }

  [[nodiscard]] EliminationOrder run() {
    EliminationOrder order;
    while (!left_.empty()) {
      const auto best = std::min_element(left_.begin(), left_.end(),
                                         [&](auto a, auto b) { return scores_[a] < scores_[b]; });
      const std::uint32_t v = *best;
      left_.erase(best);
      order.steps.push_back({v, neighbours_[v]});
      const double size = sizes_.of(neighbours_[v]);
      order.entries += size;
      order.largest = std::max(order.largest, size);
      order.width = std::max(order.width, static_cast<std::uint32_t>(neighbours_[v].size()));
      if (std::isinf(order.entries)) return order;
      remove(v);
    }
    sort_scopes(order);
    return order;
  }

 private:
  struct Score {
    double first, second;
    [[nodiscard]] bool operator<(const Score& other) const {
      return first < other.first || (first == other.first && second < other.second);
    }
  };

  [[nodiscard]] bool are_neighbours(std::uint32_t a, std::uint32_t b) const {
    return std::binary_search(neighbours_[a].begin(), neighbours_[a].end(), b);
  }
  /// A variable with one neighbour leaves no new table: it comes first.
  [[nodiscard]] Score score(std::uint32_t v) {
    const auto& around = neighbours_[v];
    if (around.size() <= 1) return {-1, double(around.size())};
    const double size = sizes_.of(around);
    if (preference_ == Preference::least_table || std::isinf(size)) return {size, 0};
    double fill = 0;
    for (std::size_t i = 0; i < around.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!are_neighbours(around[i], around[j])) fill += sizes_.pairs(around[i], around[j]);
      }
    }
    return {fill, size};
  }
  /// Its neighbours become neighbours of each other.
  void remove(std::uint32_t v) {
    const std::vector<std::uint32_t> around = std::move(neighbours_[v]);
    for (const std::uint32_t a : around) {
      auto& others = neighbours_[a];
      std::vector<std::uint32_t> united;
      std::set_union(others.begin(), others.end(), around.begin(), around.end(),
                     std::back_inserter(united));
      std::erase_if(united, [&](std::uint32_t b) { return b == a || b == v; });
      others = std::move(united);
    }
    for (const std::uint32_t a : around) scores_[a] = score(a);
    if (preference_ == Preference::least_table || around.size() < 2) return;
    // What was fill for others may be there now.
    for (const std::uint32_t a : around) {
      for (const std::uint32_t b : neighbours_[a]) scores_[b] = score(b);
    }
  }
  static void sort_scopes(EliminationOrder& order) {
    std::vector<std::uint32_t> place(order.steps.size());
    for (std::uint32_t i = 0; i < place.size(); ++i) place[order.steps[i].variable] = i;
    for (auto& step : order.steps) {
      std::sort(step.scope.begin(), step.scope.end(),
                [&](std::uint32_t a, std::uint32_t b) { return place[a] > place[b]; });
    }
  }

  TableSizes& sizes_;
  Preference preference_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::uint32_t> left_;
  std::vector<Score> scores_;
};

}  // namespace

EliminationOrder elimination_order(const PositionGraph& graph) {
  TableSizes sizes(graph);
  EliminationOrder best = GreedyOrder(graph, sizes, Preference::least_table).run();
  if (best.width <= 1) return best;
  EliminationOrder other = GreedyOrder(graph, sizes, Preference::least_fill).run();
  return other.entries < best.entries ? other : best;
}

}  // namespace lightcone
