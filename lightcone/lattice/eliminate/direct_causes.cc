// Direct causes from timestamps: a new entry is direct if the event behind no other new one has it.
#include <lightcone/lattice/eliminate/direct_causes.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// Finds the direct causes of the events of one chain, from the first on.
class DirectCauseFinder {
 public:
  DirectCauseFinder(const Level& level, std::uint32_t chain)
      : level_(level), chain_(chain), known_(level.bottom()) {}

  void add_causes(Rank k, std::vector<DirectCauses::Cause>& causes) {
    const auto past = level_.past(chain_, k);
    fresh_.clear();
    for (std::uint32_t d = 0; d < past.size(); ++d) {
      if (past[d] <= known_[d]) continue;
      known_[d] = past[d];
      if (d == chain_) continue;
      fresh_.push_back(d);
      // Messages often come from the same neighbour: it passes the others on.
      if (d == latest_) std::swap(fresh_.front(), fresh_.back());
    }
    const std::size_t first = causes.size();
    keep_direct(past);
    for (const std::uint32_t d : fresh_) causes.push_back({k, d, past[d]});
    if (!fresh_.empty()) latest_ = causes[first].chain;
  }

 private:
  /// Leaves those that no other new one passes on.
  void keep_direct(std::span<const Rank> past) {
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      const std::uint32_t e = fresh_[i];
      const auto passed_on = level_.past(e, past[e]);
      const auto is_passed_on = [&](std::uint32_t d) { return d != e && passed_on[d] >= past[d]; };
      const auto end = std::remove_if(fresh_.begin(), fresh_.end(), is_passed_on);
      fresh_.erase(end, fresh_.end());
      i = static_cast<std::size_t>(std::find(fresh_.begin(), fresh_.end(), e) - fresh_.begin());
    }
  }

  const Level& level_;
  std::uint32_t chain_;
  Cut known_;                         // by the event before
  std::vector<std::uint32_t> fresh_;  // chains of which the event is the first to know more
  std::uint32_t latest_ = none;       // the chain of the last direct cause
};

}  // namespace

DirectCauses::DirectCauses(const Level& level) : causes_(level.chains()) {
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    DirectCauseFinder finder(level, c);
    for (Rank k = level.bottom()[c] + 1; k <= level.top()[c]; ++k) {
      finder.add_causes(k, causes_[c]);
    }
  }
}

std::span<const DirectCauses::Cause> DirectCauses::between(std::uint32_t chain, Rank after,
                                                           Rank last) const {
  const auto& all = causes_[chain];
  const auto begin = std::partition_point(
      all.begin(), all.end(), [&](const Cause& cause) { return cause.effect <= after; });
  const auto end = std::partition_point(begin, all.end(),
                                        [&](const Cause& cause) { return cause.effect <= last; });
  return {begin, end};
}

}  // namespace lightcone
