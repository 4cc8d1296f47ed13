// The verdict of each property, and what it is based on.
#pragma once

#include <lightcone/riders/inspection.h>
#include <lightcone/trace/trace.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/global_answers.h"
#include "print/terminal.h"

namespace lightcone::cli {

enum class Verdict : std::uint8_t { pass, fail, info, unknown };

/// What became of one property.
struct Outcome {
  std::uint32_t property = 0;
  Verdict verdict = Verdict::unknown;
  bool found = false;
  /// Of a trace that was cut off: true of the part that was kept, and perhaps not of the execution.
  bool of_kept_part = false;
  /// Not known because of what is lost.
  bool lost = false;
  const Answer* answer = nullptr;        ///< of a flow or logic property that was decided
  const GlobalAnswer* global = nullptr;  ///< of a global property
};

/// As the table of verbs in docs/semantics.md says. The first two must outlive what is returned. Of
/// a trace that is incomplete, only what is certain is found, and what is not found is not known.
[[nodiscard]] std::vector<Outcome> outcomes(const Inspection& inspection,
                                            const GlobalAnswers& globals, const Reading& reading);
/// `fail` if one failed, else `unknown` if one is not known, else `pass`.
[[nodiscard]] Verdict overall(const std::vector<Outcome>& outcomes);
[[nodiscard]] std::string_view name_of(Verdict verdict);
/// As tables show it: `FAIL` stands out.
[[nodiscard]] std::string painted(Verdict verdict, const Paint& paint);

/// The rows at which a property decides its verdict, in the order of processes and ranks: where it
/// was found, or for a `require` that failed, where it was asked and not found. At most `most`.
[[nodiscard]] std::vector<Row> deciding_rows(const Inspection& inspection, const Outcome& outcome,
                                             std::size_t most);

/// All rows in the order of processes and ranks, initial states first; stops when `visit` says so.
template <class Visit>
void for_each_row(const Computation& computation, const Visit& visit) {
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (!visit(computation.initial_row(p))) return;
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      if (!visit(Row{e})) return;
    }
  }
}

/// The process and rank of a row; rank 0 for an initial state.
struct RowPlace {
  ProcessIndex process = 0;
  Rank rank = 0;
};
[[nodiscard]] RowPlace place_of(const Computation& computation, Row row);

}  // namespace lightcone::cli
