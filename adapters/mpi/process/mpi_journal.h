// The journal of an MPI process: the answers of a run, in the order in which they were known.
#pragma once

#include <lightcone/run/journal/journal.h>

#include <deque>
#include <string_view>
#include <vector>

#include "calls/posted_receives.h"

namespace lightcone::mpi {

/// How a match is spelt in a journal: the sender's name is `SOURCE TAG`, and the number counts such
/// entries. A match that is not that of the oldest wildcard without one comes after a branch, of
/// `later_match`, which says how many of those are older.
inline constexpr std::uint64_t later_match = std::uint64_t{1} << 40;
/// How a call is spelt that the MPI refused: a branch of so many.
inline constexpr std::uint64_t refused_call = later_match + 1;
/// The first branch of so many says that values of MPI_Get and its like, MPI_Win_test, clock, times
/// and getrusage follow. Journals without it were written by versions that did not keep them.
inline constexpr std::uint64_t more_kinds = later_match + 2;
inline constexpr std::string_view cancelled_name = "cancelled";

/// Writes a journal; its writer keeps the first error. A wildcard is entered when its match is
/// known; a replay needs it when it is posted, so it reads ahead.
class MpiJournal {
 public:
  [[nodiscard]] static Expected<MpiJournal> create(const std::string& path, std::string process);
  /// Stands for one that could not be created: nothing is kept.
  [[nodiscard]] static MpiJournal missing(const std::string& path, std::string process, Error why);

  /// A receive or probe with a wildcard begins; which it is, from 0.
  [[nodiscard]] std::uint64_t open() {
    open_.push_back(next_);
    return next_++;
  }
  /// It has got its message.
  void matched(std::uint64_t choice, const Channel& channel);
  /// It was cancelled before it got one.
  void cancelled(std::uint64_t choice);
  /// A poll found nothing; else it found what it asked for.
  void polled(bool found);
  void chose(std::uint64_t which, std::uint64_t of);
  void read_clock(std::uint64_t value);
  void read_bytes(std::string_view bytes);
  /// So many events were made, and they have this digest.
  void made(std::uint64_t events, std::uint32_t digest) { writer_.note(events, digest); }

  [[nodiscard]] Expected<void> flush() { return writer_.flush(); }
  [[nodiscard]] Expected<void> end() { return writer_.end(); }
  [[nodiscard]] const JournalWriter& writer() const { return writer_; }

 private:
  explicit MpiJournal(JournalWriter writer) : writer_(std::move(writer)) {}
  struct Sender {
    std::uint32_t index = 0;
    std::uint64_t entries = 0;
  };
  void close(std::uint64_t choice);
  void enter(Sender& sender);

  JournalWriter writer_;
  std::deque<std::uint64_t> open_;  // wildcards without a match, ascending
  std::uint64_t next_ = 0, receives_ = 0;
  tsl::robin_map<std::uint64_t, Sender, KeyHash> senders_;  // by channel
  std::optional<Sender> cancelled_;
};

}  // namespace lightcone::mpi
