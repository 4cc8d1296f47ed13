// Joins vectors of keys by maxima, and the lists of uncovered entries only where a key changed.
#include <lightcone/riders/observed_vector.h>

#include <lightcone/causal/order/vector_code.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Apart from raise_keys, since a compiler does not make vector code for `into` that may be `a`.
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

[[nodiscard]] auto place_of(auto& list, std::uint32_t process) {
  return std::ranges::lower_bound(list, process, {}, &ObservedVector::Uncovered::process);
}

}  // namespace

LIGHTCONE_VECTOR_CODE
std::uint32_t raise_keys(std::uint32_t* into, const std::uint32_t* keys, std::size_t count) {
  std::uint32_t raised = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t before = into[i], greater = std::max(before, keys[i]);
    into[i] = greater;
    raised += greater != before ? 1 : 0;
  }
  return raised;
}

ObservedEntry ObservedVector::at(std::uint32_t process) const {
  const ObservedEntry entry = ObservedEntry{key(process)} << 32;
  return is_uncovered(entry) ? entry | place_of(uncovered_, process)->set : entry;
}

void ObservedVector::clear() {
  keys_.clear();
  uncovered_.clear();
}

void ObservedVector::copy_from(const ObservedVector& other) {
  keys_ = other.keys_;
  uncovered_ = other.uncovered_;
}

void ObservedVector::set(std::uint32_t process, ObservedEntry entry) {
  if (process >= keys_.size()) keys_.resize(process + 1, 0);
  const bool was_uncovered = keys_[process] != 0 && keys_[process] % 2 == 0;
  keys_[process] = key_of(entry);
  if (!was_uncovered && !is_uncovered(entry)) return;
  const auto at = place_of(uncovered_, process);
  const Uncovered item{process, key_of(entry), set_of(entry)};
  if (was_uncovered && is_uncovered(entry)) {
    *at = item;
  } else if (was_uncovered) {
    uncovered_.erase(at);
  } else {
    uncovered_.insert(at, item);
  }
}

void ObservedVector::cover() {
  for (const Uncovered& entry : uncovered_) keys_[entry.process] |= 1;
  uncovered_.clear();
}

bool ObservedVector::join(const ObservedVector& a, const ObservedVector& b, std::uint32_t self) {
  const std::size_t shared = std::min(a.keys_.size(), b.keys_.size());
  std::uint32_t raised = 0;
  if (a.key(self) < b.key(self)) --raised;  // which does not count
  if (&a == this) {
    raised += raise_keys(keys_.data(), b.keys_.data(), shared);
  } else {
    keys_.resize(shared);
    raised += maximum_of_keys(a.keys_.data(), b.keys_.data(), keys_.data(), shared);
    keys_.insert(keys_.end(), a.keys_.begin() + static_cast<std::ptrdiff_t>(shared), a.keys_.end());
  }
  if (shared < b.keys_.size()) {
    const auto rest = b.keys_.begin() + static_cast<std::ptrdiff_t>(shared);
    raised +=
        static_cast<std::uint32_t>(b.keys_.end() - rest - std::count(rest, b.keys_.end(), 0U));
    keys_.insert(keys_.end(), rest, b.keys_.end());
  }
  if (self < keys_.size()) keys_[self] = 0;
  if (raised != 0) {
    join_uncovered(a, b);
  } else if (&a != this) {
    uncovered_ = a.uncovered_;
  }
  return raised != 0;
}

/// Keeps the uncovered entries of both whose keys are those of the join. Where both have one for
/// a process, the one with the greater key is meant; with the same key they are the same.
void ObservedVector::join_uncovered(const ObservedVector& a, const ObservedVector& b) {
  thread_local std::vector<Uncovered> mine;  // memory that is used again
  if (&a == this) mine.swap(uncovered_);
  const std::vector<Uncovered>& first = &a == this ? mine : a.uncovered_;
  uncovered_.clear();
  const auto keep = [&](const Uncovered& entry) {
    if (keys_[entry.process] == entry.key) uncovered_.push_back(entry);
  };
  auto at = first.begin();
  for (const Uncovered& entry : b.uncovered_) {
    while (at != first.end() && at->process < entry.process) keep(*at++);
    const bool in_both = at != first.end() && at->process == entry.process;
    keep(in_both && at->key > entry.key ? *at : entry);
    if (in_both) ++at;
  }
  while (at != first.end()) keep(*at++);
}

}  // namespace lightcone
