// The journal of an MPI process as a replay reads it: some answers are needed early.
#pragma once

#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/answers/recorded_events.h>
#include <lightcone/run/journal/journal.h>

#include <deque>
#include <functional>
#include <string>
#include <variant>

#include "process/mpi_journal.h"

namespace lightcone::mpi {

/// Gives an MPI process its answers. Matches are found by the number of the wildcard, all others
/// come in their order.
class MpiScript {
 public:
  /// What became of a wildcard.
  struct Match {
    enum class What : std::uint8_t { message, cancelled, never };
    What what = What::never;  ///< never: the recording ends before it is known
    Channel channel = {};
  };

  [[nodiscard]] static Expected<MpiScript> open(const std::string& path);

  /// The number of the next wildcard.
  [[nodiscard]] std::uint64_t open() { return opened_++; }
  [[nodiscard]] Prompted<Match> match(std::uint64_t choice);
  /// Returns whether a poll finds something.
  [[nodiscard]] Prompted<bool> poll(std::string_view asked);
  /// Returns whether the MPI refused the call that comes next, which then has no other answer.
  [[nodiscard]] bool refused() { return take_mark(refused_call); }
  /// Returns whether the answers that follow are of all kinds; asked once, before the first of a
  /// kind that earlier versions did not keep.
  [[nodiscard]] bool keeps_more() { return take_mark(more_kinds); }
  [[nodiscard]] Prompted<std::uint64_t> choose(std::uint64_t of, std::string_view asked);
  [[nodiscard]] Prompted<std::uint64_t> read_clock();
  [[nodiscard]] Prompted<std::string> read_bytes();
  /// Compares the events up to here with those that were recorded.
  [[nodiscard]] Prompted<void> made(std::uint64_t events, std::uint32_t digest,
                                    const std::function<std::string()>& words) {
    return events_.made(events, digest, words);
  }
  /// The process comes to MPI_Finalize.
  [[nodiscard]] Prompted<void> end();
  /// The process ends before MPI_Finalize, as `came` says. Returns whether it was cut off there,
  /// too.
  [[nodiscard]] Prompted<void> break_off(const std::string& came);
  /// Returns whether the recording has the end of the process.
  [[nodiscard]] bool has_end() { return events_.has_end(); }

 private:
  using ScriptAnswer = std::variant<EmptyPolls, BranchTaken, ClockReading, std::string>;
  /// Numbers of wildcards that follow each other.
  struct SkippedRange {
    std::uint64_t begin = 0, end = 0;
  };
  MpiScript(Journal journal, RecordedEvents events)
      : journal_(std::move(journal)), events_(std::move(events)) {}

  [[nodiscard]] bool read_more();
  [[nodiscard]] bool take_mark(std::uint64_t of);
  void read(const JournalEntry& entry);
  [[nodiscard]] std::uint64_t take_open(std::uint64_t older);
  template <class T>
  [[nodiscard]] Prompted<T> next(std::string_view asked);
  [[nodiscard]] std::string next_recorded() const;

  Journal journal_;
  RecordedEvents events_;
  std::string damage_;  // why it cannot be read further
  bool at_end_ = false;
  std::uint64_t opened_ = 0;
  std::uint64_t untouched_ = 0;                   // all wildcards from here on have no match yet,
  std::deque<SkippedRange> skipped_;              // and these before it, ascending
  std::uint64_t older_ = 0;                       // for the match that comes next
  tsl::robin_map<std::uint64_t, Match> matches_;  // read, and not asked for yet
  std::deque<ScriptAnswer> answers_;
};

}  // namespace lightcone::mpi
