// The journal of one process: written as the process goes, read to replay it.
#pragma once

#include <lightcone/causal/error.h>
#include <lightcone/choices/journal_block.h>
#include <lightcone/choices/journal_entry.h>
#include <lightcone/trace/file.h>

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// Appends answers, block by block. A block is in the file whole or not at all: whoever is killed
/// leaves all that was flushed before. After an error nothing more is written, so that the journal
/// stays what it was up to there; every later call gives that error again.
class JournalWriter {
 public:
  /// Replaces a file of this name. A block is written at the latest after `block_entries`, which
  /// lie between 1 and journal::most_entries.
  [[nodiscard]] static Expected<JournalWriter> create(
      const std::string& path, const JournalHeader& header,
      std::size_t block_entries = journal::most_entries);
  JournalWriter(JournalWriter&&) noexcept = default;
  JournalWriter& operator=(JournalWriter&&) = delete;
  /// Flushes, if it can. The journal does not count as ended.
  ~JournalWriter();

  /// The number by which entries name a sender.
  [[nodiscard]] Expected<std::uint32_t> sender(std::string_view name);

  /// Adds an answer; an empty poll joins those before it. Receives come in their order, and all of
  /// them in a full journal.
  [[nodiscard]] Expected<void> add(const JournalEntry& entry) { return add(entry, false); }
  /// The same for a message that does not race. A full journal holds it, a journal of races only
  /// where a block is smaller with all receives than with those that race, as where nearly all do.
  [[nodiscard]] Expected<void> add_implied(const ReceivedMessage& message) {
    return add(message, true);
  }
  /// Writes what was added since the last flush.
  [[nodiscard]] Expected<void> flush();
  /// Flushes, and says that the process has come to its end. Nothing may be added after that.
  [[nodiscard]] Expected<void> end();

 private:
  JournalWriter(AppendedFile file, const JournalHeader& header, std::size_t block_entries);
  [[nodiscard]] Expected<void> add(const JournalEntry& entry, bool implied);
  [[nodiscard]] std::string take_block();
  [[nodiscard]] Expected<void> write(std::string_view bytes);
  [[nodiscard]] tl::unexpected<Error> fail(std::string what);

  AppendedFile file_;
  std::size_t block_entries_;
  std::uint64_t size_ = 0;      // of the file
  std::uint64_t checksum_ = 0;  // of the last block
  JournalKind kind_;
  journal::BlockEncoder block_;  // of all that was added
  journal::BlockEncoder races_;  // of what was not implied; used in a journal of races
  tsl::robin_map<std::string, std::uint32_t> senders_;
  std::optional<Error> error_;
  bool ended_ = false;
};

/// The answers of one process in their order, read block by block.
class Journal {
 public:
  [[nodiscard]] static Expected<Journal> open(const std::string& path);

  [[nodiscard]] const JournalHeader& header() const { return header_; }
  /// The next answer, or nullptr after the last; it holds until the next call. What comes before
  /// an error is as it was written.
  [[nodiscard]] Expected<const JournalEntry*> next();
  /// The name of a sender that an entry has named.
  [[nodiscard]] const std::string& sender(std::uint32_t index) const {
    return decoder_.senders()[index];
  }
  /// After the last answer: whether the process ended its journal, and was not cut off.
  [[nodiscard]] bool ended() const { return ended_; }
  /// After the last answer: how many bytes of an unfinished block follow it.
  [[nodiscard]] std::uint64_t lost_bytes() const { return lost_bytes_; }

 private:
  Journal(InputFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  [[nodiscard]] Expected<void> read_header();
  [[nodiscard]] Expected<std::string> read_bytes(std::size_t size);
  [[nodiscard]] bool advance();
  [[nodiscard]] Expected<void> read_block();
  [[nodiscard]] Expected<void> read_end();
  [[nodiscard]] tl::unexpected<Error> damaged(const std::string& how) const;

  InputFile file_;
  std::string path_;
  JournalHeader header_;
  std::uint64_t checksum_ = 0;  // of the last block
  std::uint64_t given_ = 0;     // entries
  journal::BlockDecoder decoder_;
  std::size_t at_ = 0;  // the next entry of the decoder's block
  JournalEntry entry_;
  std::optional<Error> error_;
  bool finished_ = false;
  bool ended_ = false;
  std::uint64_t lost_bytes_ = 0;
};

}  // namespace lightcone
