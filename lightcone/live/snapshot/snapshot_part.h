// Parts of snapshots as bytes, so that processes can send them to the collector.
#pragma once

#include <lightcone/error.h>
#include <lightcone/riders/tags/peers.h>
#include <lightcone/snapshot.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// The counts of a SnapshotRider by name.
[[nodiscard]] MessageCounts counts_by_name(const std::vector<std::uint64_t>& counts,
                                           const Peers& peers);

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
