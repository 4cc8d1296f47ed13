// A choice of events: the user's level over the same computation, one bit per event.
#pragma once

#include <lightcone/causal/computation.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace lightcone {

/// Which events are relevant (RR-2194, 2.2.2). Nothing of the computation is copied: happened-
/// before between relevant events is happened-before.
class Selection {
 public:
  Selection(const Computation& computation, const std::function<bool(EventIndex)>& is_relevant);
  /// Lamport's level: every event.
  [[nodiscard]] static Selection all(const Computation& computation);
  /// The events that carry this label.
  [[nodiscard]] static Selection labelled(const Computation& computation, std::string_view label);

  [[nodiscard]] bool contains(EventIndex e) const { return (words_[e / 64] >> (e % 64)) & 1; }
  [[nodiscard]] std::uint32_t count() const { return before_.back(); }
  /// Returns how many events of process p are chosen.
  [[nodiscard]] Rank count(ProcessIndex p) const { return up_to_[p + 1] - up_to_[p]; }
  /// Returns how many events of e's process are chosen, up to and including e.
  [[nodiscard]] Rank rank(EventIndex e) const {
    return before(e + 1) - up_to_[computation_->process_of(e)];
  }
  /// The k-th chosen event of process p, counted from 1.
  [[nodiscard]] EventIndex event(ProcessIndex p, Rank k) const;

 private:
  [[nodiscard]] std::uint32_t before(EventIndex e) const;

  const Computation* computation_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;  // chosen events before each word, and in all
  std::vector<std::uint32_t> up_to_;   // chosen events before each process, and in all
};

}  // namespace lightcone
