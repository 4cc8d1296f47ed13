// The envelope that carries the tags of all riders with one message (docs/formats/envelope.md).
#pragma once

#include <lightcone/riders/clocks/snapshot_rider.h>
#include <lightcone/riders/observed_vector.h>
#include <lightcone/riders/reached_sets.h>
#include <lightcone/riders/tags/incarnation.h>
#include <lightcone/riders/tags/peers.h>
#include <lightcone/riders/tags/property_tags.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

class WireWriter;

/// The version that is written where properties with `for each` or `within` are watched, and
/// elsewhere. Earlier versions are read, too.
inline constexpr std::uint8_t envelope_version = 3, version_without_alone = 2;
/// The byte that every envelope begins with; no UTF-8 text has it.
inline constexpr std::uint8_t envelope_mark = 0xC1;
/// Numbers of messages are below this, which counting never reaches.
inline constexpr std::uint64_t most_messages = std::uint64_t{1} << 62;

/// Entries of vectors, by peer; those that the receiver is known to hold are left out.
using EntriesOfFlows = std::vector<std::pair<std::uint32_t, ObservedEntry>>;
using EntriesOfClock = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The last snapshots that the sender of a message has saved its state for; 0: none, or the
/// channel is FIFO and the receiver has been told.
struct Colours {
  std::uint64_t snapshot = 0;    ///< of those that the program begins
  std::uint64_t checkpoint = 0;  ///< of those that a recording takes
};

/// What travels with a message.
struct Envelope {
  std::uint32_t sender = 0;
  std::uint64_t number = 0;           ///< of the message, among its sender's
  std::vector<EntriesOfFlows> flows;  ///< one per alphabet
  std::vector<std::uint64_t> bits;    ///< of the LRDAG equations
  EntriesOfClock clock;
  bool fifo = false;  ///< entries were left out because channels are said to be FIFO
  /// The number of the message among those to its receiver, from 0: with fifo always, and where
  /// races are recorded if it has one receiver.
  std::optional<std::uint64_t> in_channel = {};
  Colours colours = {};
  /// Entries were left out because this incarnation of the receiver holds them; 0: none were, and
  /// any incarnation may take the message.
  std::uint32_t made_for = 0;
  bool marker = false;      ///< it is no message, but news of a snapshot
  bool races = false;       ///< the receives that the sender knew of travel too
  EntriesOfClock receives;  ///< with races: how many receives of each process happened before
  std::vector<PropertyTag> alone = {};  ///< one per property that is followed alone

  /// As a new one, with the memory that it has.
  void clear();
};

/// Writes and reads envelopes. All processes of a program must agree on properties, members and
/// whether clocks travel too: `agreement` is a hash of that, and an envelope of another agreement
/// is refused as damaged.
class EnvelopeCodec {
 public:
  EnvelopeCodec(std::vector<ReachedSets*> alphabets, std::uint32_t lrdag_bits, bool clocks,
                std::uint64_t agreement, Peers& peers,
                const std::vector<PropertyRules*>& alone = {});

  [[nodiscard]] std::string encode(const Envelope& envelope) const;
  /// Reads bytes that anyone may have sent. Peers and sets may have been added when it fails: they
  /// are the caller's to take back.
  [[nodiscard]] Expected<Envelope> decode(std::string_view bytes);
  /// The same into an envelope that may have been used before, for its memory. It is of no use
  /// after an error.
  [[nodiscard]] Expected<void> decode(std::string_view bytes, Envelope& envelope);
  /// Returns whether bytes claim to be an envelope.
  [[nodiscard]] static bool is_envelope(std::string_view bytes) {
    return !bytes.empty() && static_cast<std::uint8_t>(bytes[0]) == envelope_mark;
  }
  /// Returns whether bytes claim to be the envelope of a marker.
  [[nodiscard]] static bool is_marker(std::string_view bytes);

 private:
  struct Reading;
  void write_front(std::string& bytes, const Envelope& envelope) const;
  [[nodiscard]] Expected<void> check(std::string_view bytes) const;
  void write_peer(WireWriter& wire, std::uint32_t peer, std::uint32_t& next_member) const;
  [[nodiscard]] std::uint32_t checksum(std::string_view body) const;

  std::vector<ReachedSets*> alphabets_;
  std::uint32_t lrdag_bits_;
  bool clocks_;
  std::uint64_t agreement_;
  Peers& peers_;
  std::vector<PropertyTagCodec> alone_;
};

}  // namespace lightcone
