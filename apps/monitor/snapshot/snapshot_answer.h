// What a snapshot shows: the document that is answered, with termination and deadlock.
#pragma once

#include <lightcone/base/json.h>
#include <lightcone/snapshot.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::service {

enum class StableVerdict { no, yes, unknown };
[[nodiscard]] std::string_view word_of(StableVerdict answer);

/// What a process told of its waiting, by the part that it sent; nothing: it did not tell.
[[nodiscard]] std::optional<Awaited> awaited_in(const Json& part);

/// What is certain, whatever those processes do that did not tell.
struct StableAnswers {
  StableVerdict terminated = StableVerdict::unknown;
  StableVerdict deadlock = StableVerdict::unknown;
  std::vector<std::string> deadlocked = {};  ///< certainly
  std::vector<std::string> not_told = {};    ///< processes that did not tell whether they wait
};
/// The states of the snapshot are parts as JSON text. Unknown as long as a state is missing.
[[nodiscard]] StableAnswers stable_answers(const GlobalSnapshot& snapshot);

/// A snapshot of an execution, as far as it came.
struct TakenSnapshot {
  std::string execution = {};
  std::optional<GlobalSnapshot> snapshot = {};
  std::map<std::string, std::string> missing = {};  ///< processes, and why they are
};
/// The document that docs/schema/snapshot.json describes.
[[nodiscard]] Json snapshot_document(const TakenSnapshot& taken);

}  // namespace lightcone::service
