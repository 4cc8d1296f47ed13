// Sets of automaton states that words can lead to, each with a number of its own.
#pragma once

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lightcone {

/// Φ(x) of the papers, for all longest-flow properties with one alphabet at once: the union, side
/// by side, of what their automata reach. The same sets come again and again, so that each gets a
/// number, and the step from one to the next is worked out once for each scene.
class ReachedSets {
 public:
  using Index = std::uint32_t;

  /// For the flows, all longest ones over the alphabet `labelled`.
  ReachedSets(std::vector<const CompiledFlow*> flows, std::uint32_t labelled,
              const Observer& observer);

  [[nodiscard]] const std::vector<const CompiledFlow*>& flows() const { return flows_; }
  [[nodiscard]] std::uint32_t labelled() const { return labelled_; }
  [[nodiscard]] std::uint32_t bits() const { return bits_; }
  /// Returns how many different sets there have been.
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(sets_.size() / words_);
  }

  /// About how much memory they take; and each.
  [[nodiscard]] std::size_t bytes() const { return count() * bytes_of_one(); }
  [[nodiscard]] std::size_t bytes_of_one() const {
    constexpr std::size_t entry_bytes = 128;  // of a map, about
    return words_ * 2 * sizeof(std::uint64_t) + entry_bytes;
  }
  /// Forgets all sets but where automata start, and these, which get the numbers put in place of
  /// theirs. Whatever else refers to a set must not be used any more.
  void keep_only(std::span<Index> used);

  /// Where all automata start: the set of an event without observed predecessors, before its
  /// letter.
  [[nodiscard]] Index start() const { return start_; }
  [[nodiscard]] bool is_labelled(Scene scene) const { return observer_->holds(scene, labelled_); }
  /// δ(set, letter of the scene).
  [[nodiscard]] Index step(Index set, Scene scene) {
    if (scene < steps_.size() && set < steps_[scene].size() && steps_[scene][set] != none) {
      return steps_[scene][set];
    }
    return compute_step(set, scene);
  }
  [[nodiscard]] Index join(Index a, Index b) {
    if (a == b) return a;
    if (a < few_sets && b < few_sets && !few_joins_.empty()) {
      const Index known = few_joins_[a * few_sets + b];
      if (known != none) return known;
    }
    return join_slowly(a, b);
  }
  /// Returns whether the question of a flow is asked at a labelled event of this scene, and found
  /// there.
  [[nodiscard]] bool is_asked(std::size_t flow, Scene scene) const;
  [[nodiscard]] bool is_found(std::size_t flow, Index set) const {
    return found_[set * flows_.size() + flow];
  }

  /// Calls `visit(property, found)` for each flow that is asked of a labelled event of this scene,
  /// which has reached this set.
  template <class Visit>
  void for_each_answer(Index set, Scene scene, const Visit& visit) const {
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      if (is_asked(i, scene)) visit(flows_[i]->property, is_found(i, set));
    }
  }

  [[nodiscard]] std::span<const std::uint64_t> set(Index index) const {
    return {sets_.data() + std::size_t{index} * words_, words_};
  }
  /// The number of a set that came from elsewhere; `words()` words with no bit beyond `bits()`.
  [[nodiscard]] Index intern(std::span<const std::uint64_t> set);

 private:
  static constexpr Index few_sets = 256;  // there are hardly ever more, and a table is quickest
  static constexpr std::size_t most_joins = 1 << 16;  // remembered at a time

  [[nodiscard]] Index compute_step(Index set, Scene scene);
  [[nodiscard]] Index join_slowly(Index a, Index b);
  [[nodiscard]] Index compute_join(Index a, Index b);

  std::vector<const CompiledFlow*> flows_;
  std::vector<std::uint32_t> first_bits_;
  std::uint32_t labelled_;
  const Observer* observer_;
  std::uint32_t bits_ = 0;
  std::uint32_t words_ = 1;
  std::vector<std::uint64_t> sets_;
  std::vector<bool> found_;  // by set and flow
  std::map<std::vector<std::uint64_t>, Index> index_;
  std::vector<std::vector<Index>> steps_;           // by scene and set; none: not known yet
  std::vector<std::vector<StateSet>> transitions_;  // by scene: where each bit leads
  tsl::robin_map<std::uint64_t, Index> joins_;
  std::vector<Index> few_joins_;  // by pair; none: not known yet
  Index start_ = 0;
};

}  // namespace lightcone
