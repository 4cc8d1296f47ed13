// Finds a causal path whose word an automaton accepts, and why an equation holds.
#pragma once

#include <lightcone/riders/inspection.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// Two events of a path that a `within` compares.
struct TimeGap {
  Row from = 0, to = 0;
  double within = 0;                   ///< what is allowed, in seconds
  std::optional<bool> in_time = true;  ///< nothing: the clocks cannot tell
};

/// A path of states that leads to the place where a property was found (or missed).
struct FlowWitness {
  /// In causal order; of `flow`: all states from an initial one, of `longest flow`: labelled ones.
  std::vector<Row> path;
  /// Of each state of the path, whether its letter leads the automaton to another state, once it
  /// has left its first state for good: what a reader must see. Where any path serves, none does.
  std::vector<bool> turns;
  bool matches = false;            ///< whether the word of the path matches the pattern
  std::uint64_t flows = 0;         ///< how many paths lead there; UINT64_MAX: at least as many
  bool is_undecided = false;       ///< clocks cannot tell whether the word matches
  std::vector<TimeGap> gaps = {};  ///< of a pattern with `within`, in the order of the path
};

/// What the search for one witness may use; beyond that it is an Error.
inline constexpr std::size_t default_witness_bytes = std::size_t{2} << 30;

/// A flow to `row` that shows why the property is, or is not, found there: one that matches for
/// `some` found, one that does not for `every` not found; otherwise any one, as all are alike. Of
/// those it takes one with the fewest changes of process, and then the fewest turns. The question
/// must have been answered, and asked of `row`.
[[nodiscard]] Expected<FlowWitness> flow_witness(const Inspection& inspection,
                                                 const CompiledFlow& flow, Row row,
                                                 std::size_t budget = default_witness_bytes);

/// The same for a flow with `within`: a path that matches for certain, one that the clocks leave
/// open, or one that matches but for its times. Where no path has the letters of the pattern, it is
/// an Error that says so.
[[nodiscard]] Expected<FlowWitness> timed_witness(const Inspection& inspection,
                                                  const CompiledFlow& flow, Row row,
                                                  std::size_t most_runs = std::size_t{1} << 22);

/// One variable of a logic block at one state, and what its value rests on.
struct LogicReason {
  std::uint32_t variable = 0;
  Row row = 0;
  /// Value and facts are the same in all states of the process from this one to `row`; each beyond
  /// them rests on the state before alone, and this one on `because`.
  Row since = 0;
  bool value = true;
  std::vector<std::string> facts;    ///< atoms and built-in predicates, as `busy` or `not busy`
  std::vector<std::size_t> because;  ///< other reasons, by index: in the past, or of `row` itself
  std::vector<MessageIndex> by;      ///< the message that told of each; `none`: no message did
  bool is_cut = false;               ///< it has more reasons than could be followed
};

/// Why the detected variable holds (or does not) at `row`; the first reason is that of the row
/// itself, at most `most` in all, those nearest first.
[[nodiscard]] Expected<std::vector<LogicReason>> logic_witness(
    const Inspection& inspection, const CompiledLogic& logic, Row row, std::size_t most,
    std::size_t budget = default_witness_bytes);

}  // namespace lightcone
