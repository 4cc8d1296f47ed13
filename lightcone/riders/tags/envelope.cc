// Encoding of envelopes: as few bytes as needed, and every byte is checked when read.
#include <lightcone/riders/tags/envelope.h>

#include <lightcone/base/success.h>
#include <lightcone/base/utf8.h>

#include <fmt/format.h>
#include <lightcone/base/wire.h>
#include <lightcone/riders/tags/wire_bits.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {
namespace {

constexpr std::size_t header_size = 6;  // mark, version, checksum
constexpr std::size_t longest_name = 4096;
constexpr std::size_t most_bytes_of_sets = std::size_t{1} << 26;  // of one alphabet
constexpr std::uint64_t fifo_flag = 1, races_flag = 2, channel_flag = 4, snapshot_flag = 8,
                        checkpoint_flag = 16, marker_flag = 32, left_out_flag = 64,
                        incarnation_flag = 128;
constexpr std::uint64_t flags_of_version_1 = 63, all_flags = 255;

[[nodiscard]] std::uint64_t flags_of(const Envelope& envelope) {
  std::uint64_t flags = 0;
  const auto set = [&](bool is_set, std::uint64_t flag) { flags |= is_set ? flag : 0; };
  set(envelope.fifo, fifo_flag);
  set(envelope.races, races_flag);
  set(envelope.in_channel.has_value(), channel_flag);
  set(envelope.colours.snapshot != 0, snapshot_flag);
  set(envelope.colours.checkpoint != 0, checkpoint_flag);
  set(envelope.marker, marker_flag);
  set(envelope.made_for != 0, left_out_flag);
  set(envelope.made_for > 1, incarnation_flag);
  return flags;
}

/// Returns whether these can stand together.
[[nodiscard]] bool are_flags(std::uint64_t flags, std::uint8_t version) {
  const auto has = [&](std::uint64_t flag) { return (flags & flag) != 0; };
  if (flags > (version == 1 ? flags_of_version_1 : all_flags)) return false;
  if (has(fifo_flag) && !has(channel_flag)) return false;
  if (has(fifo_flag) && version != 1 && !has(left_out_flag)) return false;
  if (has(incarnation_flag) && !has(left_out_flag)) return false;
  return !has(marker_flag) || (has(snapshot_flag) && !has(channel_flag));
}

}  // namespace

EnvelopeCodec::EnvelopeCodec(std::vector<ReachedSets*> alphabets, std::uint32_t lrdag_bits,
                             bool clocks, std::uint64_t agreement, Peers& peers,
                             const std::vector<PropertyRules*>& alone)
    : alphabets_(std::move(alphabets)),
      lrdag_bits_(lrdag_bits),
      clocks_(clocks),
      agreement_(agreement),
      peers_(peers) {
  for (PropertyRules* rules : alone) alone_.emplace_back(*rules, peers);
}

std::uint32_t EnvelopeCodec::checksum(std::string_view body) const {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(body.data(), body.size(), agreement_));
}

/// A member by how far it is from the one before (members come first, in order), anyone else by
/// hash.
void EnvelopeCodec::write_peer(WireWriter& wire, std::uint32_t peer,
                               std::uint32_t& next_member) const {
  if (peers_.is_member(peer)) {
    wire.number(peer - next_member);
    next_member = peer + 1;
  } else {
    wire.fixed(peers_.hash(peer), 8);
  }
}

/// All that stands before the vectors; its checksum is still zero. Most envelopes have no more than
/// this, so that it is put together first and copied once.
void EnvelopeCodec::write_front(std::string& bytes, const Envelope& envelope) const {
  std::array<char, header_size + 7 * longest_number> front;
  char* end = std::fill_n(front.data(), header_size, '\0') - header_size;
  end[0] = static_cast<char>(envelope_mark);
  end[1] = static_cast<char>(alone_.empty() ? version_without_alone : envelope_version);
  end = put_number(end + header_size, flags_of(envelope));
  const auto append = [&] {
    bytes.append(front.data(), static_cast<std::size_t>(end - front.data()));
  };
  // The sender: a member by number, anyone else by name.
  const bool member = peers_.is_member(envelope.sender);
  end = put_number(end, member ? envelope.sender + 1 : 0);
  if (!member) {
    const std::string& name = peers_.name(envelope.sender);
    end = put_number(end, name.size());
    append();
    bytes += name;
    end = front.data();
  }
  end = put_number(end, envelope.number);
  if (envelope.in_channel) end = put_number(end, *envelope.in_channel);
  if (envelope.made_for > 1) end = put_number(end, envelope.made_for);
  const Colours& colours = envelope.colours;
  if (colours.snapshot != 0) end = put_number(end, colours.snapshot);
  if (colours.checkpoint != 0) end = put_number(end, colours.checkpoint);
  append();
}

std::string EnvelopeCodec::encode(const Envelope& envelope) const {
  WireWriter wire;
  write_front(wire.bytes(), envelope);
  const auto write_entries = [&](const auto& entries, const auto& write_value) {
    const auto members = static_cast<std::uint64_t>(
        std::count_if(entries.begin(), entries.end(),
                      [&](const auto& entry) { return peers_.is_member(entry.first); }));
    wire.number(members);
    wire.number(entries.size() - members);
    std::uint32_t next_member = 0;
    for (const auto& [peer, value] : entries) {
      write_peer(wire, peer, next_member);
      write_value(value);
    }
  };
  for (std::size_t i = 0; i < alphabets_.size(); ++i) {
    write_entries(envelope.flows[i], [&](ObservedEntry entry) {
      wire.number(entry >> 32);
      const ReachedSets& sets = *alphabets_[i];
      if (is_uncovered(entry)) write_bits(wire, sets.set(set_of(entry)), sets.bits());
    });
  }
  write_bits(wire, envelope.bits, lrdag_bits_);
  const auto write_rank = [&](std::uint32_t rank) { wire.number(rank); };
  if (clocks_) write_entries(envelope.clock, write_rank);
  if (envelope.races) write_entries(envelope.receives, write_rank);
  for (std::size_t i = 0; i < alone_.size(); ++i) {
    alone_[i].write(wire, i < envelope.alone.size() ? envelope.alone[i] : alone_[i].none_at_all());
  }
  std::string& bytes = wire.bytes();
  const std::uint32_t sum = checksum(std::string_view(bytes).substr(header_size));
  for (std::size_t i = 0; i < 4; ++i) bytes[2 + i] = static_cast<char>(sum >> (8 * i));
  return std::move(bytes);
}

/// An envelope as it is read: sets stay bits until all of it is known to be well-formed.
struct EnvelopeCodec::Reading {
  EnvelopeCodec& codec;
  WireReader wire;
  std::optional<Error> error = {};

  [[nodiscard]] std::uint32_t peer(Expected<std::uint32_t> found) {
    if (found) return *found;
    if (!error) error = found.error();
    wire.fail();
    return 0;
  }

  [[nodiscard]] std::uint32_t sender() {
    const std::uint64_t index = wire.number();
    if (index > codec.peers_.member_count()) wire.fail();
    if (index != 0) return static_cast<std::uint32_t>(index - 1);
    const std::string_view name = wire.text(longest_name);
    if (name.empty()) wire.fail();
    if (wire.failed()) return 0;
    if (!is_utf8(name)) {
      error = Error{"names a sender whose name is not UTF-8", {}, 0, {}, 0, {}};
      wire.fail();
      return 0;
    }
    return peer(codec.peers_.find_or_add(name));
  }

  /// Of a message, among some.
  [[nodiscard]] std::uint64_t message_number() {
    const std::uint64_t number = wire.number();
    if (number >= most_messages) wire.fail();
    return number;
  }

  [[nodiscard]] std::uint32_t later_incarnation() {
    const std::uint64_t incarnation = wire.number();
    if (incarnation < 2 || incarnation > most_incarnations) wire.fail();
    return static_cast<std::uint32_t>(incarnation);
  }

  /// Peers in the order in which they were written, each with what `read_value` reads. `sender`
  /// spoke of them.
  template <class Entries, class ReadValue>
  void entries(std::uint32_t sender, Entries& into, const ReadValue& read_value) {
    const std::uint64_t members = wire.number();
    const std::uint64_t others = wire.number();
    if (members > codec.peers_.member_count() || others > Peers::most) wire.fail();
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < members && !wire.failed(); ++i) {
      const std::uint64_t gap = wire.number();
      if (gap >= codec.peers_.member_count() - next) return wire.fail();
      next += gap + 1;
      into.emplace_back(static_cast<std::uint32_t>(next - 1), read_value());
    }
    for (std::uint64_t i = 0; i < others && !wire.failed(); ++i) {
      const std::uint64_t hash = wire.fixed(8);
      if (wire.failed()) return;
      const std::uint32_t other = peer(codec.peers_.find_or_add(hash, sender));
      if (wire.failed() || codec.peers_.is_member(other)) return wire.fail();
      into.emplace_back(other, read_value());
    }
  }

  [[nodiscard]] std::uint64_t colour() {
    const std::uint64_t colour = wire.number();
    if (colour == 0 || colour > SnapshotRange::most) wire.fail();
    return colour;
  }

  [[nodiscard]] ObservedEntry observed(ReachedSets& sets) {
    const std::uint64_t value = wire.number();
    if (value == 0 || value >> 1 > most_observed || value >> 1 == 0) wire.fail();
    const ObservedEntry entry = value << 32;
    if (wire.failed() || !is_uncovered(entry)) return entry;
    const std::vector<std::uint64_t> bits = read_bits(wire, sets.bits());
    if (sets.bytes() > most_bytes_of_sets) wire.fail();
    return wire.failed() ? entry : entry | sets.intern(bits);
  }

  /// All that stands before the vectors.
  void front(std::uint8_t version, Envelope& envelope) {
    const std::uint64_t flags = wire.number();
    if (!are_flags(flags, version)) wire.fail();
    envelope.fifo = (flags & fifo_flag) != 0;
    envelope.races = (flags & races_flag) != 0;
    envelope.marker = (flags & marker_flag) != 0;
    envelope.sender = sender();
    envelope.number = message_number();
    if ((flags & channel_flag) != 0) envelope.in_channel = message_number();
    // Version 1 knows of no incarnations but the first, and does not say whether it leaves out.
    if ((flags & left_out_flag) != 0 || version == 1) envelope.made_for = 1;
    if ((flags & incarnation_flag) != 0) envelope.made_for = later_incarnation();
    if ((flags & snapshot_flag) != 0) envelope.colours.snapshot = colour();
    if ((flags & checkpoint_flag) != 0) envelope.colours.checkpoint = colour();
  }

  /// The rest. Nothing of it is read, and no peer added, once something was wrong.
  void vectors(Envelope& envelope) {
    for (ReachedSets* sets : codec.alphabets_) {
      envelope.flows.emplace_back();
      entries(envelope.sender, envelope.flows.back(), [&] { return observed(*sets); });
    }
    read_bits(wire, codec.lrdag_bits_, envelope.bits);
    const auto read_rank = [&] {
      const std::uint64_t rank = wire.number();
      if (rank == 0 || rank > UINT32_MAX) wire.fail();
      return static_cast<std::uint32_t>(rank);
    };
    if (codec.clocks_) entries(envelope.sender, envelope.clock, read_rank);
    if (envelope.races) entries(envelope.sender, envelope.receives, read_rank);
  }

  /// What the properties that are followed alone have. Earlier versions have nothing of it.
  void alone(Envelope& envelope, std::uint8_t version) {
    for (PropertyTagCodec& one : codec.alone_) {
      envelope.alone.push_back(version < envelope_version ? one.none_at_all()
                                                          : one.read(wire, envelope.sender, error));
    }
  }
};

bool EnvelopeCodec::is_marker(std::string_view bytes) {
  if (!is_envelope(bytes) || bytes.size() <= header_size) return false;
  return (static_cast<std::uint8_t>(bytes[header_size]) & marker_flag) != 0;  // one byte of flags
}

void Envelope::clear() {
  sender = 0;
  number = 0;
  flows.clear();
  bits.clear();
  clock.clear();
  fifo = marker = races = false;
  in_channel.reset();
  colours = {};
  made_for = 0;
  receives.clear();
  alone.clear();
}

Expected<Envelope> EnvelopeCodec::decode(std::string_view bytes) {
  Envelope envelope;
  if (auto read = decode(bytes, envelope); !read) return failure(std::move(read.error()));
  return envelope;
}

/// Why bytes are no envelope of this agreement, where they are none.
Expected<void> EnvelopeCodec::check(std::string_view bytes) const {
  if (!is_envelope(bytes)) return failure("is not an envelope");
  if (bytes.size() < header_size) return failure("is cut short");
  const auto version = static_cast<std::uint8_t>(bytes[1]);
  if (version < 1 || version > envelope_version) {
    return failure(
        fmt::format("is an envelope of version {}, not 1 to {}", version, envelope_version), {}, 0,
        "use the same version of Lightcone in all processes");
  }
  const std::string_view body = bytes.substr(header_size);
  // Only those who follow properties alone write the last version.
  const bool is_from_others = version == envelope_version && alone_.empty();
  if (is_from_others || WireReader(bytes.substr(2, 4)).fixed(4) != checksum(body)) {
    return failure("is damaged, or is from a process with other properties or members", {}, 0,
                   "give all processes the same property file and members");
  }
  return success();
}

Expected<void> EnvelopeCodec::decode(std::string_view bytes, Envelope& envelope) {
  if (auto checked = check(bytes); !checked) return checked;
  const auto version = static_cast<std::uint8_t>(bytes[1]);
  const std::string_view body = bytes.substr(header_size);
  Reading reading{*this, WireReader(body)};
  envelope.clear();
  reading.front(version, envelope);
  const bool has_vectors = !alphabets_.empty() || clocks_ || envelope.races;
  if (version == 1 && !has_vectors && !envelope.fifo) envelope.made_for = 0;
  reading.vectors(envelope);
  reading.alone(envelope, version);
  if (reading.error) return failure(*reading.error);
  if (reading.wire.failed() || reading.wire.left() != 0) return failure("is not well-formed");
  return success();
}

}  // namespace lightcone
