// LO and SLO: ranks whose join is a plain maximum, and apart from them the few sets that matter.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lightcone {

/// What is known of one process: the rank of its last observed event in the past (LO), whether
/// another observed event of the past came after it ("covered"), and below that the number of the
/// set of automaton states it reached (SLO). Only an uncovered entry needs its set. Zero: no
/// observed event.
using ObservedEntry = std::uint64_t;
inline constexpr ObservedEntry covered_bit = ObservedEntry{1} << 32;
inline constexpr std::uint32_t most_observed = (std::uint32_t{1} << 31) - 1;

[[nodiscard]] constexpr ObservedEntry observed_entry(std::uint32_t rank, std::uint32_t set) {
  return ObservedEntry{rank} << 33 | set;
}
[[nodiscard]] constexpr std::uint32_t rank_of(ObservedEntry entry) {
  return static_cast<std::uint32_t>(entry >> 33);
}
[[nodiscard]] constexpr std::uint32_t set_of(ObservedEntry entry) {
  return static_cast<std::uint32_t>(entry);
}
[[nodiscard]] constexpr bool is_uncovered(ObservedEntry entry) {
  return entry != 0 && (entry & covered_bit) == 0;
}
/// An entry without its set: twice the rank, and one more if it is covered.
[[nodiscard]] constexpr std::uint32_t key_of(ObservedEntry entry) {
  return static_cast<std::uint32_t>(entry >> 32);
}

/// Calls `visit(k)` for each bit k that is set, in order; the bits are those of word `word`.
template <class Visit>
void for_each_bit(std::size_t word, std::uint64_t bits, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) {
    visit(static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(bits))));
  }
}

/// The entries of all processes but the one itself. Many tags and the process share one as long as
/// it does not change.
///
/// Of two entries for one process the one with the greater key is right: a greater rank knows
/// more; with equal ranks it is one event, with one set, and once covered it stays covered. So the
/// four cases of S4 are one maximum of keys of 4 bytes. An observed event covers all entries, so
/// that few are uncovered: a bit for each process says which, and only their sets are looked at.
class ObservedVector {
 public:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  [[nodiscard]] std::uint32_t key(std::uint32_t process) const {
    return process < keys_.size() ? keys_[process] : 0;
  }
  [[nodiscard]] ObservedEntry at(std::uint32_t process) const {
    const ObservedEntry entry = ObservedEntry{key(process)} << 32;
    return is_uncovered(entry) ? entry | sets_[process] : entry;
  }
  [[nodiscard]] bool has_uncovered() const {
    return std::ranges::any_of(uncovered_, [](std::uint64_t word) { return word != 0; });
  }
  /// Calls `visit(process, set)` with each uncovered entry, by process. The set of one that is not
  /// const may be changed.
  template <class Visit>
  void for_each_uncovered(const Visit& visit) const {
    for (std::size_t word = 0; word < uncovered_.size(); ++word) {
      for_each_bit(word, uncovered_[word], [&](std::uint32_t k) { visit(k, sets_[k]); });
    }
  }
  template <class Visit>
  void for_each_uncovered(const Visit& visit) {
    for (std::size_t word = 0; word < uncovered_.size(); ++word) {
      for_each_bit(word, uncovered_[word], [&](std::uint32_t k) { visit(k, sets_[k]); });
    }
  }

  void clear();
  void copy_from(const ObservedVector& other);
  /// Replaces the entry of a process.
  void set(std::uint32_t process, ObservedEntry entry) {
    if (process >= keys_.size()) resize(process + 1);
    place(process, entry);
  }
  /// Does so if the key is greater. Without a branch on that: it is as good as random.
  void raise(std::uint32_t process, ObservedEntry entry) {
    if (process >= keys_.size()) {
      if (entry == 0) return;
      resize(process + 1);
    }
    const ObservedEntry mine = ObservedEntry{keys_[process]} << 32 | sets_[process];
    place(process, key_of(mine) < key_of(entry) ? entry : mine);
  }
  /// Marks all entries as covered; before that calls `visit(set)` with each uncovered one's.
  template <class Visit>
  void cover(const Visit& visit) {
    for (std::size_t word = 0; word < uncovered_.size(); ++word) {
      for_each_bit(word, std::exchange(uncovered_[word], 0), [&](std::uint32_t k) {
        visit(sets_[k]);
        keys_[k] |= 1;
      });
    }
  }
  /// Becomes the join with another vector. The entry of the process `self` becomes 0.
  void join(const ObservedVector& other, std::uint32_t self);
  /// Becomes the join of two others in the same way. Returns false if no entry of another process
  /// than `self` differs from that of `a`; then this one is of no use.
  [[nodiscard]] bool join(const ObservedVector& a, const ObservedVector& b, std::uint32_t self);

 private:
  friend class VectorPool;

  void take_raised(const ObservedVector& other, const std::uint32_t* before);
  void copy_uncovered(const ObservedVector& other);
  void resize(std::size_t count);
  void place(std::uint32_t process, ObservedEntry entry) {
    keys_[process] = key_of(entry);
    sets_[process] = set_of(entry);
    const std::uint64_t bit = is_uncovered(entry) ? 1 : 0;
    std::uint64_t& word = uncovered_[process / 64];
    word = (word & ~(std::uint64_t{1} << (process % 64))) | bit << (process % 64);
  }

  std::vector<std::uint32_t> keys_;       // those beyond the end are zero
  std::vector<std::uint64_t> uncovered_;  // a bit for each key: neither zero nor odd
  std::vector<std::uint32_t> sets_;       // at least as many as keys; of uncovered entries
  std::uint32_t references_ = 0;
};

/// Keeps unused vectors, to be used again.
class VectorPool {
 public:
  /// A counted reference; not for use from several threads at a time.
  class Reference {
   public:
    Reference() = default;
    Reference(VectorPool& pool, ObservedVector* vector) : pool_(&pool), vector_(vector) {
      ++vector_->references_;
    }
    Reference(const Reference& other) : pool_(other.pool_), vector_(other.vector_) {
      if (vector_ != nullptr) ++vector_->references_;
    }
    Reference(Reference&& other) noexcept
        : pool_(other.pool_), vector_(std::exchange(other.vector_, nullptr)) {}
    Reference& operator=(Reference other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(vector_, other.vector_);
      return *this;
    }
    ~Reference() {
      if (vector_ != nullptr && --vector_->references_ == 0) pool_->free_.push_back(vector_);
    }
    [[nodiscard]] const ObservedVector* get() const { return vector_; }
    [[nodiscard]] const ObservedVector& operator*() const { return *vector_; }
    [[nodiscard]] const ObservedVector* operator->() const { return vector_; }
    /// Returns the vector itself if nothing else refers to it, nullptr otherwise.
    [[nodiscard]] ObservedVector* own() const {
      return vector_ != nullptr && vector_->references_ == 1 ? vector_ : nullptr;
    }

   private:
    VectorPool* pool_ = nullptr;
    ObservedVector* vector_ = nullptr;
  };

  /// A vector with whatever was in it before.
  [[nodiscard]] Reference take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<ObservedVector>());
      return {*this, all_.back().get()};
    }
    ObservedVector* vector = free_.back();
    free_.pop_back();
    return {*this, vector};
  }

 private:
  std::vector<std::unique_ptr<ObservedVector>> all_;
  std::vector<ObservedVector*> free_;
};

}  // namespace lightcone
