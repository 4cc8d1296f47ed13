// Keeps the answers that an MPI process gets from the world, or from a controller.
#pragma once

#include <lightcone/run/journal/journal.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace lightcone {

/// The journal of an MPI process that runs; its writer keeps the first error. A wildcard is entered
/// when its match is known. A replay needs it when it is posted, so it reads ahead.
class MpiRecorder {
 public:
  [[nodiscard]] static Expected<MpiRecorder> create(const std::string& path,
                                                    const JournalHeader& header);
  /// Stands for one that could not be created: nothing is kept.
  [[nodiscard]] static MpiRecorder missing(const std::string& path, const JournalHeader& header,
                                           Error why);

  /// A receive or probe with a wildcard begins. Returns which it is, from 0.
  [[nodiscard]] std::uint64_t open() {
    open_.push_back(next_);
    return next_++;
  }
  /// Returns which the next one will be.
  [[nodiscard]] std::uint64_t next() const { return next_; }
  /// It has got its message.
  void matched(std::uint64_t choice, std::int32_t source, std::int32_t tag) {
    static_cast<void>(writer_.add(WildcardMatch{close(choice), source, tag}));
  }
  /// One begins, and nothing else happens before it has got its message.
  void matched_next(std::int32_t source, std::int32_t tag) {
    ++next_;
    static_cast<void>(writer_.add(WildcardMatch{open_.size(), source, tag}));
  }
  /// It was cancelled before it got one.
  void cancelled(std::uint64_t choice) { add(WildcardCancelled{close(choice)}); }
  void add(const JournalEntry& entry) { static_cast<void>(writer_.add(entry)); }
  /// So many events were made, and they have this digest.
  void made(std::uint64_t events, std::uint32_t digest) { writer_.note(events, digest); }

  [[nodiscard]] Expected<void> flush() { return writer_.flush(); }
  [[nodiscard]] Expected<void> end() { return writer_.end(); }
  [[nodiscard]] const JournalWriter& writer() const { return writer_; }

 private:
  explicit MpiRecorder(JournalWriter writer) : writer_(std::move(writer)) {}
  /// Returns how many older ones are open.
  [[nodiscard]] std::uint64_t close(std::uint64_t choice);

  JournalWriter writer_;
  std::deque<std::uint64_t> open_;  // wildcards without a match, ascending
  std::uint64_t next_ = 0;
};

}  // namespace lightcone
