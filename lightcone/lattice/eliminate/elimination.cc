// Chooses how to eliminate, and the smallest kind of numbers that suffices.
#include <lightcone/lattice/eliminate/elimination.h>

#include <lightcone/error.h>
#include <lightcone/lattice/eliminate/chain_elimination.h>
#include <lightcone/lattice/eliminate/event_elimination.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

namespace lightcone {
namespace {

/// The logarithm of the number of combinations of positions: there are no more cuts.
[[nodiscard]] double log_of_combinations(const PositionGraph& graph) {
  double bits = 0;
  for (std::uint32_t v = 0; v < graph.variables(); ++v) {
    const std::uint32_t c = graph.chain(v);
    bits += std::log2(double(graph.interval().upper[c] - graph.interval().lower[c]) + 1);
  }
  return bits;
}

/// What a position adds to the sum that cuts are counted by.
[[nodiscard]] std::uint32_t summand(const PositionGraph& graph, const EliminationRequest& request,
                                    std::uint32_t chain, Rank position) {
  if (request.summands != nullptr) return (*request.summands)[chain][position];
  return position - graph.interval().lower[chain];
}

/// The greatest sum, if chains were independent.
[[nodiscard]] double most_digits(const PositionGraph& graph, const EliminationRequest& request) {
  double digits = 1;
  for (std::uint32_t v = 0; v < graph.variables(); ++v) {
    const std::uint32_t c = graph.chain(v);
    std::uint32_t most = 0;
    for (Rank x = graph.interval().lower[c]; x <= graph.interval().upper[c]; ++x) {
      most = std::max(most, summand(graph, request, c, x));
    }
    digits += most;
  }
  return digits;
}

template <class Number>
[[nodiscard]] Number weight_of(const PositionGraph& graph, const EliminationRequest& /*request*/,
                               std::uint32_t variable, std::uint32_t stop) {
  return Number(graph.positions(variable, stop));
}

/// Positions add 1 to the digit of their summand.
template <>
[[nodiscard]] ShiftedNumber weight_of<ShiftedNumber>(const PositionGraph& graph,
                                                     const EliminationRequest& request,
                                                     std::uint32_t variable, std::uint32_t stop) {
  std::vector<std::uint64_t> limbs;
  for (Rank x = graph.first_position(variable, stop); x <= graph.last_position(variable, stop);
       ++x) {
    const std::size_t digit = summand(graph, request, graph.chain(variable), x);
    limbs.resize(std::max(limbs.size(), digit * request.limbs_per_digit + 1), 0);
    ++limbs[digit * request.limbs_per_digit];
  }
  return ShiftedNumber(NaturalNumber(std::move(limbs)));
}

template <class Number>
[[nodiscard]] std::vector<std::vector<Number>> weights_of(const PositionGraph& graph,
                                                          const EliminationRequest& request) {
  std::vector<std::vector<Number>> weights(graph.variables());
  for (std::uint32_t v = 0; v < graph.variables(); ++v) {
    weights[v].reserve(graph.stops(v));
    for (std::uint32_t x = 0; x < graph.stops(v); ++x) {
      weights[v].push_back(weight_of<Number>(graph, request, v, x));
    }
  }
  return weights;
}

/// An elimination with one kind of numbers.
template <class Number>
class EliminationWith : public Elimination {
 public:
  EliminationWith(const PositionGraph& graph, const EliminationRequest& request, double entry_bytes)
      : graph_(graph),
        request_(request),
        most_held_(request.bytes / entry_bytes),
        order_(elimination_order(graph)),
        by_chains_budget_(most_held_, request.work, request.deadline),
        by_chains_(graph, weights_of<Number>(graph, request), request.draws, by_chains_budget_) {}

  /// Returns whether it was possible.
  [[nodiscard]] bool run() {
    std::size_t next = 0;
    for (; next < order_.steps.size() && order_.steps[next].scope.size() <= 1; ++next) {
      if (!by_chains_.eliminate(order_.steps[next])) return false;
      width_ = std::max(width_, static_cast<std::uint32_t>(order_.steps[next].scope.size()));
    }
    if (next == order_.steps.size()) return true;
    constexpr double few_entries = 4096;
    if (order_.entries > few_entries && run_by_events(next)) return true;
    if (order_.largest > most_held_ || order_.entries > request_.work) return false;
    width_ = order_.width;
    for (; next < order_.steps.size(); ++next) {
      if (!by_chains_.eliminate(order_.steps[next])) return false;
    }
    return true;
  }

  [[nodiscard]] NaturalNumber count() const override {
    NaturalNumber result = natural(by_chains_.constant());
    if (by_events_) result *= natural(by_events_->result());
    return result;
  }
  [[nodiscard]] std::uint32_t width() const override { return width_; }

  void draw(Cut& cut, RandomBits& bits) const override {
    LIGHTCONE_ASSERT(request_.draws && request_.limbs_per_digit == 0);
    std::vector<std::uint32_t> stops(graph_.variables(), 0);
    if constexpr (!std::is_same_v<Number, ShiftedNumber>) {
      const auto below = [&](const Number& end) { return Number(random_below(end, bits)); };
      if (by_events_) by_events_->draw(stops, below);
      by_chains_.draw(stops, below);
    }
    for (std::uint32_t v = 0; v < graph_.variables(); ++v) {
      const std::uint64_t within = random_below(graph_.positions(v, stops[v]), bits);
      cut[graph_.chain(v)] = graph_.first_position(v, stops[v]) + static_cast<Rank>(within);
    }
  }

 private:
  /// Eliminates by events what was not eliminated before step `next`, unless that takes more than
  /// by chains.
  [[nodiscard]] bool run_by_events(std::size_t next) {
    std::vector<bool> takes_part(graph_.variables(), true);
    for (std::size_t i = 0; i < next; ++i) takes_part[order_.steps[i].variable] = false;
    by_events_budget_.emplace(most_held_, std::min(request_.work, order_.entries),
                              request_.deadline);
    by_events_.emplace(graph_, takes_part, request_.draws, *by_events_budget_);
    if (by_events_->run([&](std::uint32_t v) -> const auto& { return by_chains_.weights(v); })) {
      width_ = std::max(width_, by_events_->width());
      return true;
    }
    by_events_.reset();
    return false;
  }

  const PositionGraph& graph_;
  EliminationRequest request_;
  double most_held_;  // entries
  EliminationOrder order_;
  EliminationBudget by_chains_budget_;
  ChainElimination<Number> by_chains_;
  std::optional<EliminationBudget> by_events_budget_;
  std::optional<EventElimination<Number>> by_events_;
  std::uint32_t width_ = 0;
};

template <class Number>
[[nodiscard]] std::unique_ptr<const Elimination> eliminate_with(const PositionGraph& graph,
                                                                const EliminationRequest& request,
                                                                double number_bytes) {
  constexpr double key_bytes = 8;
  auto elimination =
      std::make_unique<EliminationWith<Number>>(graph, request, number_bytes + key_bytes);
  if (!elimination->run()) return nullptr;
  return elimination;
}

}  // namespace

std::unique_ptr<const Elimination> eliminate(const PositionGraph& graph,
                                             const EliminationRequest& request) {
  const double bits = log_of_combinations(graph);
  if (request.limbs_per_digit != 0) {
    // A number rarely has more than a part of all digits.
    const double limbs = most_digits(graph, request) * request.limbs_per_digit / 4;
    return eliminate_with<ShiftedNumber>(graph, request, limbs * sizeof(std::uint64_t));
  }
  constexpr double word = 63.5;
  if (bits < word) return eliminate_with<std::uint64_t>(graph, request, sizeof(std::uint64_t));
  if (bits < 2 * word) return eliminate_with<DoubleWord>(graph, request, sizeof(DoubleWord));
  return eliminate_with<NaturalNumber>(graph, request, sizeof(NaturalNumber) + bits / 8);
}

}  // namespace lightcone
