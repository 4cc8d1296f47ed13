// Tags of properties that are followed alone: those with `for each` or `within`.
#pragma once

#include <lightcone/base/wire.h>
#include <lightcone/error.h>
#include <lightcone/property/states/value_slice.h>
#include <lightcone/riders/slices/property_rider.h>
#include <lightcone/riders/tags/peers.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lightcone {

/// What travels for one such property: the tag of values that are not in the past, and of those
/// that are.
struct PropertyTag {
  PropertyRider::Tag background = {};
  std::vector<std::pair<OwnedValue, PropertyRider::Tag>> values = {};
  bool is_whole = true;  ///< no process in the past has forgotten a value
};

/// Leaves out what a tag says of these peers, whose numbers others get.
void forget_peers(PropertyTag& tag, const std::vector<bool>& forgotten);

/// Writes and reads tags of one property. Whatever is read may come from anyone.
class PropertyTagCodec {
 public:
  static constexpr std::uint64_t most_values = 4096;  ///< in one tag

  /// Both must outlive this.
  PropertyTagCodec(PropertyRules& rules, Peers& peers) : rules_(rules), peers_(peers) {}

  void write(WireWriter& wire, const PropertyTag& tag) const;
  /// Makes the wire fail where the tag is not well-formed. An error says more, if there is more to
  /// say. `sender` is who spoke of the peers in it.
  [[nodiscard]] PropertyTag read(WireReader& wire, std::uint32_t sender,
                                 std::optional<Error>& error);
  /// The tag of a message that carries none.
  [[nodiscard]] PropertyTag none_at_all() const;

 private:
  struct Writer;
  struct Reader;

  PropertyRules& rules_;
  Peers& peers_;
};

}  // namespace lightcone
