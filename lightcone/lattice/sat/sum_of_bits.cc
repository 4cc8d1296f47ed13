// Sums as binary numbers: a tree of ripple-carry adders, and a comparison with a constant.
#include <lightcone/lattice/sat/sum_encoding.h>

#include <algorithm>
#include <bit>

namespace lightcone {
namespace {

/// A number, from the lowest bit on.
using Bits = std::vector<Literal>;

class Adders {
 public:
  explicit Adders(SatSolver& solver) : solver_(&solver) {}

  /// Returns how far a part is above its least value.
  [[nodiscard]] Bits bits_of(const SumPart& part) {
    const auto above_least = [&](std::int64_t value) {
      return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(part.least);
    };
    Bits bits;
    for (int i = std::bit_width(above_least(part.greatest)); i > 0; --i) {
      bits.push_back(solver_->new_variable());
    }
    for (const SumPart::Addend& addend : part.addends) {
      for (std::size_t i = 0; i < bits.size(); ++i) {
        const bool set = (above_least(addend.value) >> i & 1) != 0;
        solver_->add({-addend.literal, set ? bits[i] : -bits[i]});
      }
    }
    return bits;
  }

  [[nodiscard]] Bits sum(const Bits& a, const Bits& b) {
    Bits bits;
    Literal carry = -solver_->always();
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const Literal x = i < a.size() ? a[i] : -solver_->always();
      const Literal y = i < b.size() ? b[i] : -solver_->always();
      bits.push_back(parity(x, y, carry));
      carry = majority(x, y, carry);
    }
    bits.push_back(carry);
    return bits;
  }

 private:
  [[nodiscard]] Literal parity(Literal x, Literal y, Literal z) {
    const Literal odd = solver_->new_variable();
    for (int negated = 0; negated < 8; ++negated) {
      const bool is_even = std::popcount(static_cast<unsigned>(negated)) % 2 == 0;
      solver_->add({(negated & 1) != 0 ? -x : x, (negated & 2) != 0 ? -y : y,
                    (negated & 4) != 0 ? -z : z, is_even ? -odd : odd});
    }
    return odd;
  }

  [[nodiscard]] Literal majority(Literal x, Literal y, Literal z) {
    const Literal most = solver_->new_variable();
    for (const auto& [a, b] : {std::pair(x, y), std::pair(x, z), std::pair(y, z)}) {
      solver_->add({-a, -b, most});
      solver_->add({a, b, -most});
    }
    return most;
  }

  SatSolver* solver_;
};

[[nodiscard]] bool bit(std::uint64_t number, std::size_t i) {
  return i < 64 && (number >> i & 1) != 0;
}

/// A number is less than the bound iff somewhere the bound has a bit that it lacks, and above there
/// no bit that the bound lacks; and so for greater, with bits the other way.
void compare(SatSolver& solver, const Bits& bits, std::uint64_t bound, bool at_least,
             Literal when) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bit(bound, i) != at_least) continue;
    std::vector<Literal> clause{-when, at_least ? bits[i] : -bits[i]};
    for (std::size_t j = i + 1; j < bits.size(); ++j) {
      if (bit(bound, j) != at_least) clause.push_back(at_least ? bits[j] : -bits[j]);
    }
    solver.add(clause);
  }
}

}  // namespace

void require_sum_of_bits(SatSolver& solver, std::span<const SumPart> parts,
                         Condition::Relation relation, std::int64_t bound, Literal when) {
  using Relation = Condition::Relation;
  Adders adders(solver);
  std::vector<Bits> numbers;
  auto above_least = static_cast<std::uint64_t>(bound);
  for (const SumPart& part : parts) {
    numbers.push_back(adders.bits_of(part));
    above_least -= static_cast<std::uint64_t>(part.least);
  }
  // The first two of a queue, so that numbers of one length are added.
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    numbers.push_back(adders.sum(numbers[i], numbers[i + 1]));
  }
  const Bits& total = numbers.back();
  if (relation != Relation::at_most) compare(solver, total, above_least, true, when);
  if (relation != Relation::at_least) compare(solver, total, above_least, false, when);
}

}  // namespace lightcone
