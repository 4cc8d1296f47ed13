// Tags in HTTP requests: the member `lightcone` of the W3C `baggage` header.
#pragma once

#include <string>
#include <string_view>

namespace lightcone {

/// Returns the value of a `baggage` header with this tag as its member `lightcone`, in base64url
/// without padding. `baggage` is the value without it; its other members stay. A header may have
/// about 8 KiB.
[[nodiscard]] std::string baggage_with_tag(std::string_view tag, std::string_view baggage = {});

/// Returns the tag in the value of a `baggage` header; empty if there is none. Of several headers,
/// join the values with commas. A member that is no base64url is returned as it stands, so that
/// `Process::receive` refuses and counts it.
[[nodiscard]] std::string tag_in_baggage(std::string_view baggage);

}  // namespace lightcone
