// Walks up the lattice: chains in a forbidden state advance.
#include <lightcone/lattice/predicate/least_cut.h>

#include <lightcone/error.h>

#include <algorithm>

namespace lightcone {
namespace {

using Form = Condition::Form;
using Relation = Condition::Relation;
using Summand = Condition::Summand;

/// Returns whether the summand can bring the sum nearer to a bound above it (or below), by
/// advancing.
[[nodiscard]] bool can_help(const Summand& summand, bool upward, bool advancing) {
  const auto& values = summand.values;
  for (std::size_t k = 1; k < values.size(); ++k) {
    const bool grows = values[k] > values[k - 1];
    if (values[k] != values[k - 1] && (grows == upward) == advancing) return true;
  }
  return false;
}

[[nodiscard]] std::size_t helpful(const Condition& sum, bool upward, bool advancing) {
  return static_cast<std::size_t>(
      std::count_if(sum.sum.begin(), sum.sum.end(),
                    [&](const Summand& summand) { return can_help(summand, upward, advancing); }));
}

/// Returns whether one chain is to blame wherever the sum is off, when chains advance (or go back).
[[nodiscard]] bool has_one_to_blame(const Condition& sum, bool advancing) {
  const bool up = sum.relation != Relation::at_most;
  const bool down = sum.relation != Relation::at_least;
  return (!up || helpful(sum, true, advancing) <= 1) &&
         (!down || helpful(sum, false, advancing) <= 1);
}

template <class OfSum>
[[nodiscard]] bool holds_of_parts(const Condition& condition, const OfSum& of_sum) {
  switch (condition.form) {
    case Form::constant:
    case Form::local: return true;
    case Form::sum: return of_sum(condition);
    case Form::all:
      return std::all_of(condition.parts.begin(), condition.parts.end(),
                         [&](const Condition& part) { return holds_of_parts(part, of_sum); });
    default: return false;
  }
}

/// A sum, and the chains that can change it.
struct WatchedSum {
  const Condition* sum;
  std::uint32_t to_raise = none, to_lower = none;  // chains, or none
};

[[nodiscard]] std::uint32_t who_helps(const Condition& sum, bool upward) {
  for (const Summand& summand : sum.sum) {
    if (can_help(summand, upward, true)) return summand.chain;
  }
  return none;
}

class Ascent {
 public:
  Ascent(const Level& level, const Condition& condition, Cut start)
      : level_(level), cut_(std::move(start)), tables_(level.chains(), nullptr) {
    watch(condition);
  }

  [[nodiscard]] std::optional<Cut> run() {
    if (impossible_) return std::nullopt;
    cut_ = closure(level_, std::move(cut_));
    if (!is_within(cut_, level_.top())) return std::nullopt;
    for (std::uint32_t c = 0; c < level_.chains(); ++c) open_.push_back(c);
    do {
      while (!open_.empty()) {
        const std::uint32_t chain = open_.back();
        open_.pop_back();
        if (!satisfy_table(chain)) return std::nullopt;
      }
      if (!satisfy_sums()) return std::nullopt;
    } while (!open_.empty());
    return std::move(cut_);
  }

 private:
  void watch(const Condition& condition) {
    switch (condition.form) {
      case Form::constant: impossible_ |= !condition.truth; break;
      case Form::local: tables_[condition.local.chain] = &condition.local; break;
      case Form::sum:
        sums_.push_back({&condition, who_helps(condition, true), who_helps(condition, false)});
        break;
      case Form::all:
        for (const Condition& part : condition.parts) watch(part);
        break;
      default: LIGHTCONE_ASSERT(false);
    }
  }

  /// Advances the chain to the first state that its table allows.
  [[nodiscard]] bool satisfy_table(std::uint32_t chain) {
    if (tables_[chain] == nullptr) return true;
    const auto& values = tables_[chain]->values;
    Rank k = cut_[chain];
    while (k <= level_.top()[chain] && values[k] == 0) ++k;
    return k == cut_[chain] || advance(chain, k);
  }

  /// One step for each sum that is off; a chain that moved is open again.
  [[nodiscard]] bool satisfy_sums() {
    for (const WatchedSum& watched : sums_) {
      std::int64_t total = 0;
      for (const Summand& summand : watched.sum->sum) total += summand.at(cut_);
      const bool low = total < watched.sum->bound && watched.sum->relation != Relation::at_most;
      const bool high = total > watched.sum->bound && watched.sum->relation != Relation::at_least;
      if (!low && !high) continue;
      const std::uint32_t chain = low ? watched.to_raise : watched.to_lower;
      if (chain == none || !advance(chain, cut_[chain] + 1)) return false;
    }
    return true;
  }

  [[nodiscard]] bool advance(std::uint32_t chain, Rank k) {
    if (k > level_.top()[chain]) return false;
    const auto past = level_.past(chain, k);
    for (std::uint32_t c = 0; c < past.size(); ++c) {
      if (past[c] <= cut_[c]) continue;
      if (past[c] > level_.top()[c]) return false;
      cut_[c] = past[c];
      open_.push_back(c);
    }
    return true;
  }

  const Level& level_;
  Cut cut_;
  std::vector<const Condition::Local*> tables_;  // by chain
  std::vector<WatchedSum> sums_;
  std::vector<std::uint32_t> open_;  // chains that moved
  bool impossible_ = false;
};

}  // namespace

bool is_linear(const Condition& condition) {
  return holds_of_parts(condition,
                        [](const Condition& sum) { return has_one_to_blame(sum, true); });
}

bool is_regular(const Condition& condition) {
  return holds_of_parts(condition, [](const Condition& sum) {
    return has_one_to_blame(sum, true) && has_one_to_blame(sum, false);
  });
}

std::optional<Cut> least_cut(const Level& level, const Condition& condition, Cut start) {
  return Ascent(level, condition, std::move(start)).run();
}

}  // namespace lightcone
