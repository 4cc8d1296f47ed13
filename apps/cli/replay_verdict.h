// What the words of the processes of a replay amount to.
#pragma once

#include <lightcone/live/run_report.h>

#include <string>
#include <vector>

#include "journal_summary.h"

namespace lightcone::cli {

/// How a replay went, process by process.
struct ReplayVerdict {
  struct Part {
    std::string process;
    std::uint64_t events = 0;
    RunReport::Why why = RunReport::Why::ended;
    std::string text;
  };
  std::vector<Part> parts;  ///< by name; those that diverged first, then those that wait
  bool same = true;         ///< nothing was different as far as it went
  bool is_cut_off = false;  ///< it went as far as a recording that does not reach the end

  /// `over`: the program has ended, so that who said nothing will not say anything.
  [[nodiscard]] static ReplayVerdict of(const std::vector<JournalSummary>& recorded,
                                        const std::vector<RunReport>& reports, bool over);
};

/// How surely nothing more will happen.
enum class Standing : std::uint8_t {
  no,        ///< someone runs, or all have ended
  surely,    ///< all that has not ended stands still for good
  waiting,   ///< someone waits for a message, which may be under way
  doubtful,  ///< someone has not begun, or has died
  stuck,     ///< someone stands still for good, and someone else may be busy
};

/// How the processes stand, by what they say and by which of them are alive.
[[nodiscard]] Standing standing_of(const std::vector<JournalSummary>& recorded,
                                   const std::vector<RunReport>& reports);

}  // namespace lightcone::cli
