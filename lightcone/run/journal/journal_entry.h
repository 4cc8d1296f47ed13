// What a journal holds: the answers that one process got and that could have been different.
#pragma once

#include <lightcone/recording.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lightcone {

/// A message that was received.
struct ReceivedMessage {
  std::uint32_t sender = 0;   ///< one of the journal's senders
  std::uint64_t number = 0;   ///< which of that sender's messages, counted from 1
  std::uint64_t receive = 0;  ///< at which receive of this process, from 1; a batch is one receive
  std::optional<std::string_view> contents = {};  ///< for a replay without the sender
  friend bool operator==(const ReceivedMessage&, const ReceivedMessage&) = default;
};

/// Polls that found nothing, one after the other.
struct EmptyPolls {
  std::uint64_t receive = 0;  ///< the next receive of this process, counted from 1
  std::uint64_t count = 0;    ///< how many polls came before it, at least 1
  friend bool operator==(const EmptyPolls&, const EmptyPolls&) = default;
};

/// What a clock said, in a unit of the program's choice.
struct ClockReading {
  std::uint64_t value = 0;
  friend bool operator==(const ClockReading&, const ClockReading&) = default;
};

/// A random number.
struct RandomDraw {
  std::uint64_t value = 0;
  friend bool operator==(const RandomDraw&, const RandomDraw&) = default;
};

/// Any other value from outside.
struct BytesRead {
  std::string_view bytes;
  friend bool operator==(const BytesRead&, const BytesRead&) = default;
};

/// One of several alternatives.
struct BranchTaken {
  std::uint64_t which = 0;  ///< counted from 0
  std::uint64_t of = 1;
  friend bool operator==(const BranchTaken&, const BranchTaken&) = default;
};

/// One answer. The place of an alternative is part of the format.
using JournalEntry =
    std::variant<ReceivedMessage, EmptyPolls, ClockReading, RandomDraw, BytesRead, BranchTaken>;

/// How far a process had come when a block of its journal was written.
struct JournalFacts {
  std::uint64_t receives = 0;  ///< made so far, also those that are left out
  std::uint64_t events = 0;    ///< of the process, as it last said
  std::uint32_t digest = 0;    ///< over these events
  friend bool operator==(const JournalFacts&, const JournalFacts&) = default;
};

/// What a journal says of itself.
struct JournalHeader {
  std::string process;
  JournalKind kind = JournalKind::full;
  bool contents = false;  ///< messages may carry their contents
  friend bool operator==(const JournalHeader&, const JournalHeader&) = default;
};

}  // namespace lightcone
