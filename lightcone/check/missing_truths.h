// What a global property lacks: predicates that are true nowhere, or never at one moment.
#pragma once

#include <lightcone/check/global_answers.h>
#include <lightcone/computation.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

/// Something that a global property reads, and that is not as the property may want it.
struct MissingTruth {
  std::string read;                      ///< `inside`
  std::vector<ProcessIndex> never = {};  ///< it is true in no state of these processes
  /// It is true in two processes, but never at one moment: it ended at the first place, and the
  /// second one, where it begins, knows that.
  std::optional<std::pair<EventPlace, EventPlace>> apart = {};
};

/// What stands in the way of a global property that was not found, as far as it reads whether local
/// predicates are true. Not all of it need be wanted by the property.
[[nodiscard]] std::vector<MissingTruth> missing_truths(const GlobalAnswer& answer,
                                                       const Computation& computation);

/// The values that something which a global property reads has in one process.
struct ValuesRead {
  std::string read;  ///< `x`
  ProcessIndex process = 0;
  std::vector<Datum> values;  ///< each once, in ascending order; texts last
};

/// What a global property that was not found reads, as far as it reads more than truths.
[[nodiscard]] std::vector<ValuesRead> values_read(const GlobalAnswer& answer);

/// `x` is 1, 2 or 5 in p1. Where there are more values: `x` is 1 to 15 in p1.
[[nodiscard]] std::string sentence_of(const ValuesRead& read, const Computation& computation);

/// `inside` is true nowhere in p1, p2.
[[nodiscard]] std::string sentence_of(const MissingTruth& missing, const Computation& computation);

}  // namespace lightcone
