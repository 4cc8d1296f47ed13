// The journal of an MPI process as a replay reads it: some answers are needed early.
#pragma once

#include <lightcone/run/answers/open_wildcards.h>
#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/answers/recorded_events.h>
#include <lightcone/run/journal/journal.h>
#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace lightcone {

/// Gives an MPI process its answers. Matches are found by the number of the wildcard, all others
/// come in their order.
class MpiReplayer {
 public:
  /// What became of a wildcard.
  struct Match {
    enum class What : std::uint8_t {
      message,
      follows,  ///< a message that no other could have come instead of: a journal of races
      cancelled,
      never,  ///< the recording ends before it is known
    };
    What what = What::never;
    std::int32_t source = 0, tag = 0;
  };
  /// As KeptContents, with bytes of its own.
  struct Kept {
    KeptContents::What what = KeptContents::What::fetched;
    std::uint64_t detail = 0;
    std::string bytes = {};
  };

  /// `alone`: the process runs without others, and needs contents; otherwise they are passed over.
  [[nodiscard]] static Expected<MpiReplayer> open(const std::string& path, bool alone = false);
  /// Returns whether the journal is of version 1 or 2, whose clocks are not in nanoseconds.
  [[nodiscard]] bool is_old() const { return journal_.header().version < 3; }

  /// The number of the next wildcard.
  [[nodiscard]] std::uint64_t open() { return opened_++; }
  [[nodiscard]] Prompted<Match> match(std::uint64_t choice);
  /// Returns whether the next receive without wildcards that begins was cancelled.
  [[nodiscard]] bool was_cancelled();
  /// Returns how the next call that completes several requests fails: a byte for each of them, 1 if
  /// it is complete; nothing if the call does not fail.
  [[nodiscard]] std::optional<std::string> how_it_failed();
  /// Returns whether a poll finds something.
  [[nodiscard]] Prompted<bool> poll(std::string_view asked);
  /// Returns whether the MPI refused the call that comes next, which then has no other answer.
  [[nodiscard]] bool refused();
  /// Returns whether the answers that follow are of all kinds; asked once, before the first of a
  /// kind that the first versions did not keep.
  [[nodiscard]] bool keeps_more();
  /// Which of so many requests is complete; their number, if none is.
  [[nodiscard]] Prompted<std::uint64_t> choose(std::uint64_t of, std::string_view asked);
  /// How many of so many requests are complete; their number plus one, if none can be.
  [[nodiscard]] Prompted<std::uint64_t> count(std::uint64_t of, std::string_view asked);
  [[nodiscard]] Prompted<std::uint64_t> read_clock(std::int32_t clock);
  [[nodiscard]] Prompted<Kept> take(KeptContents::What what, std::string_view asked);
  /// The same, if such contents come next.
  [[nodiscard]] std::optional<Kept> take_if_next(KeptContents::What what);
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
  using ScriptAnswer =
      std::variant<PollResult, RequestChoice, RequestCount, CallRefused, ClockValue, Kept,
                   BranchTaken, ClockReading>;  // the last two of old versions
  MpiReplayer(Journal journal, RecordedEvents events, std::string path, bool alone)
      : journal_(std::move(journal)),
        events_(std::move(events)),
        path_(std::move(path)),
        alone_(alone) {}

  [[nodiscard]] bool read_more();
  /// The answer that comes next; nullptr if there is none.
  [[nodiscard]] ScriptAnswer* front();
  [[nodiscard]] bool take_mark(std::uint64_t of);
  void read(const JournalEntry& entry);
  void read_old(const JournalEntry& entry);
  [[nodiscard]] std::uint64_t take_open(std::uint64_t older);
  void find_numbered();
  template <class T>
  [[nodiscard]] Prompted<T> next(std::string_view asked);
  [[nodiscard]] std::string next_recorded() const;
  [[nodiscard]] tl::unexpected<Standstill> diverged(std::string_view asked) const;

  Journal journal_;
  RecordedEvents events_;
  std::string path_;
  bool alone_;
  std::string damage_;  // why it cannot be read further
  bool at_end_ = false;
  std::uint64_t opened_ = 0;
  OpenWildcards open_;                            // in a full journal
  std::uint64_t settled_ = 0;                     // of races: wildcards that were read, or left out
  std::uint64_t older_ = 0;                       // of an old journal: for the match that follows
  tsl::robin_map<std::uint64_t, Match> matches_;  // read, and not asked for yet
  std::deque<ScriptAnswer> answers_;
  std::uint64_t named_ = 0;                           // receives without wildcards
  std::optional<std::set<std::uint64_t>> cancelled_;  // of these
  std::uint64_t completions_ = 0;                     // calls that complete several requests
  std::map<std::uint64_t, std::string> failed_;       // of these
};

}  // namespace lightcone
