// Arrays where names count up, a hash table for the rest.
#include <lightcone/causal/message_table.h>

namespace lightcone {

std::size_t MessageTable::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.number * 0x9e3779b97f4a7c15U + static_cast<std::uint32_t>(key.prefix);
  hash ^= hash >> 32;
  return static_cast<std::size_t>(hash * 0xd6e8feb86659fd93U);
}

MessageIndex MessageTable::find_or_add(NameIndex prefix, std::uint64_t number, MessageIndex fresh) {
  // Prefixes that come late are many (names without a pattern): they share the hash table.
  constexpr std::uint32_t most_arrays = 1 << 14;
  constexpr std::uint64_t slack = 1024;
  const auto index = static_cast<std::uint32_t>(prefix);
  if (index >= most_arrays) return others_.try_emplace({prefix, number}, fresh).first->second;
  if (index >= by_prefix_.size()) by_prefix_.resize(index + 1);
  Numbered& numbered = by_prefix_[index];
  std::vector<MessageIndex>& array = numbered.by_number;
  if (number < array.size() && array[number] != none) return array[number];
  if (!others_.empty()) {
    if (const auto it = others_.find({prefix, number}); it != others_.end()) return it->second;
  }
  // An array never grows to more than four times what it holds.
  if (number >= 4 * numbered.count + slack) {
    return others_.try_emplace({prefix, number}, fresh).first->second;
  }
  if (number >= array.size()) array.resize(number + 1, none);
  ++numbered.count;
  return array[number] = fresh;
}

}  // namespace lightcone
