// What an event has of spans besides what Lightcone knows: what the reader kept, taken apart.
#pragma once

#include <lightcone/computation.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lightcone {

/// Members as the writer puts them into its places: each text is `"key": value, …`, or empty.
struct OtlpMembers {
  std::string resource;        ///< of `resource`
  std::string resource_spans;  ///< of the item of `resourceSpans`
  std::string scope_spans;     ///< of the item of `scopeSpans`
  std::string span;
  std::map<std::string, std::string, std::less<>> links;  ///< by the name of the message
  std::uint64_t kind = 1;                                 ///< of the span
  bool is_whole = true;  ///< nothing was too long, too deep or no JSON that can be read again
};

/// Takes the unknown members of an event apart. Those of `otlp` go to their places, unless the
/// writer itself writes a member of this name there. All others become the member `lightcone` of
/// the span.
[[nodiscard]] OtlpMembers otlp_members(std::string_view extra);

}  // namespace lightcone
