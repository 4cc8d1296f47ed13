// Rows are ordered by sweeps of barycentres (Sugiyama), then spread towards their neighbours.
#include "draw/lattice/lattice_layout.h"

#include <algorithm>
#include <numeric>

namespace lightcone::cli {
namespace {

constexpr int order_sweeps = 24, place_sweeps = 40;

class LatticeLayout {
 public:
  explicit LatticeLayout(const LatticeGraph& graph)
      : graph_(graph),
        below_(graph.cuts.size()),
        above_(graph.cuts.size()),
        place_(graph.cuts.size()) {
    for (const LatticeGraph::Edge& edge : graph.edges) {
      above_[edge.from].push_back(edge.to);
      below_[edge.to].push_back(edge.from);
    }
    for (std::size_t row = 0; row < graph.rows(); ++row) {
      rows_.emplace_back(graph.row_size(row));
      std::iota(rows_.back().begin(), rows_.back().end(), graph.row_begin[row]);
      number(row);
    }
  }

  [[nodiscard]] std::vector<double> places() {
    reduce_crossings();
    for (std::size_t row = 0; row < rows_.size(); ++row) number(row);
    for (int sweep = 0; sweep < place_sweeps; ++sweep) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        spread(sweep % 2 == 0 ? i : rows_.size() - 1 - i);
      }
    }
    const double least = *std::min_element(place_.begin(), place_.end());
    for (double& place : place_) place -= least;
    return place_;
  }

 private:
  using Neighbours = std::vector<std::vector<std::uint32_t>>;

  /// Places 0, 1, … around the middle of all rows.
  void number(std::size_t row) {
    const double middle = static_cast<double>(rows_[row].size() - 1) / 2;
    for (std::size_t i = 0; i < rows_[row].size(); ++i) {
      place_[rows_[row][i]] = static_cast<double>(i) - middle;
    }
  }

  void reduce_crossings() {
    auto best = rows_;
    std::size_t fewest = crossings();
    for (int sweep = 0; sweep < order_sweeps && fewest > 0; ++sweep) {
      const bool up = sweep % 2 == 0;
      for (std::size_t i = 1; i < rows_.size(); ++i) {
        sort(up ? i : rows_.size() - 1 - i, up ? below_ : above_);
      }
      if (const std::size_t now = crossings(); now < fewest) {
        fewest = now;
        best = rows_;
      }
    }
    rows_ = std::move(best);
  }

  void sort(std::size_t row, const Neighbours& neighbours) {
    std::ranges::stable_sort(rows_[row], {},
                             [&](std::uint32_t cut) { return mean(neighbours[cut]); });
    number(row);
  }

  [[nodiscard]] double mean(const std::vector<std::uint32_t>& cuts) const {
    double sum = 0;
    for (const std::uint32_t cut : cuts) sum += place_[cut];
    return cuts.empty() ? 0 : sum / static_cast<double>(cuts.size());
  }

  [[nodiscard]] std::size_t crossings() const {
    std::size_t count = 0;
    for (const auto& row : rows_) {
      std::vector<double> ends;  // of the edges that begin farther left
      for (const std::uint32_t cut : row) {
        for (const std::uint32_t to : above_[cut]) {
          count += static_cast<std::size_t>(
              std::ranges::count_if(ends, [&](double end) { return end > place_[to]; }));
        }
        for (const std::uint32_t to : above_[cut]) ends.push_back(place_[to]);
      }
    }
    return count;
  }

  /// Moves each cut of a row as near as possible to the mean of its neighbours. Distances of 1 are
  /// taken off, so that what remains is to find the nearest places in ascending order: neighbours
  /// that would swap share the mean of what they want (isotonic regression).
  void spread(std::size_t row) {
    struct Block {
      double sum;
      std::size_t size;
      [[nodiscard]] double place() const { return sum / static_cast<double>(size); }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < rows_[row].size(); ++i) {
      blocks.push_back({wanted(rows_[row][i]) - static_cast<double>(i), 1});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].place() > blocks.back().place()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back() = {blocks.back().sum + last.sum, blocks.back().size + last.size};
      }
    }
    std::size_t i = 0;
    for (const Block& block : blocks) {
      for (std::size_t k = 0; k < block.size; ++k, ++i) {
        place_[rows_[row][i]] = block.place() + static_cast<double>(i);
      }
    }
  }

  [[nodiscard]] double wanted(std::uint32_t cut) const {
    if (below_[cut].empty() && above_[cut].empty()) return 0;
    if (below_[cut].empty()) return mean(above_[cut]);
    if (above_[cut].empty()) return mean(below_[cut]);
    return (mean(below_[cut]) + mean(above_[cut])) / 2;
  }

  const LatticeGraph& graph_;
  Neighbours below_, above_;
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<double> place_;  // of each cut
};

}  // namespace

std::vector<double> lattice_places(const LatticeGraph& graph) {
  return LatticeLayout(graph).places();
}

}  // namespace lightcone::cli
