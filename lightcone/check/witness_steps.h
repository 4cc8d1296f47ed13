// A flow witness as steps to be printed: which labels they carry, and which messages lead to them.
#pragma once

#include <lightcone/riders/witness.h>

#include <cstddef>
#include <string>
#include <vector>

namespace lightcone {

/// One state of a witness's path.
struct WitnessStep {
  Row row = 0;
  bool is_letter = false;  ///< it is labelled, and so part of the word
  bool turns = false;      ///< its letter matters to the pattern
  std::vector<std::string> labels = {};
  std::size_t named =
      0;  ///< so many of the labels are ones that the property names; they are first
  std::vector<MessageIndex> messages = {};  ///< by which the path comes here from the state before
};

/// All states of the path, in its order.
[[nodiscard]] std::vector<WitnessStep> witness_steps(const Inspection& inspection,
                                                     const CompiledFlow& flow,
                                                     const FlowWitness& witness);

/// Returns the steps that matter: the letters, what a message led to, and the end.
[[nodiscard]] std::vector<WitnessStep> told_steps(std::vector<WitnessStep> steps);

/// Chooses steps to show if there is room for `most`, at least 4. First come those that turn and
/// those that a message led to from there on, without their middle. Then come others, the last one
/// first, but only a few if not all of them fit.
[[nodiscard]] std::vector<bool> steps_with_room(const std::vector<WitnessStep>& steps,
                                                std::size_t most);

}  // namespace lightcone
