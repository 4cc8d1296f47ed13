// How many events a journal says that a process made, compared with those that it makes again.
#pragma once

#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/journal/journal.h>

#include <cstdint>
#include <functional>
#include <string>

namespace lightcone {

/// Reads a journal block by block, as the events come: each block has their number and a digest.
/// A journal with an end has all events of its process, one that was cut off has at least those of
/// its last block.
class RecordedEvents {
 public:
  [[nodiscard]] static Expected<RecordedEvents> open(const std::string& path);
  /// Goes on after so many blocks.
  [[nodiscard]] Expected<void> skip(std::uint64_t blocks);

  /// The process has made so many events, with this digest. `words` describes the last of them.
  [[nodiscard]] Prompted<void> made(std::uint64_t events, std::uint32_t digest,
                                    const std::function<std::string()>& words);
  /// The process ends, or dies, as `came` says. A process that was cut off may do so after its last
  /// recorded event.
  [[nodiscard]] Prompted<void> end(const std::string& came);
  /// Returns whether the journal has an end. Reads up to it.
  [[nodiscard]] bool has_end();

 private:
  explicit RecordedEvents(Journal journal) : journal_(std::move(journal)) {}
  [[nodiscard]] bool next_block();

  Journal journal_;
  bool at_end_ = false;              // there is no further block
  std::uint64_t made_ = 0;           // events, by the process
  std::uint64_t events_before_ = 0;  // of the block at hand
};

}  // namespace lightcone
