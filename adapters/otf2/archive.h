// What an OTF2 archive defines and what happened in it, as far as it tells of an order.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lightcone::otf2 {

using Location = std::uint64_t;

/// An event of a location.
struct ArchiveEvent {
  enum class Kind : std::uint8_t { enter, leave, send, receive, collective_begin, collective_end };

  Kind kind = Kind::enter;
  std::uint64_t time = 0;    ///< in ticks of the archive's clock
  std::uint32_t region = 0;  ///< of enter and leave
  std::uint32_t peer = 0;    ///< the rank of the receiver or sender, or of the root
  std::uint32_t communicator = 0;
  std::uint32_t tag = 0;        ///< of a message; the operation, of a collective
  std::uint64_t bytes = 0;      ///< of a message
  std::uint64_t posted_at = 0;  ///< of a receive: when it was posted among those of its location
};

struct Archive {
  struct Place {
    std::string name;         ///< unique
    std::uint32_t group = 0;  ///< locations of one operating system process
  };
  struct Communicator {
    std::string name;
    std::vector<Location> members;  ///< indexed by rank
  };

  std::uint64_t ticks_per_second = 1, first_tick = 0;
  std::map<Location, Place> locations;
  std::map<std::uint32_t, std::string> regions;
  std::map<std::uint32_t, Communicator> communicators;
  std::map<Location, std::vector<ArchiveEvent>> events;
  std::uint64_t left_out = 0;  ///< events of kinds that say nothing of an order

  /// Reads the archive whose anchor file this is. Enters and leaves of other regions are left out.
  [[nodiscard]] static Expected<Archive> read(
      const std::string& anchor, const std::function<bool(const std::string&)>& is_wanted_region);
};

}  // namespace lightcone::otf2
