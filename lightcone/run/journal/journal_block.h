// A block of a journal: entries as columns of differences to expected values.
#pragma once

#include <lightcone/run/journal/journal_entry.h>
#include <lightcone/run/journal/journal_left_out.h>

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

class WireReader;

namespace journal {

// Limits of what is written and read.
inline constexpr std::size_t most_entries = 1 << 18;        ///< of a block
inline constexpr std::size_t usual_entries = 1 << 16;       ///< of a block, if no loop polls
inline constexpr std::size_t most_bytes = 1U << 29;         ///< of a block, before compression
inline constexpr std::size_t longest_bytes = 1U << 28;      ///< of contents, or of a value
inline constexpr std::size_t longest_name = 4096;           ///< of a process
inline constexpr std::size_t most_senders = 1 << 16;        ///< of a journal
inline constexpr std::size_t most_channels = 1 << 24;       ///< of a journal
inline constexpr std::uint64_t most_polls = 1ULL << 40;     ///< of one entry
inline constexpr std::uint64_t most_receives = 1ULL << 62;  ///< of a journal; also of events

/// Where messages to an MPI process come from. Matches name channels by their numbers.
struct MessageChannel {
  std::int32_t source = 0, tag = 0;
};

/// What writer and reader both know after the same entries. Receives count up, and the messages of
/// a sender mostly do: only what differs from that is coded.
struct Memory {
  std::uint64_t receives = 0;  ///< made so far
  std::uint64_t events = 0;    ///< of the process
  std::uint64_t clock = 0;     ///< the last reading
  std::uint64_t named = 0;     ///< the last receive without wildcards that was cancelled
  std::map<std::int32_t, std::uint64_t> clocks = {};  ///< the last value of each clock
  std::vector<std::uint64_t> numbers;                 ///< the greatest from each sender
};

/// The columns of a block, in the order of the format; for the encoder vectors, for the decoder
/// streams.
template <class Column, class Bytes>
struct BlockColumns {
  Column kinds;  ///< one per entry: its index in JournalEntry
  Column senders, receives, numbers, with_contents, contents_lengths;
  Column poll_receives, poll_counts;
  Column clocks, draws, bytes_lengths;
  Column branches_of, branches;
  // Since version 3:
  Column channels, older, cancelled_older, named;
  Column found, polls;
  Column choices_of, choices, counts_of, counts;
  Column clock_names, clock_values;
  Column kept_kinds, kept_details, kept_lengths;
  Bytes contents, bytes, kept;
};

/// Gathers entries and makes blocks of them.
class BlockEncoder {
 public:
  explicit BlockEncoder(const JournalHeader& header)
      : kind_(header.kind), with_contents_(header.contents) {}

  /// The number of a sender that is new.
  [[nodiscard]] std::uint32_t add_sender(std::string_view name);
  void add(const JournalEntry& entry);
  void add(const ReceivedMessage& message) {
    put(message);
    columns_.kinds.push_back(0);
  }
  void add(const WildcardMatch& match) {
    constexpr std::size_t index = JournalEntry(WildcardMatch{}).index();
    put(match);
    columns_.kinds.push_back(index);
  }
  [[nodiscard]] std::size_t entries() const { return columns_.kinds.size(); }
  /// Returns how many there are, where what a loop says again and again counts a quarter: empty
  /// polls and a clock that stands still take next to nothing, and a block has costs of its own.
  [[nodiscard]] std::size_t weight() const { return entries() - repeated_ / 4 * 3; }
  [[nodiscard]] std::size_t messages() const { return messages_.size(); }
  /// Made so far.
  [[nodiscard]] std::uint64_t receives() const { return memory_.receives; }
  /// Bytes of contents and values.
  [[nodiscard]] std::size_t bytes() const {
    return columns_.contents.size() + columns_.bytes.size() + columns_.kept.size();
  }
  /// The payload of a block of what was added since the last one, with facts, and with what was
  /// left out, if anything was.
  [[nodiscard]] std::string take(const JournalFacts& facts, const LeftOutEncoder* left_out);
  /// Takes it that readers know what they would know after the blocks of the other encoder.
  void follow(const BlockEncoder& other);

 private:
  using Columns = BlockColumns<std::vector<std::uint64_t>, std::string>;
  /// A message as its columns have it. Rows are quicker to add to than columns.
  struct MessageRow {
    std::uint64_t receive, number;
    std::uint32_t sender;
    bool with_contents;
  };

  [[nodiscard]] bool goes_on(const EmptyPolls& polls) const;
  [[nodiscard]] bool goes_on(const PollResult& result) const;
  void clear();
  void fill_message_columns();
  static void put_columns(WireWriter& wire, const Columns& columns);
  static void put_mpi_columns(WireWriter& wire, const Columns& columns);
  [[nodiscard]] std::uint64_t channel_of(std::int32_t source, std::int32_t tag);
  void put(const ReceivedMessage& message);
  void put(const EmptyPolls& polls);
  void put(const ClockReading& clock);
  void put(const RandomDraw& draw);
  void put(const BytesRead& read);
  void put(const BranchTaken& branch);
  void put(const WildcardMatch& match);
  void put(const WildcardCancelled& cancelled);
  void put(const NamedCancelled& cancelled);
  void put(const PollResult& result);
  void put(const RequestChoice& choice);
  void put(const RequestCount& count);
  void put(const CallRefused&) {}
  void put(const ClockValue& value);
  void put(const KeptContents& kept);

  JournalKind kind_;
  bool with_contents_;
  Memory memory_;
  std::uint64_t receives_before_ = 0;  // this block
  std::vector<std::string> new_senders_;
  tsl::robin_map<std::uint64_t, std::uint64_t> channels_;  // by source and tag
  std::uint64_t last_channel_ = 0, last_channel_index_ = 0;
  std::vector<MessageChannel> new_channels_;
  std::vector<MessageRow> messages_;  // of this block
  Columns columns_;                   // those of messages are filled at its end
  std::size_t repeated_ = 0;          // entries that tell nothing new
};

/// Reads blocks one after the other.
class BlockDecoder {
 public:
  /// False when this payload cannot come after those before it in a journal with this header. The
  /// entries hold until the next call.
  [[nodiscard]] bool read(std::string_view payload, const JournalHeader& header);
  [[nodiscard]] const std::vector<JournalEntry>& entries() const { return entries_; }
  [[nodiscard]] const std::vector<std::string>& senders() const { return senders_; }
  [[nodiscard]] std::optional<std::uint32_t> find_sender(std::string_view name) const;
  [[nodiscard]] const JournalFacts& facts() const { return facts_; }
  [[nodiscard]] const LeftOut& left_out() const { return left_out_; }

 private:
  struct Streams;
  [[nodiscard]] bool read_senders(WireReader& wire);
  [[nodiscard]] bool read_channels(WireReader& wire);
  [[nodiscard]] bool read_entries(Streams& from);
  [[nodiscard]] bool read_facts(WireReader& wire, std::uint64_t receives_before);
  [[nodiscard]] bool get(ReceivedMessage& message, Streams& from);
  [[nodiscard]] bool get(EmptyPolls& polls, Streams& from);
  [[nodiscard]] bool get(ClockReading& clock, Streams& from);
  [[nodiscard]] bool get(RandomDraw& draw, Streams& from);
  [[nodiscard]] bool get(BytesRead& read, Streams& from);
  [[nodiscard]] bool get(BranchTaken& branch, Streams& from);
  [[nodiscard]] bool get(WildcardMatch& match, Streams& from);
  [[nodiscard]] bool get(WildcardCancelled& cancelled, Streams& from);
  [[nodiscard]] bool get(NamedCancelled& cancelled, Streams& from);
  [[nodiscard]] bool get(PollResult& result, Streams& from);
  [[nodiscard]] bool get(RequestChoice& choice, Streams& from);
  [[nodiscard]] bool get(RequestCount& count, Streams& from);
  [[nodiscard]] bool get(CallRefused&, Streams&) { return true; }
  [[nodiscard]] bool get(ClockValue& value, Streams& from);
  [[nodiscard]] bool get(KeptContents& kept, Streams& from);
  [[nodiscard]] bool count_receive();

  JournalKind kind_ = JournalKind::full;
  bool with_contents_ = false;
  Memory memory_;
  std::vector<std::string> senders_;
  std::vector<MessageChannel> channels_;
  std::vector<std::string> texts_;  // what entries are views of; they stay where they are
  std::vector<JournalEntry> entries_;
  tsl::robin_map<std::string, std::uint32_t> by_name_;
  JournalFacts facts_;
  LeftOut left_out_;
};

/// The bytes of a block: checksum, size, payload. An empty payload ends a journal. `checksum` is
/// that of the block before, then of this one.
[[nodiscard]] std::string seal(std::string_view payload, std::uint64_t& checksum);

inline constexpr std::size_t block_header_size = 12;
/// The first bytes of a block.
struct BlockHeader {
  std::uint64_t checksum = 0;
  std::uint32_t size = 0;  ///< of the payload
};
[[nodiscard]] BlockHeader block_header(std::string_view bytes);
/// The checksum of a block that comes after one with the checksum `before`.
[[nodiscard]] std::uint64_t block_checksum(std::string_view block, std::uint64_t before);

}  // namespace journal
}  // namespace lightcone
