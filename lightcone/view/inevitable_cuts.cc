// Finds inevitable cuts by their number of events: no two of them have the same.
#include <lightcone/view/inevitable_cuts.h>

#include <lightcone/causal/order/measures.h>
#include <lightcone/lattice/visit/inevitable.h>

#include <algorithm>
#include <numeric>

namespace lightcone {

InevitableCuts::InevitableCuts(const Computation& computation)
    : computation_(&computation), sizes_(inevitable_sizes(past_sizes(computation))) {}

// If there is an inevitable cut of this size, it is the only consistent one of this size.
bool InevitableCuts::contains(std::span<const Rank> consistent_cut) const {
  const auto events =
      std::accumulate(consistent_cut.begin(), consistent_cut.end(), std::uint64_t{0});
  return std::binary_search(sizes_.begin(), sizes_.end(), events);
}

std::optional<std::vector<Rank>> InevitableCuts::before(std::uint64_t events) const {
  const auto at = std::lower_bound(sizes_.begin(), sizes_.end(), events);
  if (at == sizes_.begin()) return std::nullopt;
  return cut_of(*std::prev(at));
}

std::optional<std::vector<Rank>> InevitableCuts::after(std::uint64_t events) const {
  const auto at = std::upper_bound(sizes_.begin(), sizes_.end(), events);
  if (at == sizes_.end()) return std::nullopt;
  return cut_of(*at);
}

/// Every observation passes through it, also the one that the computation keeps.
std::vector<Rank> InevitableCuts::cut_of(std::uint32_t events) const {
  std::vector<Rank> cut(computation_->process_count(), 0);
  for (const EventIndex e : computation_->order().first(events)) {
    ++cut[computation_->process_of(e)];
  }
  return cut;
}

}  // namespace lightcone
