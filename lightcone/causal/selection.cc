// Counting and finding chosen events by counting bits.
#include <lightcone/causality.h>

#include <algorithm>
#include <bit>

namespace lightcone {

Selection::Selection(const Computation& computation,
                     const std::function<bool(EventIndex)>& is_relevant)
    : computation_(&computation), words_(computation.event_count() / 64 + 1, 0) {
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    if (is_relevant(e)) words_[e / 64] |= std::uint64_t{1} << (e % 64);
  }
  before_.reserve(words_.size() + 1);
  std::uint32_t total = 0;
  for (const std::uint64_t word : words_) {
    before_.push_back(total);
    total += static_cast<std::uint32_t>(std::popcount(word));
  }
  before_.push_back(total);
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    up_to_.push_back(before(computation.first_event(p)));
  }
  up_to_.push_back(total);
}

Selection Selection::all(const Computation& computation) {
  return {computation, [](EventIndex) { return true; }};
}

Selection Selection::labelled(const Computation& computation, std::string_view label) {
  const NameIndex name = computation.names().find(label);
  return {computation, [&](EventIndex e) {
            const auto labels = computation.labels(e);
            return std::find(labels.begin(), labels.end(), name) != labels.end();
          }};
}

std::uint32_t Selection::before(EventIndex e) const {
  const std::uint64_t lower = (std::uint64_t{1} << (e % 64)) - 1;
  return before_[e / 64] + static_cast<std::uint32_t>(std::popcount(words_[e / 64] & lower));
}

EventIndex Selection::event(ProcessIndex p, Rank k) const {
  const std::uint32_t wanted = up_to_[p] + k;  // the wanted-th chosen event of all
  const auto after = std::lower_bound(before_.begin(), before_.end(), wanted);
  const auto word = static_cast<std::size_t>(after - before_.begin()) - 1;
  std::uint64_t bits = words_[word];
  for (std::uint32_t left = wanted - before_[word]; left > 1; --left) bits &= bits - 1;
  return static_cast<EventIndex>(word * 64) + static_cast<EventIndex>(std::countr_zero(bits));
}

}  // namespace lightcone
