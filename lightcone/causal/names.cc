// Interning of names, and of sequences of names.
#include <lightcone/computation.h>

#include <algorithm>
#include <cstring>

namespace lightcone {

namespace {

/// The bytes of a name of at most 8 bytes, as one number.
[[nodiscard]] std::uint64_t pack(std::string_view name) {
  const auto load = [](const char* from, auto value) {
    std::memcpy(&value, from, sizeof value);
    return value;
  };
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

NameIndex Names::intern(std::string_view name) {
  if (name.size() > sizeof(std::uint64_t)) return intern_slowly(name);
  const std::uint64_t bytes = pack(name);
  const std::uint64_t hash = (bytes + name.size()) * 0x9e3779b97f4a7c15U;
  if (short_names_.empty()) short_names_.resize(short_slots);
  ShortName& slot = short_names_[hash >> 56];
  if (slot.index == NameIndex::none || slot.bytes != bytes || slot.size != name.size()) {
    slot = {bytes, static_cast<std::uint32_t>(name.size()), intern_slowly(name)};
  }
  return slot.index;
}

NameIndex Names::intern_slowly(std::string_view name) {
  if (const auto it = index_.find(name); it != index_.end()) return it->second;
  const auto index = static_cast<NameIndex>(views_.size());
  const std::string_view kept = store(name);
  views_.push_back(kept);
  index_.emplace(kept, index);
  return index;
}

NameIndex Names::find(std::string_view name) const {
  const auto it = index_.find(name);
  return it == index_.end() ? NameIndex::none : it->second;
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

NameSets::NameSets() : begin_{0, 0} { index_.emplace(std::string(), 0); }

NameSetIndex NameSets::intern(std::span<const NameIndex> names) {
  std::string key(names.size_bytes(), '\0');
  if (!names.empty()) std::memcpy(key.data(), names.data(), names.size_bytes());
  if (const auto it = index_.find(key); it != index_.end()) return it->second;
  const auto set = static_cast<NameSetIndex>(size());
  members_.insert(members_.end(), names.begin(), names.end());
  begin_.push_back(static_cast<std::uint32_t>(members_.size()));
  index_.emplace(std::move(key), set);
  return set;
}

SplitName split_name(std::string_view name) {
  constexpr std::size_t most_digits = 18;  // always fits 64 bits
  const std::size_t shortest = name.size() - std::min(name.size(), most_digits);
  std::size_t at = name.size();
  while (at > shortest && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
  while (at + 1 < name.size() && name[at] == '0') ++at;
  if (at == name.size()) return {name, SplitName::no_number};
  std::uint64_t number = 0;
  for (const char digit : name.substr(at)) number = number * 10 + std::uint64_t(digit - '0');
  return {name.substr(0, at), number};
}

std::string join_name(SplitName name) {
  std::string out(name.prefix);
  if (name.number != SplitName::no_number) out += std::to_string(name.number);
  return out;
}

}  // namespace lightcone
