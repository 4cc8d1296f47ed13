// Interning of names, and of sequences of names.
#include <lightcone/causal/names.h>

#include <algorithm>
#include <cstring>

namespace lightcone {

NameIndex Names::intern(std::string_view name) {
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
