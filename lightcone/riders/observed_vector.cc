// Joins vectors of keys by maxima; the sets of the few uncovered keys that are raised follow.
#include <lightcone/riders/observed_vector.h>

#include <lightcone/causal/order/vector_code.h>
#include <lightcone/riders/clocks/plain_clock.h>

namespace lightcone {

namespace {

/// Returns how many keys of `a` are raised.
LIGHTCONE_VECTOR_CODE
std::uint32_t maximum_of_keys(const std::uint32_t* a, const std::uint32_t* b,
                              std::uint32_t* __restrict into, std::size_t count) {
  std::uint32_t raised = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t greater = std::max(a[i], b[i]);
    into[i] = greater;
    raised += greater != a[i] ? 1 : 0;
  }
  return raised;
}

}  // namespace

void ObservedVector::clear() {
  keys_.clear();
  uncovered_.clear();
}

void ObservedVector::resize(std::size_t count) {
  keys_.resize(count, 0);
  uncovered_.resize((count + 63) / 64, 0);
  if (sets_.size() < count) sets_.resize(count, 0);
}

void ObservedVector::copy_from(const ObservedVector& other) {
  keys_ = other.keys_;
  copy_uncovered(other);
}

void ObservedVector::copy_uncovered(const ObservedVector& other) {
  uncovered_ = other.uncovered_;
  if (sets_.size() < other.keys_.size()) sets_.resize(other.keys_.size(), 0);
  other.for_each_uncovered([&](std::uint32_t k, std::uint32_t set) { sets_[k] = set; });
}

/// Takes the bit and the set of each key that was less `before` than in the other vector. The other
/// keys keep theirs: where both are equal, they are of one event.
void ObservedVector::take_raised(const ObservedVector& other, const std::uint32_t* before) {
  const std::size_t count = other.keys_.size();
  for (std::size_t word = 0; 64 * word < count; ++word) {
    const std::size_t left = count - 64 * word;
    const std::uint64_t there = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    const std::uint64_t mine = uncovered_[word], theirs = other.uncovered_[word];
    std::uint64_t raised = 0;
    for_each_bit(word, (mine | theirs) & there, [&](std::uint32_t k) {
      if (before[k] >= other.keys_[k]) return;
      sets_[k] = other.sets_[k];
      raised |= std::uint64_t{1} << (k % 64);
    });
    uncovered_[word] = (mine & ~raised) | (theirs & raised);
  }
}

void ObservedVector::join(const ObservedVector& other, std::uint32_t self) {
  if (keys_.size() < other.keys_.size()) resize(other.keys_.size());
  take_raised(other, keys_.data());
  lightcone::raise(keys_.data(), other.keys_.data(), other.keys_.size());
  if (self < keys_.size()) place(self, 0);
}

bool ObservedVector::join(const ObservedVector& a, const ObservedVector& b, std::uint32_t self) {
  if (a.keys_.size() < b.keys_.size()) {
    copy_from(a);
    join(b, self);
    return true;
  }
  const std::size_t shared = b.keys_.size();
  keys_.resize(a.keys_.size());
  const std::uint32_t raised =
      maximum_of_keys(a.keys_.data(), b.keys_.data(), keys_.data(), shared);
  if (raised == (a.key(self) < b.key(self) ? 1U : 0U)) return false;
  const auto rest = static_cast<std::ptrdiff_t>(shared);
  std::copy(a.keys_.begin() + rest, a.keys_.end(), keys_.begin() + rest);
  copy_uncovered(a);
  take_raised(b, a.keys_.data());
  if (self < keys_.size()) place(self, 0);
  return true;
}

}  // namespace lightcone
