// Interning of names, and of sequences of names.
#include <lightcone/computation.h>

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace lightcone {
namespace {

template <class Number>
[[nodiscard]] Number load(const char* from, Number value) {
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Of a name of more than 8 bytes: both of its ends, mixed. Names that are not equal may share it.
[[nodiscard]] std::uint64_t mark_of(std::string_view name) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  const std::uint64_t first = load(name.data(), std::uint64_t{});
  const std::uint64_t last = load(name.data() + name.size() - word, std::uint64_t{});
  return (first * 0xbf58476d1ce4e5b9U ^ last ^ name.size()) * 0x9e3779b97f4a7c15U;
}

/// The bytes of a name of at most 8 bytes, as one number.
[[nodiscard]] std::uint64_t pack(std::string_view name) {
  const char* begin = name.data();
  const std::size_t size = name.size();
  if (size == 8) return load(begin, std::uint64_t{});
  if (size >= 4) {  // two halves that overlap
    const std::uint64_t low = load(begin, std::uint32_t{});
    return low | std::uint64_t{load(begin + size - 4, std::uint32_t{})} << (8 * (size - 4));
  }
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < size; ++i) {
    bytes |= std::uint64_t{static_cast<unsigned char>(begin[i])} << (8 * i);
  }
  return bytes;
}

}  // namespace

struct Names::Lookup {
  /// A name of up to 8 bytes, by those bytes: most names of most traces are found without a hash of
  /// a string. Each slot holds the latest of its names.
  struct ShortName {
    std::uint64_t bytes = 0;
    std::uint32_t size = 0;
    NameIndex index = NameIndex::none;
  };
  static constexpr std::size_t short_slots = 256;
  /// A longer name, by its mark; whether it is the same name is then compared.
  struct LongName {
    std::uint32_t mark = 0;
    NameIndex index = NameIndex::none;
  };
  static constexpr std::size_t long_slots = 256;

  tsl::robin_map<std::string_view, NameIndex> index;
  std::array<ShortName, short_slots> short_names = {};
  std::array<LongName, long_slots> long_names = {};
};

void Names::Free::operator()(Lookup* lookup) const { delete lookup; }

NameIndex Names::intern(std::string_view name) {
  if (lookup_ == nullptr) lookup_.reset(new Lookup);
  if (name.size() > sizeof(std::uint64_t)) {
    const std::uint64_t mark = mark_of(name);
    Lookup::LongName& slot = lookup_->long_names[mark >> 56];
    const auto low = static_cast<std::uint32_t>(mark >> 16);
    const bool is_known =
        slot.mark == low && slot.index != NameIndex::none && (*this)[slot.index] == name;
    if (!is_known) slot = {low, intern_slowly(name)};
    return slot.index;
  }
  const std::uint64_t bytes = pack(name);
  const std::uint64_t hash = (bytes + name.size()) * 0x9e3779b97f4a7c15U;
  Lookup::ShortName& slot = lookup_->short_names[hash >> 56];
  if (slot.index == NameIndex::none || slot.bytes != bytes || slot.size != name.size()) {
    slot = {bytes, static_cast<std::uint32_t>(name.size()), intern_slowly(name)};
  }
  return slot.index;
}

NameIndex Names::intern_slowly(std::string_view name) {
  auto& known = lookup_->index;
  if (const auto it = known.find(name); it != known.end()) return it->second;
  const auto index = static_cast<NameIndex>(views_.size());
  const std::string_view kept = store(name);
  views_.push_back(kept);
  known.emplace(kept, index);
  return index;
}

NameIndex Names::find(std::string_view name) const {
  if (lookup_ == nullptr) return NameIndex::none;
  const auto it = lookup_->index.find(name);
  return it == lookup_->index.end() ? NameIndex::none : it->second;
}

std::string_view Names::store(std::string_view name) {
  constexpr std::size_t usual_chunk = 1 << 16;
  if (chunk_size_ - chunk_used_ < name.size()) {
    chunk_size_ = std::max(usual_chunk, name.size());
    chunk_used_ = 0;
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk_size_));
    stored_ += chunk_size_;
  }
  if (name.empty()) return {};
  char* at = chunks_.back().get() + chunk_used_;
  std::memcpy(at, name.data(), name.size());
  chunk_used_ += name.size();
  return {at, name.size()};
}

std::size_t Names::bytes() const {
  constexpr std::size_t map_entry = 32;
  return stored_ + views_.size() * (sizeof(std::string_view) + map_entry);
}

struct NameSets::Lookup {
  tsl::robin_map<std::string, NameSetIndex> index;  // keyed by the bytes of the members
};

void NameSets::Free::operator()(Lookup* lookup) const { delete lookup; }

NameSetIndex NameSets::intern(std::span<const NameIndex> names) {
  if (names.empty()) return 0;
  if (lookup_ == nullptr) lookup_.reset(new Lookup);
  std::string key(names.size_bytes(), '\0');
  std::memcpy(key.data(), names.data(), names.size_bytes());
  auto& known = lookup_->index;
  if (const auto it = known.find(key); it != known.end()) return it->second;
  const auto set = static_cast<NameSetIndex>(size());
  members_.insert(members_.end(), names.begin(), names.end());
  begin_.push_back(static_cast<std::uint32_t>(members_.size()));
  known.emplace(std::move(key), set);
  return set;
}

}  // namespace lightcone
