// The journal of an MPI process as a replay reads it: some answers are needed before their turn.
#pragma once

#include <lightcone/choices/journal.h>
#include <lightcone/choices/prompter.h>

#include <deque>
#include <string>
#include <variant>

#include "rank_journal.h"

namespace lightcone::mpi {

/// Gives an MPI process its answers. Matches are found by the number of the wildcard, all others
/// come in their order.
class RankScript {
 public:
  /// What became of a wildcard.
  struct Match {
    enum class What : std::uint8_t { message, cancelled, never };
    What what = What::never;  ///< never: the recording ends before it is known
    Channel channel = {};
  };

  [[nodiscard]] static Expected<RankScript> open(const std::string& path);

  /// The number of the next wildcard.
  [[nodiscard]] std::uint64_t open() { return opened_++; }
  [[nodiscard]] Prompted<Match> match(std::uint64_t choice);
  /// Whether a poll finds something.
  [[nodiscard]] Prompted<bool> poll(std::string_view asked);
  /// Whether the MPI refused the call that comes next, which then has no other answer.
  [[nodiscard]] bool refused() { return take_mark(refused_call); }
  /// Whether the answers that follow are of all kinds; asked once, before the first of a kind that
  /// earlier versions did not keep.
  [[nodiscard]] bool keeps_more() { return take_mark(more_kinds); }
  [[nodiscard]] Prompted<std::uint64_t> choose(std::uint64_t of, std::string_view asked);
  [[nodiscard]] Prompted<std::uint64_t> read_clock();
  [[nodiscard]] Prompted<std::string> read_bytes();
  /// Compares the events up to here with those that were recorded.
  [[nodiscard]] Prompted<void> made(std::uint64_t events, std::uint32_t digest);
  [[nodiscard]] Prompted<void> end();

 private:
  using Answer = std::variant<EmptyPolls, BranchTaken, ClockReading, std::string>;
  /// At the end of a block: how far the process had come.
  struct Milestone {
    std::uint64_t events_before = 0, events = 0;
    std::uint32_t digest = 0;
  };
  explicit RankScript(Journal journal) : journal_(std::move(journal)) {}

  [[nodiscard]] bool read_more();
  [[nodiscard]] bool take_mark(std::uint64_t of);
  void read(const JournalEntry& entry);
  [[nodiscard]] std::uint64_t take_open(std::uint64_t older);
  template <class T>
  [[nodiscard]] Prompted<T> next(std::string_view asked);
  [[nodiscard]] std::string next_recorded() const;

  Journal journal_;
  std::string damage_;  // why it cannot be read further
  bool at_end_ = false;
  std::uint64_t opened_ = 0;
  std::uint64_t untouched_ = 0;                   // all wildcards from here on have no match yet,
  std::deque<std::uint64_t> skipped_;             // and these before it
  std::uint64_t older_ = 0;                       // for the match that comes next
  tsl::robin_map<std::uint64_t, Match> matches_;  // read, and not asked for yet
  std::deque<Answer> answers_;
  std::deque<Milestone> milestones_;
  std::uint64_t events_read_ = 0;
};

}  // namespace lightcone::mpi
