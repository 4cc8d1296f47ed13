// A snapshot for people.
#pragma once

#include <lightcone/base/json.h>

#include <string>

namespace lightcone::service {

/// The document of a snapshot as tables and sentences.
[[nodiscard]] std::string snapshot_text(const Json& document);

}  // namespace lightcone::service
