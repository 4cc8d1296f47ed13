// Finds a causal path whose word an automaton accepts, and why an equation holds.
#pragma once

#include <lightcone/riders/inspection.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// A path of states that leads to the place where a property was found (or missed).
struct FlowWitness {
  std::vector<Row>
      path;  ///< in causal order; of `flow`: all states, of `longest flow`: labelled ones
  bool matches = false;     ///< whether the word of the path matches the pattern
  std::uint64_t flows = 0;  ///< how many flows lead there; UINT64_MAX: at least as many
};

/// A flow to `row` that shows why the property is, or is not, found there: one that matches for
/// `some` found, one that does not for `every` not found; otherwise any one, as all are alike.
[[nodiscard]] FlowWitness flow_witness(const Inspection& inspection, const CompiledFlow& flow,
                                       Row row);

/// One variable of a logic block at one state, and what its value rests on.
struct LogicReason {
  std::uint32_t variable = 0;
  Row row = 0;
  bool value = true;
  std::vector<std::string> facts;    ///< atoms and built-in predicates, as `busy` or `not busy`
  std::vector<std::size_t> because;  ///< other reasons, by index
};

/// Why the detected variable holds (or does not) at `row`; the first reason is that of the row
/// itself, at most `most` in all, those nearest first.
[[nodiscard]] std::vector<LogicReason> logic_witness(const Inspection& inspection,
                                                     const CompiledLogic& logic, Row row,
                                                     std::size_t most);

}  // namespace lightcone
