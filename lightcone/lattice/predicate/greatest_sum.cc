// Maximum-weight closure by a maximum flow that uses the pasts of the level instead of edges.
//
// An event gains f(k) - f(k-1), or loses where that is negative; the events of a consistent cut are
// a closed set, and its value is what they gain and lose on top of the bottom's. Let losses make up
// for gains: every unit of a gain may be covered by one unit of a loss in its past. No closed set
// gains more than the uncovered gains in all, since it has the losses that cover the gains in it.
//
// Gains are looked at one by one. One that the losses of its past have not enough to spare for
// takes some from gains beyond, which can take others instead. Let R be what can be reached so:
// past(e), and with every loss in R the gain that it covers, and the past of that one. If R has
// nothing to spare, then it is a cut whose losses all cover gains inside of it, and the rest of e
// stays uncovered. No later change goes through R, for what enters it cannot leave it. So R goes
// into the result, and in the end the result's value is the uncovered gains: it is the greatest.
// It holds only what any greatest cut must hold, so that it is the least of them.
//
// Pasts are transitive, so R is a cut, and to reach a gain is to join a row of the level. The last
// loss of the own chain comes first; mostly it suffices. Only where some cut comes near to the
// greatest value found so far does a search go beyond the past of an event.
#include <lightcone/lattice/predicate/greatest_sum.h>

#include <lightcone/causal/order/vector_code.h>
#include <lightcone/lattice/order/level.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

using Summand = Condition::Summand;
using Amount = std::uint64_t;  // differences of numbers up to ±2^62 need 64 bits and no sign

/// b - a, where it is not negative.
[[nodiscard]] Amount difference(std::int64_t a, std::int64_t b) {
  return static_cast<Amount>(b) - static_cast<Amount>(a);
}

/// Whether an entry of `a` is no greater than that of `b`.
LIGHTCONE_VECTOR_CODE
[[nodiscard]] bool has_entry_within(const Rank* a, const Rank* b, std::size_t size) {
  std::uint32_t within = 0;
  for (std::size_t i = 0; i < size; ++i) within |= a[i] <= b[i] ? 1U : 0U;
  return within != 0;
}

/// Marks the entries that are no greater than the bound.
LIGHTCONE_VECTOR_CODE
void mark_entries_within(const Rank* entries, Rank bound, std::uint32_t* marks, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) marks[i] |= entries[i] <= bound ? 1U : 0U;
}

/// The values of each chain, with those of one process in one table.
class ChainValues {
 public:
  ChainValues(const Level& level, std::span<const Summand> sum) : of_(level.chains()) {
    for (const Summand& summand : sum) {
      if (summand.chain == none) continue;
      std::vector<std::int64_t>& values = of_[summand.chain];
      if (values.empty()) {
        values = summand.values;
        continue;
      }
      for (std::size_t k = 0; k < values.size(); ++k) values[k] += summand.values[k];
    }
  }

  [[nodiscard]] const std::vector<std::int64_t>& of(std::uint32_t chain) const {
    return of_[chain];
  }

 private:
  std::vector<std::vector<std::int64_t>> of_;
};

/// The losses of all events: what each has to spare, and the last one up to a rank that has any.
class Losses {
 public:
  Losses(const Level& level, const ChainValues& values) : level_(&level) {
    const std::size_t slots = std::size_t{level.events()} + level.chains();
    spare_.resize(slots);
    last_.resize(slots);
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      const std::size_t zero = slot(c, 0);
      for (Rank k = 1; k <= level.length(c); ++k) {
        last_[zero + k] = k - 1;
        if (k <= level.bottom()[c] || k > level.top()[c] || values.of(c).empty()) continue;
        const std::int64_t before = values.of(c)[k - 1];
        const std::int64_t after = values.of(c)[k];
        if (after >= before) continue;
        spare_[zero + k] = difference(after, before);
        last_[zero + k] = k;
      }
    }
  }

  /// The last event of a chain up to the k-th that has something to spare, or 0.
  [[nodiscard]] Rank last(std::uint32_t chain, Rank k) {
    Rank* last = last_.data() + slot(chain, 0);
    while (last[k] != k) {
      // What is spent stays spent, so that the path over it can be halved on the way.
      last[k] = last[last[k]];
      k = last[k];
    }
    return k;
  }

  [[nodiscard]] Amount spare(std::uint32_t chain, Rank k) const { return spare_[slot(chain, k)]; }

  void take(std::uint32_t chain, Rank k, Amount amount) {
    const std::size_t at = slot(chain, k);
    spare_[at] -= amount;
    if (spare_[at] == 0) last_[at] = k - 1;
  }

 private:
  /// Chains have one slot more than events: rank 0.
  [[nodiscard]] std::size_t slot(std::uint32_t chain, Rank k) const {
    return std::size_t{level_->index(chain, 1)} + chain + k;
  }

  const Level* level_;
  std::vector<Amount> spare_;
  std::vector<Rank> last_;  // an event, if it has something to spare; else one below, none between
};

/// A loss that covers a gain, or a part of it.
struct Cover {
  std::uint32_t next = none;  // of the same gain
  std::uint32_t chain = 0;
  Rank rank = 0;
  Amount amount = 0;
};

/// Which losses cover which gains.
class Covers {
 public:
  explicit Covers(const Level& level)
      : level_(&level), first_(level.events(), none), block_(std::max(64U, level.chains())) {
    for (std::uint32_t c = 0; c < level.chains(); ++c) {
      blocks_before_.push_back(blocks_);
      blocks_ += level.length(c) / block_ + 1;
    }
    lowest_.assign(blocks_ * level.stride(), UINT32_MAX);
    lowest_of_chain_.assign(level.chains() * level.stride(), UINT32_MAX);
  }

  [[nodiscard]] Cover& operator[](std::uint32_t cover) { return covers_[cover]; }

  void add(std::uint32_t chain, Rank k, Cover added) {
    std::uint32_t& first = first_[level_->index(chain, k)];
    for (Rank* lowest :
         {lowest_in(block_of(chain, k)) + added.chain, &lowest_in_chain(chain, added.chain)}) {
      *lowest = std::min(*lowest, added.rank);
    }
    for (std::uint32_t i = first; i != none; i = covers_[i].next) {
      Cover& cover = covers_[i];
      const bool same = cover.chain == added.chain && cover.rank == added.rank;
      if (!same && cover.amount > 0) continue;
      cover.amount = same ? cover.amount + added.amount : added.amount;
      cover.chain = added.chain;
      cover.rank = added.rank;
      return;
    }
    added.next = std::exchange(first, static_cast<std::uint32_t>(covers_.size()));
    covers_.push_back(added);
  }

  /// Marks the chains with gains beyond the cut that losses within it may cover. Those within
  /// `closed` cover nothing beyond that, which leaves few chains to ask for.
  void mark_covered(std::span<const Rank> cut, std::span<const Rank> closed,
                    std::vector<std::uint32_t>& marks) const {
    marks.assign(level_->stride(), 0);
    for (std::uint32_t d = 0; d < closed.size(); ++d) {
      if (cut[d] == closed[d]) continue;
      const Rank* lowest = lowest_of_chain_.data() + d * level_->stride();
      mark_entries_within(lowest, cut[d], marks.data(), marks.size());
    }
  }

  /// The last gain of a chain, from the one after the cut up to rank `k`, that a loss within the
  /// cut covers; and that loss. The cut has the stride of the level. What is within `closed` will
  /// not be asked for again.
  [[nodiscard]] std::pair<Rank, std::uint32_t> last_covered(std::uint32_t chain, Rank k,
                                                            std::span<const Rank> cut,
                                                            std::span<const Rank> closed) {
    const Rank last = k;
    while (k > cut[chain]) {
      const Rank block_begin = std::max(k / block_ * block_, Rank{1});
      if (may_cover(lowest_in(block_of(chain, k)), cut)) {
        for (; k >= block_begin && k > cut[chain]; --k) {
          if (const std::uint32_t cover = covered_within(chain, k, cut); cover != none) {
            return {k, cover};
          }
        }
        find_lowest(chain, block_begin, closed[chain]);
      }
      k = block_begin - 1;
    }
    // Worth it if it takes no longer than what has just failed.
    if (cut[chain] - closed[chain] <= last - cut[chain]) {
      find_lowest_in_chain(chain, closed[chain], last);
    }
    return {0, none};
  }

 private:
  [[nodiscard]] bool may_cover(const Rank* lowest, std::span<const Rank> cut) const {
    return has_entry_within(lowest, cut.data(), level_->stride());
  }
  [[nodiscard]] Rank* lowest_in(std::size_t block) {
    return lowest_.data() + block * level_->stride();
  }
  [[nodiscard]] Rank& lowest_in_chain(std::uint32_t chain, std::size_t loss_chain) {
    return lowest_of_chain_[loss_chain * level_->stride() + chain];
  }
  [[nodiscard]] std::size_t block_of(std::uint32_t chain, Rank k) const {
    return blocks_before_[chain] + k / block_;
  }

  [[nodiscard]] std::uint32_t covered_within(std::uint32_t chain, Rank k,
                                             std::span<const Rank> cut) const {
    std::uint32_t i = first_[level_->index(chain, k)];
    while (i != none && (covers_[i].amount == 0 || covers_[i].rank > cut[covers_[i].chain])) {
      i = covers_[i].next;
    }
    return i;
  }

  /// Forgets what covers nothing any more, or what is closed, so that it is not looked for again.
  void find_lowest(std::uint32_t chain, Rank begin, Rank closed) {
    Rank* lowest = lowest_in(block_of(chain, begin));
    std::fill_n(lowest, level_->stride(), UINT32_MAX);
    const Rank end = std::min(begin / block_ * block_ + block_ - 1, level_->length(chain));
    for (Rank k = std::max(begin, closed + 1); k <= end; ++k) {
      for (std::uint32_t i = first_[level_->index(chain, k)]; i != none; i = covers_[i].next) {
        const Cover& cover = covers_[i];
        if (cover.amount > 0) lowest[cover.chain] = std::min(lowest[cover.chain], cover.rank);
      }
    }
  }

  void find_lowest_in_chain(std::uint32_t chain, Rank closed, Rank last) {
    find_lowest(chain, closed + 1, closed);
    for (std::uint32_t d = 0; d < level_->chains(); ++d) lowest_in_chain(chain, d) = UINT32_MAX;
    for (std::size_t block = block_of(chain, closed + 1); block <= block_of(chain, last); ++block) {
      const Rank* of_block = lowest_in(block);
      for (std::uint32_t d = 0; d < level_->chains(); ++d) {
        Rank& lowest = lowest_in_chain(chain, d);
        lowest = std::min(lowest, of_block[d]);
      }
    }
  }

  const Level* level_;
  std::vector<std::uint32_t> first_;  // cover of each event
  std::vector<Cover> covers_;
  // So many events of a chain are a block; of each, the lowest loss of each chain that covers one
  // of its gains, or one below; and so for whole chains. A search passes over blocks and chains
  // that are covered from beyond the cut.
  std::uint32_t block_;
  std::size_t blocks_ = 0;
  std::vector<std::size_t> blocks_before_;  // those of each chain
  std::vector<Rank> lowest_;                // by block, then by the chain of the loss
  std::vector<Rank> lowest_of_chain_;       // by the chain of the loss, then by that of the gain
};

/// Looks at gain after gain.
class GreatestClosure {
 public:
  GreatestClosure(const Level& level, std::span<const Summand> sum)
      : level_(&level),
        values_(level, sum),
        losses_(level, values_),
        covers_(level),
        seen_(level.bottom()),
        closed_(level.bottom()),
        value_(sum_at(sum, level.bottom())) {}

  /// Makes `cut` the least greatest one, or one with a value of at least `enough`. False if time is
  /// over before.
  [[nodiscard]] bool find(std::optional<std::int64_t> enough, Budget* budget) {
    constexpr std::uint32_t events_between_looks = 16;
    std::uint32_t looked_at = 0;
    // Any order would do; one near to what happened keeps searches short.
    for (const EventIndex e : level_->computation().order()) {
      if (enough && value_ >= *enough) break;
      const std::uint32_t c = level_->chain_of(level_->computation().process_of(e));
      if (c == none || seen_[c] == level_->top()[c]) continue;
      const Rank k = seen_[c] + 1;
      if (level_->event(c, k) != e) continue;
      seen_[c] = k;
      const std::vector<std::int64_t>& values = values_.of(c);
      if (values.empty() || values[k] <= values[k - 1]) continue;
      look_at(c, k, difference(values[k - 1], values[k]));
      if (budget != nullptr && ++looked_at % events_between_looks == 0 && !budget->has_time()) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] const Cut& cut() const { return closed_; }

 private:
  /// A gain that a search has come to: it could do without `cover`, which lies in the past of the
  /// gain `from`.
  struct Reached {
    std::uint32_t chain = 0;
    Rank rank = 0;
    std::uint32_t from = none;
    std::uint32_t cover = none;
  };

  void look_at(std::uint32_t chain, Rank k, Amount gain) {
    // A cut of a slice may have come into the result before all of its gains were looked at.
    if (k > closed_[chain]) {
      cover_from_past(chain, k, gain);
      while (gain > 0 && cover_from_beyond(chain, k, gain)) continue;
      if (gain > 0) std::copy_n(reach_.begin(), closed_.size(), closed_.begin());
    }
    value_ = static_cast<std::int64_t>(static_cast<Amount>(value_) + gain);
  }

  void cover_from_past(std::uint32_t chain, Rank k, Amount& gain) {
    const auto past = level_->past(chain, k);
    for (std::uint32_t i = 0; i < level_->chains() && gain > 0; ++i) {
      const std::uint32_t d = i == 0 ? chain : i <= chain ? i - 1 : i;
      while (gain > 0) {
        const Rank loss = losses_.last(d, past[d]);
        if (loss == 0) break;
        const Amount amount = std::min(gain, losses_.spare(d, loss));
        losses_.take(d, loss, amount);
        gain -= amount;
        covers_.add(chain, k, {none, d, loss, amount});
      }
    }
  }

  /// Breadth first, so that the shortest way to a loss with something to spare is taken (Edmonds
  /// and Karp). False if there is none; then `reach_` is closed.
  [[nodiscard]] bool cover_from_beyond(std::uint32_t chain, Rank k, Amount& gain) {
    reached_.assign(1, {chain, k, none, none});
    reach_.assign(level_->stride(), 0);
    std::copy(closed_.begin(), closed_.end(), reach_.begin());
    for (std::size_t joined = 0; joined < reached_.size();) {
      for (; joined < reached_.size(); ++joined) {
        const auto past = level_->past(reached_[joined].chain, reached_[joined].rank);
        for (std::uint32_t d = 0; d < past.size(); ++d) reach_[d] = std::max(reach_[d], past[d]);
      }
      covers_.mark_covered(reach_, closed_, marks_);
      for (std::uint32_t c = 0; c < level_->chains(); ++c) {
        if (marks_[c] == 0 || seen_[c] <= reach_[c]) continue;
        const auto [rank, cover] = covers_.last_covered(c, seen_[c], reach_, closed_);
        if (cover == none) continue;
        reached_.push_back({c, rank, with_in_past(covers_[cover], joined), cover});
        if (shift_covers(gain)) return true;
      }
    }
    return false;
  }

  /// The first of so many reached gains that has this loss in its past.
  [[nodiscard]] std::uint32_t with_in_past(const Cover& loss, std::size_t count) const {
    std::uint32_t i = 0;
    while (i + 1 < count &&
           level_->past(reached_[i].chain, reached_[i].rank)[loss.chain] < loss.rank) {
      ++i;
    }
    return i;
  }

  /// If the last gain that was reached has a loss in its past with something to spare: covers it
  /// from there, and gives what that sets free to the gain that it was reached from, and so on.
  [[nodiscard]] bool shift_covers(Amount& gain) {
    const Reached& end = reached_.back();
    const auto past = level_->past(end.chain, end.rank);
    for (std::uint32_t d = 0; d < past.size(); ++d) {
      const Rank loss = losses_.last(d, past[d]);
      if (loss == 0) continue;
      Cover moved{none, d, loss, std::min(gain, losses_.spare(d, loss))};
      for (const Reached* r = &end; r->from != none; r = &reached_[r->from]) {
        moved.amount = std::min(moved.amount, covers_[r->cover].amount);
      }
      losses_.take(d, loss, moved.amount);
      gain -= moved.amount;
      for (const Reached* r = &end;; r = &reached_[r->from]) {
        const Cover freed = r->from == none ? Cover{} : covers_[r->cover];
        if (r->from != none) covers_[r->cover].amount -= moved.amount;
        covers_.add(r->chain, r->rank, moved);
        if (r->from == none) return true;
        moved = {none, freed.chain, freed.rank, moved.amount};
      }
    }
    return false;
  }

  const Level* level_;
  ChainValues values_;
  Losses losses_;
  Covers covers_;
  Cut seen_;                      // the gains up to here have been looked at
  Cut closed_;                    // what is in the result
  std::int64_t value_;            // of those gains that nothing covers, on top of the bottom's
  std::vector<Reached> reached_;  // by the search at hand
  std::vector<Rank> reach_;       // its cut, padded like a row of the level
  std::vector<std::uint32_t> marks_;
};

}  // namespace

std::int64_t sum_at(std::span<const Summand> sum, std::span<const Rank> cut) {
  std::int64_t value = 0;
  for (const Summand& summand : sum) value += summand.at(cut);
  return value;
}

ReachedSum greatest_sum(const Level& level, std::span<const Summand> sum,
                        std::optional<std::int64_t> enough, Budget* budget) {
  GreatestClosure closure(level, sum);
  const bool in_time = closure.find(enough, budget);
  return {sum_at(sum, closure.cut()), closure.cut(), in_time};
}

ReachedSum least_sum(const Level& level, std::span<const Summand> sum,
                     std::optional<std::int64_t> enough, Budget* budget) {
  std::vector<Summand> opposite(sum.begin(), sum.end());
  for (Summand& summand : opposite) {
    for (std::int64_t& value : summand.values) value = -value;
  }
  if (enough) enough = -*enough;
  ReachedSum reached = greatest_sum(level, opposite, enough, budget);
  reached.value = -reached.value;
  return reached;
}

}  // namespace lightcone
