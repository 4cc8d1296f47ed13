// The journal of one process: written as the process goes, read to replay it.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/error.h>
#include <lightcone/run/journal/journal_block.h>
#include <lightcone/run/journal/journal_entry.h>
#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lightcone {

/// Appends answers, block by block. A block is in the file completely or not at all: a process that
/// is killed leaves all that was flushed before. After an error nothing more is written, so that
/// the journal stays what it was up to there; every later call gives that error again.
class JournalWriter {
 public:
  /// Replaces a file of this name. A block whose weight is `block_entries` or more, between 1 and
  /// journal::most_entries, is written when the next answer is added that is not of the same batch.
  [[nodiscard]] static Expected<JournalWriter> create(
      const std::string& path, const JournalHeader& header,
      std::size_t block_entries = journal::usual_entries);
  /// Stands for a journal that could not be created, for this reason: it takes all and keeps
  /// nothing.
  [[nodiscard]] static JournalWriter missing(const std::string& path, const JournalHeader& header,
                                             Error why);
  JournalWriter(JournalWriter&&) noexcept = default;
  JournalWriter& operator=(JournalWriter&&) = delete;
  /// Flushes, if it can. The journal does not count as ended.
  ~JournalWriter();

  /// The number by which entries name a sender.
  [[nodiscard]] Expected<std::uint32_t> sender(std::string_view name) {
    if (last_sender_index_ && name == last_sender_) return *last_sender_index_;
    return find_or_add_sender(name);
  }

  /// Adds an answer; an empty poll joins those before it. Receives come in their order, and all of
  /// them in a full journal.
  [[nodiscard]] Expected<void> add(const JournalEntry& entry);
  /// The same for the entry that most MPI journals are full of.
  [[nodiscard]] Expected<void> add(const WildcardMatch& match);
  /// The same for a message with a channel number: which it is, from 1, of the messages from its
  /// sender to this process alone; 0 if not known. One that was received before has the same again.
  [[nodiscard]] Expected<void> add(const ReceivedMessage& message, std::uint64_t channel) {
    return add(message, channel, false);
  }
  /// The same for a message that does not race, the only one of its receive. A full journal holds
  /// it; a journal of races only where a block is smaller with all receives than with those that
  /// race, as where nearly all do, or where it has contents or no channel number.
  [[nodiscard]] Expected<void> add_implied(const ReceivedMessage& message, std::uint64_t channel) {
    return add(message, channel, true);
  }
  /// What the next block says of the process: how many events it has had, and a digest of them.
  void note(std::uint64_t events, std::uint32_t digest) {
    LIGHTCONE_ASSERT(events >= facts_.events && events <= journal::most_receives);
    facts_.events = events;
    facts_.digest = digest;
  }
  /// Writes what was added since the last flush, also if that is only that there were receives that
  /// are left out, or events.
  [[nodiscard]] Expected<void> flush();
  /// Flushes, and says that the process has come to its end. Nothing may be added after that.
  [[nodiscard]] Expected<void> end();
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }  ///< written so far
  /// The first error.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// Returns how many events of the process the blocks in the file speak of.
  [[nodiscard]] std::uint64_t kept_events() const { return kept_events_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  JournalWriter(AppendedFile file, const JournalHeader& header, std::size_t block_entries);
  [[nodiscard]] Expected<void> add(const ReceivedMessage& message, std::uint64_t channel,
                                   bool implied);
  [[nodiscard]] Expected<std::uint32_t> find_or_add_sender(std::string_view name);
  [[nodiscard]] bool has_room(std::size_t bytes, bool same_batch) const;
  [[nodiscard]] Expected<void> make_room(std::size_t bytes);
  [[nodiscard]] std::string take_block();
  [[nodiscard]] Expected<void> write(std::string_view bytes);
  [[nodiscard]] tl::unexpected<Error> fail(std::string what);

  AppendedFile file_;
  std::size_t block_entries_;
  std::uint64_t size_ = 0, blocks_ = 0;  // of the file
  std::uint64_t checksum_ = 0;           // of the last block
  JournalKind kind_;
  journal::BlockEncoder block_;  // of all that was added
  journal::BlockEncoder races_;  // of what is not left out; used in a journal of races
  journal::LeftOutEncoder left_out_;
  JournalFacts facts_;             // of the next block
  std::uint64_t said_events_ = 0;  // in the last block
  std::uint64_t kept_events_ = 0;  // in the last block that was written
  std::uint64_t implied_at_ = 0;   // the last receive that does not race
  tsl::robin_map<std::string, std::uint32_t, std::hash<std::string_view>, std::equal_to<>> senders_;
  std::string last_sender_;  // found; its name may be empty
  std::optional<std::uint32_t> last_sender_index_;
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

  /// For a replay, since a block says what it leaves out. Goes to the next block, past entries that
  /// were not taken; false if there is none. Before the first there is one without anything.
  [[nodiscard]] Expected<bool> next_block();
  /// The next answer of this block, or nullptr after its last. Empty polls may go on in the next.
  [[nodiscard]] const JournalEntry* peek() const;
  /// Takes what peek() shows.
  void pop();
  /// Returns how far the process had come at the end of this block.
  [[nodiscard]] const JournalFacts& facts() const { return decoder_.facts(); }
  /// Returns whether this block leaves out the receive of this message, which goes to this process
  /// alone. A receive that is not an entry takes the message for which this is true, that was not
  /// taken yet and whose sender knew of all receives before it. There is exactly one.
  [[nodiscard]] bool implies(std::uint32_t sender, std::uint64_t channel,
                             std::uint64_t number) const {
    return decoder_.left_out().implies(sender, channel, number);
  }
  /// The number of a sender that was named up to this block.
  [[nodiscard]] std::optional<std::uint32_t> find_sender(std::string_view name) const {
    return decoder_.find_sender(name);
  }

  /// The name of a sender that was named up to here.
  [[nodiscard]] const std::string& sender(std::uint32_t index) const {
    return decoder_.senders()[index];
  }
  /// After the last answer: returns whether the process ended its journal and was not cut off.
  [[nodiscard]] bool ended() const { return ended_; }
  /// After the last answer: returns how many bytes of an incomplete block follow it.
  [[nodiscard]] std::uint64_t lost_bytes() const { return lost_bytes_; }

 private:
  Journal(InputFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  [[nodiscard]] Expected<void> read_header();
  [[nodiscard]] Expected<std::string> read_bytes(std::size_t size);
  [[nodiscard]] bool advance();
  [[nodiscard]] bool step();
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
