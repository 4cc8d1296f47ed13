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

// What follows is for MPI processes.

/// A receive or probe with wildcards got a message. It is entered as soon as that is known. In a
/// journal of races these entries are in the order of their wildcards.
struct WildcardMatch {
  static constexpr std::int32_t left_out = -1;

  /// How many older wildcards had got nothing by then; of races: how many before it are left out.
  std::uint64_t older = 0;
  std::int32_t source = 0, tag = 0;  ///< of the message; of races: `left_out`, it is so, too
  [[nodiscard]] bool is_left_out() const { return source == left_out && tag == left_out; }
  friend bool operator==(const WildcardMatch&, const WildcardMatch&) = default;
};

/// A receive with wildcards was cancelled before it got a message.
struct WildcardCancelled {
  std::uint64_t older = 0;  ///< as above
  friend bool operator==(const WildcardCancelled&, const WildcardCancelled&) = default;
};

/// A receive without wildcards was cancelled before it got a message.
struct NamedCancelled {
  std::uint64_t number = 0;  ///< of those that the process began, counted from 1
  friend bool operator==(const NamedCancelled&, const NamedCancelled&) = default;
};

/// Polls with the same result, one after the other.
struct PollResult {
  bool found = false;
  std::uint64_t count = 1;  ///< at least 1; of polls that found something always 1
  friend bool operator==(const PollResult&, const PollResult&) = default;
};

/// Which of several requests is complete.
struct RequestChoice {
  std::uint64_t which = 0;  ///< counted from 0; `of`: none, since none of them is active
  std::uint64_t of = 0;     ///< requests
  friend bool operator==(const RequestChoice&, const RequestChoice&) = default;
};

/// How many of several requests are complete. As many entries of RequestChoice follow.
struct RequestCount {
  std::uint64_t count = 0;  ///< `of` + 1: none, since none of them is active
  std::uint64_t of = 0;     ///< requests
  friend bool operator==(const RequestCount&, const RequestCount&) = default;
};

/// The MPI refused a call that would have had an answer.
struct CallRefused {
  friend bool operator==(const CallRefused&, const CallRefused&) = default;
};

/// What one of several clocks said.
struct ClockValue {
  std::int32_t clock = 0;   ///< which; the adapter numbers them
  std::uint64_t value = 0;  ///< in nanoseconds, or a count
  friend bool operator==(const ClockValue&, const ClockValue&) = default;
};

/// Bytes that a process got from others, or what a call told it.
struct KeptContents {
  enum class What : std::uint8_t {
    fetched,       ///< out of a window
    received,      ///< by a receive; the detail is its error
    probed,        ///< by a probe: no bytes; the detail is the size of the message
    collective,    ///< by a collective operation; the detail is its error
    communicator,  ///< the members of a new communicator; the detail is the error of the call
    window,        ///< in the process's own window, changed by others; the detail is the place
    told,          ///< a text, such as the name of the machine
    began,         ///< at the beginning: the size of the world, and the command line
    awaited,       ///< a receive of the wildcard `detail` ended: when it began, and at which event
    failed,        ///< call `detail` that completes several requests: which of them are complete
  };
  static constexpr std::uint64_t kinds = 10;
  What what = What::fetched;
  std::uint64_t detail = 0;
  std::string_view bytes = {};
  friend bool operator==(const KeptContents&, const KeptContents&) = default;
};

/// One answer. The place of an alternative is part of the format.
using JournalEntry =
    std::variant<ReceivedMessage, EmptyPolls, ClockReading, RandomDraw, BytesRead, BranchTaken,
                 WildcardMatch, WildcardCancelled, NamedCancelled, PollResult, RequestChoice,
                 RequestCount, CallRefused, ClockValue, KeptContents>;

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
  bool contents = false;      ///< messages may carry their contents
  std::uint32_t version = 3;  ///< of the format; a writer writes the newest
  friend bool operator==(const JournalHeader&, const JournalHeader&) = default;
};

}  // namespace lightcone
