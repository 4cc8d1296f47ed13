// Numbers sets of states, and remembers where letters lead them.
#include <lightcone/riders/reached_sets.h>

#include <algorithm>

namespace lightcone {

ReachedSets::ReachedSets(std::vector<const CompiledFlow*> flows, std::uint32_t labelled,
                         const Observer& observer)
    : flows_(std::move(flows)), labelled_(labelled), observer_(&observer) {
  for (const CompiledFlow* flow : flows_) {
    first_bits_.push_back(bits_);
    bits_ += flow->automaton.states();
  }
  words_ = std::max<std::uint32_t>((bits_ + 63) / 64, 1);
  StateSet start(64 * words_);
  for (const std::uint32_t bit : first_bits_) start.insert(bit);
  start_ = intern(start.words());
}

ReachedSets::Index ReachedSets::intern(std::span<const std::uint64_t> set) {
  std::vector<std::uint64_t> key(set.begin(), set.end());
  const auto fresh = static_cast<Index>(sets_.size() / words_);
  const auto [at, is_new] = index_.try_emplace(std::move(key), fresh);
  if (!is_new) return at->second;
  sets_.insert(sets_.end(), at->first.begin(), at->first.end());
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    bool decided = false;
    flows_[i]->automaton.finals().for_each([&](std::uint32_t state) {
      const std::uint32_t bit = first_bits_[i] + state;
      decided = decided || (at->first[bit / 64] >> (bit % 64) & 1) != 0;
    });
    found_.push_back(decided != flows_[i]->every);
  }
  return fresh;
}

void ReachedSets::keep_only(std::span<Index> used) {
  const auto words_of = [&](Index index) {
    return std::vector<std::uint64_t>(set(index).begin(), set(index).end());
  };
  std::vector<std::vector<std::uint64_t>> kept{words_of(start_)};
  for (const Index index : used) kept.push_back(words_of(index));
  sets_.clear();
  found_.clear();
  index_.clear();
  joins_.clear();
  few_joins_.clear();
  for (std::vector<Index>& steps : steps_) steps.clear();
  start_ = intern(kept[0]);
  for (std::size_t i = 0; i < used.size(); ++i) used[i] = intern(kept[i + 1]);
}

ReachedSets::Index ReachedSets::join_slowly(Index a, Index b) {
  if (a < few_sets && b < few_sets) {
    if (few_joins_.empty()) few_joins_.assign(std::size_t{few_sets} * few_sets, none);
    return few_joins_[a * few_sets + b] = few_joins_[b * few_sets + a] = compute_join(a, b);
  }
  const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  if (const auto known = joins_.find(key); known != joins_.end()) return known->second;
  const Index sum = compute_join(a, b);
  if (joins_.size() >= most_joins) joins_.clear();
  joins_[key] = sum;
  return sum;
}

ReachedSets::Index ReachedSets::compute_join(Index a, Index b) {
  std::vector<std::uint64_t> sum(set(a).begin(), set(a).end());
  for (std::size_t i = 0; i < words_; ++i) sum[i] |= set(b)[i];
  return intern(sum);
}

ReachedSets::Index ReachedSets::compute_step(Index from, Scene scene) {
  if (scene >= steps_.size()) {
    steps_.resize(scene + 1);
    transitions_.resize(scene + 1);
  }
  std::vector<StateSet>& transitions = transitions_[scene];
  if (transitions.empty()) {
    transitions.assign(64 * words_, StateSet(64 * words_));
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const Automaton& automaton = flows_[i]->automaton;
      const std::vector<StateSet> step = automaton.step(letter(automaton, *observer_, scene));
      for (std::uint32_t q = 0; q < automaton.states(); ++q) {
        step[q].for_each(
            [&](std::uint32_t to) { transitions[first_bits_[i] + q].insert(first_bits_[i] + to); });
      }
    }
  }
  StateSet to(64 * words_);
  for (std::size_t w = 0; w < words_; ++w) {
    for (std::uint64_t word = set(from)[w]; word != 0; word &= word - 1) {
      to |= transitions[64 * w + static_cast<std::size_t>(std::countr_zero(word))];
    }
  }
  const Index result = intern(to.words());
  std::vector<Index>& known = steps_[scene];
  if (from >= known.size()) known.resize(from + 1, none);
  return known[from] = result;
}

bool ReachedSets::is_asked(std::size_t flow, Scene scene) const {
  const auto& at = flows_[flow]->at;
  return !at || observer_->holds(scene, *at);
}

}  // namespace lightcone
