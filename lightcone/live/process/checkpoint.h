// All that one process needs to go on from where its state was saved.
#pragma once

#include <lightcone/error.h>
#include <lightcone/live/process/process_options.h>
#include <lightcone/live/watch/received_numbers.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// A process as it was before it took a message. What properties were on the way to is no part of
/// it: they are not watched in a replay that begins here.
struct Checkpoint {
  /// What was known of another process, or of itself.
  struct Peer {
    std::string name;                      ///< empty: only the hash of it is known
    std::uint64_t hash = 0;                ///< of its name
    std::uint64_t sent = 0, received = 0;  ///< numbers of the next messages in the channels
    std::uint32_t clock = 0;               ///< its events in the past, where clocks are kept
    std::uint32_t receives = 0;            ///< its receives in the past, where races are
    std::uint64_t counted_to = 0;          ///< by the rider of the program's snapshots,
    std::uint64_t counted_from = 0;        ///< messages to it and from it,
    std::uint64_t colour = 0;              ///< and the colour of its channel
    ReceivedNumbers numbers = {};          ///< of its messages, those that were received
  };

  std::string state;  ///< the program's
  ProcessCounts counts;
  std::uint32_t digest = 0;  ///< of the events so far
  std::uint64_t takes = 0, journal_blocks = 0, trace_bytes = 0;
  std::uint64_t snapshots = 0;  ///< of the program: the last that the state was saved for
  std::vector<Peer> peers = {};
  std::vector<std::string> opened = {};  ///< tags of messages that were taken and not received

  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static Expected<Checkpoint> decode(std::string_view bytes);
};

}  // namespace lightcone
