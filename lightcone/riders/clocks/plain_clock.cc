// The maximum of two clocks.
#include <lightcone/riders/clocks/plain_clock.h>

#include <lightcone/causal/order/vector_code.h>

#include <algorithm>

namespace lightcone {

LIGHTCONE_VECTOR_CODE
void raise(std::uint32_t* entries, const std::uint32_t* others, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) entries[i] = std::max(entries[i], others[i]);
}

void PlainClock::join(const PlainClock& other) {
  if (entries_ == other.entries_) return;
  std::vector<std::uint32_t>& entries = writable();
  if (entries.size() < other.entries_->size()) entries.resize(other.entries_->size(), 0);
  raise(entries.data(), other.entries_->data(), other.entries_->size());
}

}  // namespace lightcone
