// Walks from one cut over the join of both to another, event by event. A sum that changes by at
// most 1 with each passes by every value between those at the ends; one that makes greater steps
// crosses a value often enough that some of many ways mostly meet it.
#include <lightcone/lattice/predicate/intermediate_sum.h>

#include <lightcone/base/random.h>
#include <lightcone/lattice/order/level.h>

#include <algorithm>

namespace lightcone {
namespace {

using Summand = Condition::Summand;

/// Which summands read each chain.
using Readers = std::vector<std::vector<const Summand*>>;

[[nodiscard]] Readers readers_of(const Level& level, std::span<const Summand> sum) {
  Readers readers(level.chains());
  for (const Summand& summand : sum) {
    if (summand.chain != none) readers[summand.chain].push_back(&summand);
  }
  return readers;
}

[[nodiscard]] std::int64_t at(const std::vector<const Summand*>& readers, Rank k) {
  std::int64_t value = 0;
  for (const Summand* summand : readers) value += summand->values[k];
  return value;
}

/// A way up in the lattice, with the sum on it.
class Walk {
 public:
  Walk(const Level& level, std::span<const Summand> sum, const Readers& readers)
      : level_(&level), sum_(sum), readers_(&readers) {}

  /// Goes from one cut to one above it until the sum has this value.
  [[nodiscard]] std::optional<Cut> meet(std::int64_t value, const Cut& from, const Cut& end) {
    cut_ = from;
    now_ = sum_at(sum_, cut_);
    std::vector<std::uint32_t> unfinished;
    for (std::uint32_t c = 0; c < end.size(); ++c) {
      if (from[c] < end[c]) unfinished.push_back(c);
    }
    while (now_ != value) {
      if (unfinished.empty()) return {};
      std::uint32_t& chosen =
          unfinished[random_.below(static_cast<std::uint32_t>(unfinished.size()))];
      if (cut_[chosen] == end[chosen]) {
        chosen = unfinished.back();
        unfinished.pop_back();
      } else {
        advance(possible(chosen));
      }
    }
    return cut_;
  }

 private:
  /// A chain whose next event can happen, so that this one's can sooner or later: from an event to
  /// one that must come before it, and so on. In a slice, events may wait for each other.
  [[nodiscard]] std::uint32_t possible(std::uint32_t chain) const {
    for (std::uint32_t tries = level_->chains(); tries > 0; --tries) {
      const auto past = level_->past(chain, cut_[chain] + 1);
      std::uint32_t c = 0;
      while (c < past.size() && (c == chain || past[c] <= cut_[c])) ++c;
      if (c == past.size()) break;
      chain = c;
    }
    return chain;
  }

  /// The next event of a chain, with all that comes with it in a slice.
  void advance(std::uint32_t chain) {
    const auto past = level_->past(chain, cut_[chain] + 1);
    for (std::uint32_t c = 0; c < past.size(); ++c) {
      if (past[c] <= cut_[c]) continue;
      now_ += at((*readers_)[c], past[c]) - at((*readers_)[c], cut_[c]);
      cut_[c] = past[c];
    }
  }

  const Level* level_;
  std::span<const Summand> sum_;
  const Readers* readers_;
  PortableRandom random_{1};  // always the same numbers, so that answers can be had again
  Cut cut_;
  std::int64_t now_ = 0;
};

}  // namespace

std::uint64_t greatest_step(const Level& level, std::span<const Summand> sum) {
  const Readers readers = readers_of(level, sum);
  std::uint64_t greatest = 0;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = level.bottom()[c] + 1; k <= level.top()[c]; ++k) {
      const std::int64_t before = at(readers[c], k - 1);
      const std::int64_t after = at(readers[c], k);
      const auto up = static_cast<std::uint64_t>(after) - static_cast<std::uint64_t>(before);
      greatest = std::max(greatest, after > before ? up : -up);
    }
  }
  return greatest;
}

std::optional<Cut> intermediate_sum(const Level& level, std::span<const Summand> sum,
                                    std::int64_t value, const Cut& low, const Cut& high,
                                    std::uint32_t ways) {
  const Readers readers = readers_of(level, sum);
  const Cut both = join(low, high);
  Walk walk(level, sum, readers);
  for (; ways > 0; --ways) {
    if (auto found = walk.meet(value, low, both)) return found;
    if (auto found = walk.meet(value, high, both)) return found;
  }
  return {};
}

}  // namespace lightcone
