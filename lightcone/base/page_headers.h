// The headers of HTTP that every page of ours is sent with.
#pragma once

#include <array>
#include <utility>

namespace lightcone {

/// A page runs its own script and asks its own server; nothing else. No other site shows it.
inline constexpr std::array<std::pair<const char*, const char*>, 5> page_headers = {{
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
     "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
}};

}  // namespace lightcone
