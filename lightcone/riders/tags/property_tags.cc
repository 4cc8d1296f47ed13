// Encoding of tags, kind by kind; every byte is checked when read.
#include <lightcone/riders/tags/property_tags.h>

#include <lightcone/base/utf8.h>
#include <lightcone/riders/tags/wire_bits.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

namespace lightcone {
namespace {

constexpr std::size_t longest_text_value = 1 << 16;
constexpr std::size_t most_bytes_of_states = std::size_t{1} << 26;

enum class WireKind : std::uint8_t { integer, real, text };

/// Numbers before those of members, where a peer is meant.
constexpr std::uint64_t no_peer = 0, peer_by_hash = 1, first_member = 2;

[[nodiscard]] bool is_gone(const std::vector<bool>& forgotten, std::uint32_t peer) {
  return peer < forgotten.size() && forgotten[peer];
}

[[nodiscard]] std::shared_ptr<const TimedState> without(TimedState state,
                                                        const std::vector<bool>& forgotten) {
  for (std::uint32_t peer = 0; peer < forgotten.size(); ++peer) {
    if (forgotten[peer]) state = state.without(peer);
  }
  return std::make_shared<const TimedState>(std::move(state));
}

void forget_in(PropertyRider::Tag& tag, const std::vector<bool>& forgotten) {
  if (auto* longest = std::get_if<LongestFlowTag>(&tag);
      longest != nullptr && longest->others.get()) {
    ObservedVector* vector = longest->others.own();
    for (std::uint32_t k = 0; vector != nullptr && k < vector->size(); ++k) {
      if (is_gone(forgotten, k)) vector->set(k, 0);
    }
  } else if (auto* timed = std::get_if<TimedFlowTag>(&tag)) {
    if (timed->paths) timed->paths = without(*timed->paths, forgotten);
    if (!timed->letters) return;
    auto letters = std::make_shared<std::vector<TimedEntry>>(*timed->letters);
    for (std::uint32_t k = 0; k < letters->size(); ++k) {
      TimedEntry& entry = (*letters)[k];
      if (is_gone(forgotten, k)) entry = {};
      if (entry.paths) entry.paths = without(*entry.paths, forgotten);
    }
    timed->letters = std::move(letters);
  }
}

}  // namespace

void forget_peers(PropertyTag& tag, const std::vector<bool>& forgotten) {
  forget_in(tag.background, forgotten);
  for (auto& [value, of_value] : tag.values) forget_in(of_value, forgotten);
}

struct PropertyTagCodec::Writer {
  const PropertyTagCodec& codec;
  WireWriter& wire;

  void peer(std::uint32_t peer) {
    if (peer == none) return wire.number(no_peer);
    if (codec.peers_.is_member(peer)) return wire.number(first_member + peer);
    wire.number(peer_by_hash);
    wire.fixed(codec.peers_.hash(peer), 8);
  }
  void value(const OwnedValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      wire.fixed(static_cast<std::uint64_t>(WireKind::integer), 1);
      wire.number(zigzag(static_cast<std::uint64_t>(*integer)));
    } else if (const auto* real = std::get_if<double>(&value)) {
      wire.fixed(static_cast<std::uint64_t>(WireKind::real), 1);
      wire.fixed(std::bit_cast<std::uint64_t>(*real), 8);
    } else {
      wire.fixed(static_cast<std::uint64_t>(WireKind::text), 1);
      wire.text(std::get<std::string>(value));
    }
  }
  void paths(const TimedPaths& paths) {
    wire.number(paths.is_cut() ? 1 : 0);
    wire.number(paths.sets().size());
    for (const TimedPaths::Strands& runs : paths.sets()) {
      wire.number(runs.size());
      for (const TimedPaths::Strand& run : runs) {
        wire.number(run.position);
        peer(run.process);
        wire.fixed(std::bit_cast<std::uint64_t>(run.time), 8);
      }
    }
  }
  void state(const TimedState& state) {
    paths(state.certain);
    paths(state.possible);
  }
  void entry(std::uint32_t process, ObservedEntry entry, const ReachedSets& sets) {
    peer(process);
    wire.number(entry >> 32);
    if (is_uncovered(entry)) write_bits(wire, sets.set(set_of(entry)), sets.bits());
  }

  void tag(const LrdagTag& tag) {
    std::vector<std::uint64_t> words(codec.rules_.lrdag().words(), 0);
    tag.add_to(words);
    write_bits(wire, words, codec.rules_.lrdag().bits());
  }
  void tag(const LongestFlowTag& tag) {
    const ReachedSets& sets = codec.rules_.longest()->sets;
    const std::size_t size = tag.others.get() == nullptr ? 0 : tag.others->size();
    std::uint64_t count = tag.own != 0 ? 1 : 0;
    for (std::uint32_t k = 0; k < size; ++k) count += tag.others->key(k) != 0 ? 1 : 0;
    wire.number(count);
    if (tag.own != 0) entry(tag.sender, tag.own, sets);
    for (std::uint32_t k = 0; k < size; ++k) {
      if (tag.others->key(k) != 0) entry(k, tag.others->at(k), sets);
    }
  }
  void tag(const TimedFlowTag& tag) {
    if (!codec.rules_.timed()->flow.longest) {
      return state(tag.paths ? *tag.paths : TimedState{});
    }
    const std::vector<TimedEntry> nothing;
    const std::vector<TimedEntry>& letters = tag.letters ? *tag.letters : nothing;
    wire.number(static_cast<std::uint64_t>(
        std::ranges::count_if(letters, [](const TimedEntry& entry) { return entry.rank != 0; })));
    for (std::uint32_t k = 0; k < letters.size(); ++k) {
      if (letters[k].rank == 0) continue;
      peer(k);
      wire.number(std::uint64_t{letters[k].rank} << 1 | (letters[k].is_covered ? 1 : 0));
      if (!letters[k].is_covered) state(*letters[k].paths);
    }
  }
  void any(const PropertyRider::Tag& any) {
    std::visit([&](const auto& one) { tag(one); }, any);
  }
};

void PropertyTagCodec::write(WireWriter& wire, const PropertyTag& tag) const {
  Writer writer{*this, wire};
  wire.number(tag.is_whole ? 1 : 0);
  writer.any(tag.background);
  wire.number(tag.values.size());
  for (const auto& [value, of_value] : tag.values) {
    writer.value(value);
    writer.any(of_value);
  }
}

struct PropertyTagCodec::Reader {
  PropertyTagCodec& codec;
  WireReader& wire;
  std::uint32_t sender;
  std::optional<Error>& error;

  [[nodiscard]] std::uint32_t peer() {
    const std::uint64_t number = wire.number();
    if (number == no_peer) return none;
    if (number >= first_member) {
      if (number - first_member >= codec.peers_.member_count()) wire.fail();
      return wire.failed() ? none : static_cast<std::uint32_t>(number - first_member);
    }
    const std::uint64_t hash = wire.fixed(8);
    if (wire.failed()) return none;
    const auto found = codec.peers_.find_or_add(hash, sender);
    if (found && !codec.peers_.is_member(*found)) return *found;
    if (!found && !error) error = found.error();
    wire.fail();
    return none;
  }
  /// A peer, and not none.
  [[nodiscard]] std::uint32_t some_peer() {
    const std::uint32_t found = peer();
    if (found == none) wire.fail();
    return wire.failed() ? sender : found;
  }
  [[nodiscard]] OwnedValue value() {
    switch (static_cast<WireKind>(wire.fixed(1))) {
      case WireKind::integer: return static_cast<std::int64_t>(unzigzag(wire.number()));
      case WireKind::real: {
        const double real = std::bit_cast<double>(wire.fixed(8));
        // A value has one form: whole numbers are integers.
        if (owned_or_null(datum_of(real)) != OwnedValue(real)) wire.fail();
        return real;
      }
      case WireKind::text: {
        const std::string_view text = wire.text(longest_text_value);
        if (!is_utf8(text)) wire.fail();
        return std::string(text);
      }
    }
    wire.fail();
    return {};
  }
  [[nodiscard]] static OwnedValue owned_or_null(const Datum& datum) {
    return std::holds_alternative<std::monostate>(datum) ? OwnedValue() : owned(datum);
  }
  [[nodiscard]] TimedPaths paths(const TimedFlows& flows) {
    const std::uint64_t is_cut = wire.number();
    const std::uint64_t count = wire.number();
    if (is_cut > 1 || count > (flows.flow.every ? TimedPaths::most_sets : 1)) wire.fail();
    std::vector<TimedPaths::Strands> sets;
    for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
      const std::uint64_t runs = wire.number();
      if (runs > wire.left()) wire.fail();
      TimedPaths::Strands& set = sets.emplace_back();
      for (std::uint64_t k = 0; k < runs && !wire.failed(); ++k) set.push_back(strand(flows));
      const auto key = [](const TimedPaths::Strand& r) { return std::pair(r.position, r.process); };
      std::ranges::sort(set, {}, key);
      if (std::ranges::adjacent_find(set, {}, key) != set.end()) wire.fail();
    }
    return {std::move(sets), is_cut == 1};
  }
  [[nodiscard]] TimedPaths::Strand strand(const TimedFlows& flows) {
    TimedPaths::Strand run;
    const std::uint64_t position = wire.number();
    if (position >= flows.flow.timed->positions.size()) wire.fail();
    run.position = wire.failed() ? 0 : static_cast<std::uint32_t>(position);
    run.process = peer();
    run.time = std::bit_cast<double>(wire.fixed(8));
    if (std::isnan(run.time)) wire.fail();
    return run;
  }
  [[nodiscard]] TimedState state(const TimedFlows& flows) {
    TimedState state;
    state.certain = paths(flows);
    state.possible = paths(flows);
    return state;
  }

  [[nodiscard]] LongestFlowTag longest(LongestFlows& flows) {
    LongestFlowTag tag;
    tag.sender = sender;
    tag.others = flows.pool.take();
    ObservedVector& others = *tag.others.own();
    others.clear();
    const std::uint64_t count = wire.number();
    if (count > Peers::most + codec.peers_.member_count()) wire.fail();
    for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
      const std::uint32_t process = some_peer();
      const std::uint64_t value = wire.number();
      if (value >> 1 == 0 || value >> 1 > most_observed) wire.fail();
      ObservedEntry entry = value << 32;
      if (!wire.failed() && is_uncovered(entry)) {
        const std::vector<std::uint64_t> bits = read_bits(wire, flows.sets.bits());
        if (flows.sets.bytes() > most_bytes_of_states) wire.fail();
        if (!wire.failed()) entry |= flows.sets.intern(bits);
      }
      if (wire.failed()) return tag;
      if (process == sender) {
        tag.own = entry;
      } else {
        others.set(process, entry);
      }
    }
    return tag;
  }
  [[nodiscard]] TimedFlowTag timed(const TimedFlows& flows) {
    if (!flows.flow.longest) return {std::make_shared<const TimedState>(state(flows)), nullptr};
    auto letters = std::make_shared<std::vector<TimedEntry>>();
    const std::uint64_t count = wire.number();
    if (count > Peers::most + codec.peers_.member_count()) wire.fail();
    for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
      const std::uint32_t process = some_peer();
      const std::uint64_t value = wire.number();
      if (value >> 1 == 0 || value >> 1 > most_observed) wire.fail();
      TimedEntry entry{static_cast<std::uint32_t>(value >> 1), (value & 1) != 0, nullptr};
      if (!entry.is_covered) entry.paths = std::make_shared<const TimedState>(state(flows));
      if (wire.failed()) break;
      if (process >= letters->size()) letters->resize(process + 1);
      (*letters)[process] = std::move(entry);
    }
    return {nullptr, std::move(letters)};
  }
  [[nodiscard]] PropertyRider::Tag any() {
    if (TimedFlows* flows = codec.rules_.timed()) return timed(*flows);
    if (LongestFlows* flows = codec.rules_.longest()) return longest(*flows);
    return LrdagTag(read_bits(wire, codec.rules_.lrdag().bits()));
  }
};

PropertyTag PropertyTagCodec::read(WireReader& wire, std::uint32_t sender,
                                   std::optional<Error>& error) {
  Reader reader{*this, wire, sender, error};
  PropertyTag tag;
  const std::uint64_t is_whole = wire.number();
  if (is_whole > 1) wire.fail();
  tag.is_whole = is_whole == 1;
  tag.background = reader.any();
  const std::uint64_t count = wire.number();
  if (count > most_values) wire.fail();
  for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
    OwnedValue value = reader.value();
    if (wire.failed()) break;
    tag.values.emplace_back(std::move(value), reader.any());
  }
  return tag;
}

PropertyTag PropertyTagCodec::none_at_all() const {
  PropertyTag tag;
  if (rules_.timed() != nullptr) {
    tag.background = TimedFlowTag{};
  } else if (rules_.longest() != nullptr) {
    tag.background = LongestFlowTag{};
  }
  tag.is_whole = false;
  return tag;
}

}  // namespace lightcone
