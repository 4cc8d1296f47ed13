// LO and SLO: ranks whose join is a plain maximum, and apart from them the few sets that matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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

/// into[k] = the greater of into[k] and keys[k], for each k below `count`. Returns whether a key is
/// raised.
bool raise_keys(std::uint32_t* into, const std::uint32_t* keys, std::size_t count);

/// The entries of all processes but the one itself. Many tags and the process share one as long as
/// it does not change.
///
/// Of two entries for one process the one with the greater key is right: a greater rank knows
/// more; with equal ranks it is one event, with one set, and once covered it stays covered. So the
/// four cases of S4 are one maximum of keys of 4 bytes. The sets of uncovered entries are in a list
/// of their own: an observed event covers all entries, so there are few.
class ObservedVector {
 public:
  struct Uncovered {
    std::uint32_t process, key, set;
  };

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }
  [[nodiscard]] std::uint32_t key(std::uint32_t process) const {
    return process < keys_.size() ? keys_[process] : 0;
  }
  [[nodiscard]] ObservedEntry at(std::uint32_t process) const;
  /// The uncovered entries, by process.
  [[nodiscard]] std::span<const Uncovered> uncovered() const { return uncovered_; }
  /// The same, whose sets may get other numbers.
  [[nodiscard]] std::span<Uncovered> uncovered() { return uncovered_; }

  void clear();
  void copy_from(const ObservedVector& other);
  /// Replaces the entry of a process.
  void set(std::uint32_t process, ObservedEntry entry);
  /// Marks all entries as covered.
  void cover();
  /// Becomes the join with another vector. The entry of the process `self` becomes 0.
  void join(const ObservedVector& other, std::uint32_t self);
  /// Becomes the join of two others in the same way. Returns whether an entry of another process
  /// than `self` differs from that of `a`; if not, this one is of no use.
  bool join(const ObservedVector& a, const ObservedVector& b, std::uint32_t self);

 private:
  friend class VectorPool;

  [[nodiscard]] bool holds(const Uncovered& entry) const {
    return keys_[entry.process] == entry.key;
  }
  void add_uncovered(const Uncovered& entry);
  void join_uncovered(std::span<const Uncovered> others);

  std::vector<std::uint32_t> keys_;  // those beyond the end are zero
  std::vector<Uncovered> uncovered_;
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
