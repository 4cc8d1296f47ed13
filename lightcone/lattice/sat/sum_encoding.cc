// A decision diagram over the chains: its nodes say what the chains from here on must add up to.
// Where few partial sums differ it is small, and unit propagation follows all that it says.
#include <lightcone/lattice/sat/sum_encoding.h>

#include <lightcone/lattice/order/level.h>

#include <algorithm>
#include <map>

namespace lightcone {
namespace {

using Relation = Condition::Relation;
using Summand = Condition::Summand;

/// Beyond so many edges, or in a solver with so many literals, adders are used.
constexpr std::size_t most_edges = 200'000;
constexpr std::uint64_t most_literals = 20'000'000;

[[nodiscard]] SumPart part_of(const CutEncoding& cut, std::uint32_t chain,
                              const std::vector<std::int64_t>& values) {
  std::map<std::int64_t, std::uint32_t> numbers;
  for (Rank k = cut.lowest(chain); k <= cut.highest(chain); ++k) {
    numbers.try_emplace(values[k], static_cast<std::uint32_t>(numbers.size()));
  }
  std::vector<std::uint32_t> class_of(values.size());
  for (Rank k = cut.lowest(chain); k <= cut.highest(chain); ++k) {
    class_of[k] = numbers.at(values[k]);
  }
  const std::vector<Literal> literals = cut.classes(chain, class_of);
  SumPart part;
  for (const auto& [value, number] : numbers) part.addends.push_back({value, literals[number]});
  part.least = numbers.begin()->first;
  part.greatest = numbers.rbegin()->first;
  return part;
}

/// What a node asks of the chains that follow.
enum class Ask : std::uint8_t { nothing, impossible, more };

class Diagram {
 public:
  Diagram(std::span<const SumPart> parts, bool exact) : parts_(parts), exact_(exact) {
    least_.assign(parts.size() + 1, 0);
    greatest_.assign(parts.size() + 1, 0);
    for (std::size_t i = parts.size(); i-- > 0;) {
      least_[i] = least_[i + 1] + parts[i].least;
      greatest_[i] = greatest_[i + 1] + parts[i].greatest;
    }
  }

  [[nodiscard]] std::int64_t least() const { return least_[0]; }
  [[nodiscard]] std::int64_t greatest() const { return greatest_[0]; }

  /// Returns whether the diagram has few enough edges.
  [[nodiscard]] bool is_small(std::int64_t bound) const {
    std::size_t edges = 0;
    std::map<std::int64_t, Literal> layer{{bound, 0}};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      edges += layer.size() * parts_[i].addends.size();
      if (edges > most_edges) return false;
      std::map<std::int64_t, Literal> next;
      for (const auto& [need, literal] : layer) {
        for (const SumPart::Addend& addend : parts_[i].addends) {
          const std::int64_t left = rest(need, addend.value);
          if (ask(i + 1, left) == Ask::more) next.try_emplace(left, 0);
        }
      }
      layer = std::move(next);
    }
    return true;
  }

  void encode(SatSolver& solver, std::int64_t bound, Literal when) const {
    std::map<std::int64_t, Literal> layer{{bound, when}};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::map<std::int64_t, Literal> next;
      for (const auto& [need, node] : layer) {
        for (const SumPart::Addend& addend : parts_[i].addends) {
          const std::int64_t left = rest(need, addend.value);
          const Ask asked = ask(i + 1, left);
          if (asked == Ask::impossible) solver.add({-node, -addend.literal});
          if (asked != Ask::more) continue;
          const auto [at, is_new] = next.try_emplace(left, 0);
          if (is_new) at->second = solver.new_variable();
          solver.add({-node, -addend.literal, at->second});
        }
      }
      layer = std::move(next);
    }
  }

 private:
  [[nodiscard]] static std::int64_t rest(std::int64_t need, std::int64_t value) {
    std::int64_t left = 0;
    return __builtin_sub_overflow(need, value, &left) ? INT64_MAX : left;
  }

  /// What is asked of the parts from the i-th on.
  [[nodiscard]] Ask ask(std::size_t i, std::int64_t need) const {
    if (need > greatest_[i] || (exact_ && need < least_[i])) return Ask::impossible;
    if (exact_ ? least_[i] == greatest_[i] : need <= least_[i]) return Ask::nothing;
    return Ask::more;
  }

  std::span<const SumPart> parts_;
  bool exact_;
  std::vector<std::int64_t> least_, greatest_;  // of the parts from each on
};

}  // namespace

void require_sum(const CutEncoding& cut, std::span<const Summand> sum, Relation relation,
                 std::int64_t bound, Literal when) {
  const std::int64_t sign = relation == Relation::at_most ? -1 : 1;
  if (relation == Relation::at_most) relation = Relation::at_least;
  bound *= sign;
  std::map<std::uint32_t, std::vector<std::int64_t>> tables;  // by chain
  for (const Summand& summand : sum) {
    if (summand.chain == none) {
      bound -= sign * summand.values[0];
      continue;
    }
    std::vector<std::int64_t>& table = tables[summand.chain];
    table.resize(summand.values.size());
    for (std::size_t k = 0; k < table.size(); ++k) table[k] += sign * summand.values[k];
  }
  std::vector<SumPart> parts;
  for (const auto& [chain, values] : tables) parts.push_back(part_of(cut, chain, values));
  const Diagram diagram(parts, relation == Relation::equal);
  SatSolver& solver = cut.solver();
  if (bound > diagram.greatest() || (relation == Relation::equal && bound < diagram.least())) {
    solver.add({-when});
  } else if (relation == Relation::at_least && bound <= diagram.least()) {
    return;
  } else if (solver.size() < most_literals && diagram.is_small(bound)) {
    diagram.encode(solver, bound, when);
  } else {
    require_sum_of_bits(solver, parts, relation, bound, when);
  }
}

}  // namespace lightcone
