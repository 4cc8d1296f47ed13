// The page that lists executions.
#pragma once

#include <string_view>

namespace lightcone::service {

/// As HTML. It asks `/executions`, again and again.
[[nodiscard]] std::string_view list_page();

}  // namespace lightcone::service
