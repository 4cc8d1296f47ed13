// The result of a replay, from the reports of its processes.
#pragma once

#include <lightcone/recording.h>

#include <cstdint>
#include <string>
#include <vector>

#include "run/journal_summary.h"

namespace lightcone::cli {

/// Why no more is awaited of a replay.
enum class ReplayEnd : std::uint8_t {
  stands,       ///< nothing happens any more
  ended,        ///< the program has ended: who said nothing will not say anything
  interrupted,  ///< someone ended it: that processes died says nothing
};

/// How a replay went, process by process.
struct ReplayVerdict {
  struct Part {
    std::string process;
    std::uint64_t events = 0;
    RunReport::Why why = RunReport::Why::ended;
    std::string text;
    std::uint64_t recorded = 0;  ///< events; of a process that was cut off, at least so many
    bool has_end = false;        ///< the recording has the end of the process
  };
  std::vector<Part> parts;   ///< by name; those that diverged first, then those that wait
  bool same = true;          ///< nothing was different as far as it went
  bool is_known = true;      ///< false: nothing was different, but it is not known why it ended
  bool is_cut_off = false;   ///< the recording does not reach the end of all processes
  bool told_to_end = false;  ///< it did not go far enough, since someone wanted it to end

  [[nodiscard]] static ReplayVerdict of(const std::vector<JournalSummary>& recorded,
                                        const std::vector<RunReport>& reports, ReplayEnd end);
  /// All events that were made.
  [[nodiscard]] std::uint64_t events() const;
  /// Those of them that were recorded.
  [[nodiscard]] std::uint64_t recorded_events() const;
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

/// Returns in words which processes a replay waits for in which no event is made: those that run,
/// those that have not begun.
[[nodiscard]] std::string waited_for(const std::vector<JournalSummary>& recorded,
                                     const std::vector<RunReport>& reports);

}  // namespace lightcone::cli
