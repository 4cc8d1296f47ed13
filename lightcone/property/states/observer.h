// Watches the states of processes: which propositions hold in each.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/states/local_expressions.h>
#include <lightcone/property/states/value_slice.h>
#include <lightcone/property/states/vocabulary.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lightcone {

/// What a state shows of itself: the truth of all propositions, as an index. Few states of a
/// computation differ in that, so that whatever depends on it is worked out once a scene.
using Scene = std::uint32_t;

/// Follows the variables of processes from state to state, and names the scene of each state.
class Observer {
 public:
  /// Names of labels, variables and texts are looked up once, here: a name that is not yet in
  /// `names` never matches. Both arguments must outlive the observer.
  Observer(const Vocabulary& vocabulary, const Names& names);

  /// All names that an observer of this vocabulary would look up.
  [[nodiscard]] static Names names_of(const Vocabulary& vocabulary);
  static void intern_names(const Vocabulary& vocabulary, Names& names);

  /// Adds a process; they are numbered in order.
  ProcessIndex add_process(std::string_view name);
  /// Adds a process that has come as far as another one; or makes one of the others such a process.
  ProcessIndex copy_process(ProcessIndex from);
  void copy_process(ProcessIndex from, ProcessIndex to) { processes_[to] = processes_[from]; }
  /// The scene of the process's next state; its initial state comes first.
  [[nodiscard]] Scene observe(ProcessIndex process, const StateContent& state);
  /// The same without a look at the state, where it differs from an earlier one in nothing that is
  /// observed: if no label is declared, the kind and the labels of an event say everything. `none`
  /// if there was no such state.
  [[nodiscard]] Scene known_scene(ProcessIndex process, Kind kind, bool sends,
                                  NameSetIndex label_set) const {
    const std::vector<Scene>& scenes =
        rows_[processes_[process].rows[kind_number(kind, sends)]];  // row 0 is empty
    return label_set < scenes.size() ? scenes[label_set] : none;
  }

  [[nodiscard]] bool holds(Scene scene, std::uint32_t proposition) const {
    return (truths_[scene * words_ + proposition / 64] >> (proposition % 64) & 1) != 0;
  }
  [[nodiscard]] bool holds(Scene scene, Test test) const {
    return holds(scene, test.proposition) == test.expected;
  }
  /// Of each declared label, whether it was true in some state that was observed.
  [[nodiscard]] std::vector<bool> ever_true() const;
  /// What the declared labels read.
  [[nodiscard]] const LocalExpressions& expressions() const { return labels_; }
  [[nodiscard]] std::uint32_t scene_count() const {
    return static_cast<std::uint32_t>(truths_.size() / words_);
  }

 private:
  static constexpr std::size_t kinds = 8;  // initial, or (receives, sends)
  [[nodiscard]] static std::size_t kind_number(Kind kind, bool sends) {
    if (kind == Kind::initial) return 4;
    return (kind == Kind::receive ? 1 : 0) + (kind == Kind::send || sends ? 2 : 0);
  }

  struct Process {
    std::uint32_t membership = 0;  ///< which whos it belongs to, as an index
    LocalExpressions::Process state;
    std::uint32_t truth = 0;  ///< of the declared labels, as an index
    bool known = false;       ///< whether `truth` is that of the last state
    std::array<std::uint32_t, kinds> rows{};
  };

  void declare(Process& process, const StateContent& state);
  [[nodiscard]] std::uint32_t row(const Process& process, std::size_t kind);
  [[nodiscard]] Scene make_scene(const Process& process, const StateContent& state);
  [[nodiscard]] bool carries(const Process& process, std::span<const NameIndex> labels,
                             Proposition::Name name) const;

  const Vocabulary& vocabulary_;
  std::size_t words_;
  std::vector<NameIndex> label_names_;  // of the vocabulary's labels
  std::vector<NameIndex> hidden_;       // event labels that a declared label hides
  LocalExpressions labels_;             // those that are declared
  std::vector<Process> processes_;
  std::map<std::vector<bool>, std::uint32_t> membership_index_, truth_index_;
  std::vector<std::vector<bool>> memberships_, declared_truths_;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> row_index_;
  std::vector<std::vector<Scene>> rows_;  // by label set, of (membership, truth, kind)
  std::map<std::vector<std::uint64_t>, Scene> scene_index_;
  std::vector<std::uint64_t> truths_;
};

/// The scene of every row of a computation, or of a slice of it: its events, then its initial
/// states.
[[nodiscard]] std::vector<Scene> observe(const Computation& computation, Observer& observer,
                                         ValueSlice slice = {});

}  // namespace lightcone
