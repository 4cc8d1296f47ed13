// Splits the names of messages, and joins them again.
#include <lightcone/causal/message_name.h>

#include <algorithm>

namespace lightcone {

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
