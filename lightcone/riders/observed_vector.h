// LO and SLO in one vector whose join is a plain maximum, shared between a process and its tags.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lightcone {

/// One entry: the rank of the last observed event of a process in the past (LO), whether another
/// observed event of the past came after it ("covered"), and below that the number of the set of
/// automaton states it reached (SLO). Of two entries for one process the greater one is right: a
/// greater rank knows more; with equal ranks it is one event, with one set, and once covered it
/// stays covered. So the four cases of S4 are one maximum. Zero: no observed event.
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

/// The entries of all processes but the one itself, and which of them may be uncovered. Many tags
/// and the process share one as long as it does not change.
struct ObservedVector {
  std::vector<ObservedEntry> entries;  ///< those beyond the end are zero
  /// An entry k may be uncovered only if bit k mod 64 is set.
  std::uint64_t open = 0;
  std::uint32_t references = 0;

  [[nodiscard]] ObservedEntry at(std::uint32_t process) const {
    return process < entries.size() ? entries[process] : 0;
  }
  void mark_open(std::uint32_t process) { open |= std::uint64_t{1} << (process % 64); }
  /// Calls `visit` with each process whose entry is uncovered.
  template <class Visit>
  void for_each_uncovered(const Visit& visit) const {
    for (std::uint64_t rest = open; rest != 0; rest &= rest - 1) {
      for (auto k = static_cast<std::size_t>(std::countr_zero(rest)); k < entries.size(); k += 64) {
        if (is_uncovered(entries[k])) visit(static_cast<std::uint32_t>(k));
      }
    }
  }
};

/// Keeps unused vectors, to be used again.
class VectorPool {
 public:
  /// A counted reference; not for use from several threads at a time.
  class Reference {
   public:
    Reference() = default;
    Reference(VectorPool& pool, ObservedVector* vector) : pool_(&pool), vector_(vector) {
      ++vector_->references;
    }
    Reference(const Reference& other) : pool_(other.pool_), vector_(other.vector_) {
      if (vector_ != nullptr) ++vector_->references;
    }
    Reference(Reference&& other) noexcept
        : pool_(other.pool_), vector_(std::exchange(other.vector_, nullptr)) {}
    Reference& operator=(Reference other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(vector_, other.vector_);
      return *this;
    }
    ~Reference() {
      if (vector_ != nullptr && --vector_->references == 0) pool_->free_.push_back(vector_);
    }
    [[nodiscard]] const ObservedVector* get() const { return vector_; }
    [[nodiscard]] const ObservedVector& operator*() const { return *vector_; }
    [[nodiscard]] const ObservedVector* operator->() const { return vector_; }
    /// Returns the vector itself if nothing else refers to it, nullptr otherwise.
    [[nodiscard]] ObservedVector* own() const {
      return vector_ != nullptr && vector_->references == 1 ? vector_ : nullptr;
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

/// into = the maximum of a and b, entry by entry; `into` may be a.
void join_entries(const std::vector<ObservedEntry>& a, const std::vector<ObservedEntry>& b,
                  std::vector<ObservedEntry>& into);

}  // namespace lightcone
