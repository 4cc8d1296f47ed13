// Finding inevitable states by counting: how many events have so many events before them.
#include <lightcone/lattice/visit/inevitable.h>

#include <lightcone/causal/order/vector_code.h>
#include <lightcone/error.h>

namespace lightcone {
namespace {

/// The number of events in the past of each event of the level. Entries are added lane by lane;
/// those behind the last chain are zero.
LIGHTCONE_VECTOR_CODE
void sum_pasts(const Level& level, std::vector<std::uint32_t>& sizes) {
  constexpr std::size_t lanes = TimestampTable::lanes;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = 1; k <= level.length(c); ++k) {
      const Rank* row = level.past(c, k).data();
      std::uint32_t sums[lanes] = {};
      for (std::size_t at = 0; at < level.stride(); at += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += row[at + lane];
      }
      std::uint32_t size = 0;
      for (const std::uint32_t sum : sums) size += sum;
      sizes[level.index(c, k)] = size;
    }
  }
}

}  // namespace

// Let p(e) be the number of events that happened before e.
//
// Theorem. A cut C of m events is inevitable iff exactly m events have p(e) < m, and then these
// are C.
//
// Proof. Whatever belongs to a consistent cut of m events has its causes in it, so that fewer than
// m events happened before it. So if only m events have p(e) < m, they are the only consistent
// cut of m events (there is one of each size), and each observation passes through one of m.
// For the other direction, let C be inevitable and f outside of it. If some c in C did not happen
// before f, an observation that begins with the past of f and with f had f without c, and never C.
// So all m events of C happened before f, p(f) >= m, and those with p(e) < m are C.

std::vector<std::uint32_t> inevitable_sizes(std::span<const std::uint32_t> past_sizes) {
  const auto events = static_cast<std::uint32_t>(past_sizes.size());
  std::vector<std::uint32_t> having(past_sizes.size(), 0);  // how many events have p(e) of this
  for (const std::uint32_t size : past_sizes) {
    LIGHTCONE_ASSERT(size - 1 < events);
    ++having[size - 1];
  }
  std::vector<std::uint32_t> sizes{0};
  std::uint32_t with_fewer = 0;
  for (std::uint32_t i = 0; i < events; ++i) {
    with_fewer += having[i];
    if (with_fewer == i + 1) sizes.push_back(i + 1);
  }
  return sizes;
}

InevitableStates inevitable_states(const Level& level) {
  std::vector<std::uint32_t> past_sizes(level.events());
  sum_pasts(level, past_sizes);
  return {level, inevitable_sizes(past_sizes)};
}

/// An observation passes through every inevitable state, so that any one of them shows all.
void InevitableStates::for_each(const std::function<bool(std::span<const Rank>)>& visit) const {
  Cut cut = level_->bottom();
  std::uint32_t happened = 0;
  auto next = sizes_.begin();
  const auto go_on = [&] {
    if (next != sizes_.end() && *next == happened && (++next, !visit(cut))) return false;
    return next != sizes_.end();
  };
  if (!go_on()) return;
  const Computation& computation = level_->computation();
  for (const EventIndex e : computation.order()) {
    const std::uint32_t chain = level_->chain_of(computation.process_of(e));
    if (chain == none || cut[chain] == level_->length(chain)) continue;
    if (level_->event(chain, cut[chain] + 1) != e) continue;  // not relevant
    ++cut[chain];
    ++happened;
    if (!go_on()) return;
  }
}

}  // namespace lightcone
