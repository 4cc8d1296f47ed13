// Long work reports how far it has come.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace lightcone {

/// Called now and then with what is being done, and how much of how much is done; `total` is 0
/// where it is not known. An empty function is never called.
using Progress =
    std::function<void(std::string_view doing, std::uint64_t done, std::uint64_t total)>;

}  // namespace lightcone
