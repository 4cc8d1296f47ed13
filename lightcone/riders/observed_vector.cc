// The maximum of two vectors of entries.
#include <lightcone/riders/observed_vector.h>

#include <lightcone/causal/order/vector_code.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Apart from the next one, since a compiler does not make vector code for `into` that may be `a`.
LIGHTCONE_VECTOR_CODE
void raise(ObservedEntry* into, const ObservedEntry* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) into[i] = into[i] < b[i] ? b[i] : into[i];
}

LIGHTCONE_VECTOR_CODE
void maximum(const ObservedEntry* a, const ObservedEntry* b, ObservedEntry* __restrict into,
             std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) into[i] = a[i] < b[i] ? b[i] : a[i];
}

}  // namespace

void join_entries(const std::vector<ObservedEntry>& a, const std::vector<ObservedEntry>& b,
                  std::vector<ObservedEntry>& into) {
  const std::vector<ObservedEntry>& longer = a.size() < b.size() ? b : a;
  const std::size_t shared = std::min(a.size(), b.size());
  const std::size_t whole = longer.size();
  into.resize(whole);  // when `into` is one of them it only grows, and its entries stay
  if (&a == &into) {
    raise(into.data(), b.data(), shared);
  } else {
    maximum(a.data(), b.data(), into.data(), shared);
  }
  if (&longer != &into) {
    std::copy(longer.begin() + static_cast<std::ptrdiff_t>(shared), longer.end(),
              into.begin() + static_cast<std::ptrdiff_t>(shared));
  }
}

}  // namespace lightcone
