// Return addresses, by the files that have their code.
#include "process/call_site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace lightcone::mpi {
namespace {

/// Returns whether code is part of the MPI, of Lightcone, or of nothing that is known.
[[nodiscard]] bool is_of_libraries(const void* address) {
  thread_local tsl::robin_map<const void*, bool> known;
  const auto place = known.find(address);
  if (place != known.end()) return place->second;
  Dl_info info = {};
  bool is = true;
  if (::dladdr(address, &info) != 0 && info.dli_fname != nullptr) {
    const std::string_view path = info.dli_fname;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    is = name.starts_with("libmpi") || name.starts_with("liblightcone");
  }
  known.emplace(address, is);
  return is;
}

}  // namespace

const void* call_site() {
  if (call_returns_to == nullptr || !is_of_libraries(call_returns_to)) return call_returns_to;
  constexpr int deepest = 32;
  std::array<void*, deepest> frames = {};
  const int count = ::backtrace(frames.data(), deepest);
  for (int i = 0; i < count; ++i) {
    if (!is_of_libraries(frames[static_cast<std::size_t>(i)])) {
      return frames[static_cast<std::size_t>(i)];
    }
  }
  return call_returns_to;
}

std::string site_text(const void* address) {
  Dl_info info = {};
  if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  const auto at = reinterpret_cast<std::uintptr_t>(address) - 1;  // within the call
  return fmt::format("{}+{:#x}", info.dli_fname,
                     at - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
}

bool is_of_others(const void* address) {
  static tsl::robin_map<const void*, bool> known;
  const auto place = known.find(address);
  if (place != known.end()) return place->second;
  Dl_info info{};
  bool found = false;
  if (::dladdr(address, &info) != 0 && info.dli_fname != nullptr) {
    const std::string_view path = info.dli_fname;
    const std::string_view file = path.substr(path.rfind('/') + 1);
    for (const std::string_view part :
         {"libmpi", "libopen-", "mca_", "libpmi", "libuc", "libfabric", "libevent", "libhwloc",
          "libpsm", "liblightcone", "python", "libpython", "libgomp", "libjvm"}) {
      found = found || file.starts_with(part);
    }
  }
  known.emplace(address, found);
  return found;
}

}  // namespace lightcone::mpi
