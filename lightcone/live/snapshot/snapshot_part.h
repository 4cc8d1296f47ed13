// What processes contribute to a snapshot, also as bytes that can be sent.
#pragma once

#include <lightcone/error.h>
#include <lightcone/riders/clocks/snapshot_rider.h>
#include <lightcone/riders/tags/peers.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

/// How many messages, by the name of a peer. Peers without messages are left out.
using MessageCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// The counts of a SnapshotRider by name.
[[nodiscard]] MessageCounts counts_by_name(const std::vector<std::uint64_t>& counts,
                                           const Peers& peers);

/// The state of a process, in one snapshot or several.
struct LocalPart {
  std::string process;
  SnapshotRange snapshots;  ///< for ever: the process has ended
  std::string state;        ///< whatever the program makes of it
  MessageCounts sent, received;

  /// About how much memory it takes.
  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const LocalPart&, const LocalPart&) = default;
};

/// A message that is in transit in one snapshot or several.
struct InTransitPart {
  std::string receiver;
  SnapshotRange snapshots;
  std::string sender;
  std::uint64_t number = 0;  ///< among its sender's
  std::string contents;

  /// About how much memory it takes.
  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const InTransitPart&, const InTransitPart&) = default;
};

using SnapshotPart = std::variant<LocalPart, InTransitPart>;

/// The version that is written, and the only one that is read.
inline constexpr std::uint8_t snapshot_part_version = 1;
/// The byte that every part begins with; no UTF-8 text and no envelope has it.
inline constexpr std::uint8_t snapshot_part_mark = 0xC0;
/// The longest state or contents of a message that is read.
inline constexpr std::size_t longest_in_snapshot = std::size_t{256} << 20;

[[nodiscard]] std::string encode(const SnapshotPart& part);
/// Reads bytes that anyone may have sent.
[[nodiscard]] Expected<SnapshotPart> decode_snapshot_part(std::string_view bytes);

}  // namespace lightcone
