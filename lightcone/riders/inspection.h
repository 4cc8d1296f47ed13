// Answers all flow and logic properties of a file for a recorded computation.
#pragma once

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/longest_flow_rider.h>
#include <lightcone/riders/visibility.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// Where one property was asked and found: rows are events, or (logic only) initial states.
class FoundRows {
 public:
  explicit FoundRows(std::size_t rows) : found_((rows + 63) / 64, 0) {}

  void ask(Row row, bool found) {
    // Without a branch: answers are as good as random.
    ++asked_count_;
    found_count_ += found ? 1 : 0;
    found_[row / 64] |= std::uint64_t{found} << (row % 64);
  }
  /// It was asked, and the answer is not known.
  void ask_undecided(Row row) {
    ++asked_count_;
    undecided_.insert(row);
  }
  [[nodiscard]] std::uint64_t asked_count() const { return asked_count_; }
  [[nodiscard]] std::uint64_t found_count() const { return found_count_; }
  [[nodiscard]] std::uint64_t undecided_count() const { return undecided_.size(); }
  [[nodiscard]] bool is_undecided(Row row) const { return undecided_.contains(row); }
  [[nodiscard]] bool found_at(Row row) const { return (found_[row / 64] >> (row % 64) & 1) != 0; }

 private:
  std::vector<std::uint64_t> found_;
  std::uint64_t asked_count_ = 0;
  std::uint64_t found_count_ = 0;
  std::set<Row> undecided_;
};

/// Rides through a computation once for each kind of rider, on all cores, and keeps the answers.
class Inspection {
 public:
  /// Both must outlive this. What `assumed` says is taken for granted, and may be wrong: then what
  /// depends on it is not answered. Without it, the computation is looked at first. With a slice,
  /// the questions are asked of that. Where there are more processes than `most_riders`, longest
  /// flows follow immediate predecessors: a vector for each process would be too much.
  Inspection(const CompiledProperties& properties, const Computation& computation,
             std::optional<Visibility> assumed = {}, ValueSlice slice = {},
             std::uint32_t most_riders = 4096);

  /// Of the property of this index; nullptr for a global one.
  [[nodiscard]] const FoundRows* answer(std::uint32_t property) const {
    return answers_[property] ? &*answers_[property] : nullptr;
  }
  /// Forgets the answers at rows for which `keeps(property, row, found)` is false, as if they had
  /// not been asked.
  void keep_answers(const std::function<bool(std::uint32_t property, Row row, bool found)>& keeps);
  /// Which rider answered the property of this index, or why none did, in a few words; empty for a
  /// global one.
  [[nodiscard]] const std::string& method(std::uint32_t property) const {
    return methods_[property];
  }
  /// Returns whether the property's question is asked of this row.
  [[nodiscard]] bool is_asked(std::uint32_t property, Row row) const;
  /// The first `within` that compared times of two processes although nothing says how far apart
  /// their clocks may be; `none` where there is none.
  [[nodiscard]] std::uint32_t uncomparable() const { return uncomparable_; }
  [[nodiscard]] Scene scene(Row row) const { return scenes_[row]; }
  [[nodiscard]] const Observer& observer() const { return observer_; }
  [[nodiscard]] const Computation& computation() const { return computation_; }
  [[nodiscard]] const CompiledProperties& properties() const { return properties_; }

 private:
  void ride_lrdag();
  void follow_times();
  void follow_predecessors(ReachedSets& sets);
  void ride_longest(LongestFlows& group, std::optional<Visibility> assumed);
  template <class R>
  [[nodiscard]] bool ride_flows(std::vector<R> riders, const ReachedSets& sets);

  const CompiledProperties& properties_;
  const Computation& computation_;
  Observer observer_;
  std::vector<Scene> scenes_;
  Lrdag lrdag_;
  std::vector<std::unique_ptr<LongestFlows>> longest_;  // one per alphabet
  std::vector<std::optional<FoundRows>> answers_;
  std::vector<std::string> methods_;
  std::uint32_t most_riders_;
  std::uint32_t uncomparable_ = none;         // a property
  std::vector<std::vector<bool>> forgotten_;  // by property and row; empty: none
};

/// Whether an observer has seen all states there will be.
enum class Seen : std::uint8_t { some, all };

/// The longest flows of a file, grouped by alphabet: what one rider can follow together. Where all
/// states have been seen, alphabets that make letters of the same ones are one.
[[nodiscard]] std::vector<std::unique_ptr<LongestFlows>> by_alphabet(
    const CompiledProperties& properties, const Observer& observer, Seen seen = Seen::some);

}  // namespace lightcone
