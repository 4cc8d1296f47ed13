// How far a partition has been decided: what another monitor needs to go on with it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone::service {

/// Stored beside the stream. What executions that are open have led to is not in it: it follows
/// from their messages, which are read again.
struct PartitionState {
  struct OpenExecution {
    std::uint64_t first = 0;     ///< the sequence number of its first message
    std::uint64_t told = 0;      ///< verdicts that were told of it
    bool is_trace = false;       ///< of spans
    std::uint64_t given_up = 0;  ///< after this message; 0: it was not
  };
  std::uint64_t next = 1;      ///< messages before this one have been decided
  std::uint64_t verdicts = 0;  ///< the sequence number of the last verdict told before that
  std::map<std::string, OpenExecution, std::less<>> open = {};
  /// Executions that ended not long ago, by the digest of the name: the message that ended them.
  std::map<std::uint64_t, std::uint64_t> ended = {};

  /// The first message that somebody who goes on needs.
  [[nodiscard]] std::uint64_t first_needed() const;
};

/// A state as bytes, and back; nothing if the bytes are none.
[[nodiscard]] std::string bytes_of(const PartitionState& state);
[[nodiscard]] std::optional<PartitionState> partition_state_of(std::string_view bytes);

}  // namespace lightcone::service
