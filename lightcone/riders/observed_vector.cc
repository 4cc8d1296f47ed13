// Joins vectors of keys by maxima, and the lists of uncovered entries in one pass.
#include <lightcone/riders/observed_vector.h>

#include <lightcone/causal/order/vector_code.h>
#include <lightcone/riders/clocks/plain_clock.h>

#include <algorithm>
#include <utility>

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

[[nodiscard]] auto place_of(auto& list, std::uint32_t process) {
  return std::ranges::lower_bound(list, process, {}, &ObservedVector::Uncovered::process);
}

}  // namespace

LIGHTCONE_VECTOR_CODE
bool raise_keys(std::uint32_t* into, const std::uint32_t* keys, std::size_t count) {
  std::uint32_t changes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t before = into[i], greater = std::max(before, keys[i]);
    into[i] = greater;
    changes |= greater ^ before;
  }
  return changes != 0;
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
  const Uncovered item{process, key_of(entry), set_of(entry)};
  if (!was_uncovered) {
    if (is_uncovered(entry)) add_uncovered(item);
    return;
  }
  const auto at = place_of(uncovered_, process);
  if (is_uncovered(entry)) {
    *at = item;
  } else {
    uncovered_.erase(at);
  }
}

/// Of a process that has none. There are few, so that it is not worth a search.
void ObservedVector::add_uncovered(const Uncovered& entry) {
  uncovered_.push_back(entry);
  for (std::size_t i = uncovered_.size() - 1; i > 0 && uncovered_[i - 1].process > entry.process;
       --i) {
    std::swap(uncovered_[i - 1], uncovered_[i]);
  }
}

void ObservedVector::cover() {
  for (const Uncovered& entry : uncovered_) keys_[entry.process] |= 1;
  uncovered_.clear();
}

void ObservedVector::join(const ObservedVector& other, std::uint32_t self) {
  if (keys_.size() < other.keys_.size()) keys_.resize(other.keys_.size(), 0);
  raise(keys_.data(), other.keys_.data(), other.keys_.size());
  if (self < keys_.size()) keys_[self] = 0;
  join_uncovered(other.uncovered_);
}

bool ObservedVector::join(const ObservedVector& a, const ObservedVector& b, std::uint32_t self) {
  const std::size_t shared = std::min(a.keys_.size(), b.keys_.size());
  keys_.resize(shared);
  std::uint32_t raised = maximum_of_keys(a.keys_.data(), b.keys_.data(), keys_.data(), shared);
  if (a.key(self) < b.key(self)) --raised;  // which does not count
  keys_.insert(keys_.end(), a.keys_.begin() + static_cast<std::ptrdiff_t>(shared), a.keys_.end());
  if (shared < b.keys_.size()) {
    const auto rest = b.keys_.begin() + static_cast<std::ptrdiff_t>(shared);
    raised +=
        static_cast<std::uint32_t>(b.keys_.end() - rest - std::count(rest, b.keys_.end(), 0U));
    keys_.insert(keys_.end(), rest, b.keys_.end());
  }
  if (raised == 0) return false;
  if (self < keys_.size()) keys_[self] = 0;
  uncovered_ = a.uncovered_;
  join_uncovered(b.uncovered_);
  return true;
}

/// Keeps the uncovered entries of both whose keys are those of the join. Where both have such an
/// entry for a process, it is the same. From the greatest process on, so that there is place.
void ObservedVector::join_uncovered(std::span<const Uncovered> others) {
  std::erase_if(uncovered_, [&](const Uncovered& entry) { return !holds(entry); });
  if (others.empty()) return;
  std::size_t mine = uncovered_.size(), other = others.size(), end = mine + other;
  uncovered_.resize(end);
  while (other > 0) {
    const Uncovered& entry = others[other - 1];
    if (mine > 0 && uncovered_[mine - 1].process >= entry.process) {
      if (uncovered_[mine - 1].process == entry.process) --other;
      uncovered_[--end] = uncovered_[--mine];
    } else {
      if (holds(entry)) uncovered_[--end] = entry;
      --other;
    }
  }
  if (mine == end) return;
  const auto begin = uncovered_.begin();
  uncovered_.erase(begin + static_cast<std::ptrdiff_t>(mine),
                   begin + static_cast<std::ptrdiff_t>(end));
}

}  // namespace lightcone
