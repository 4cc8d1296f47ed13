// Spells and reads the number of an incarnation at the end of a name.
#include <lightcone/riders/tags/incarnation.h>

namespace lightcone {

std::string identity_of(std::string_view name, std::uint32_t incarnation) {
  std::string identity(name);
  if (incarnation > 1) identity += '~' + std::to_string(incarnation);
  return identity;
}

Incarnation incarnation_with_digit(std::string_view identity) {
  std::uint64_t number = 0, digit = 1;
  for (std::size_t at = identity.size(); at > 0; --at) {
    const char last = identity[at - 1];
    if (last == '~') {
      const bool is_first_digit = at < identity.size() && identity[at] != '0';
      if (at == 1 || !is_first_digit || number < 2 || number > most_incarnations) break;
      return {identity.substr(0, at - 1), static_cast<std::uint32_t>(number)};
    }
    if (last < '0' || last > '9' || digit > most_incarnations) break;
    number += digit * static_cast<std::uint64_t>(last - '0');
    digit *= 10;
  }
  return {identity, 1};
}

}  // namespace lightcone
