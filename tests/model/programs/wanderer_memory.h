// The state of a random program's process, as it is saved and restored.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace lightcone {

/// All that one of the Wanderers is: what it has sent and received is counted by process.
struct WandererMemory {
  static constexpr std::array<const char*, 3> names = {"a", "b", "c"};

  int step = 0;
  std::uint64_t state = 1, action = 0;
  std::map<std::string, std::uint64_t, std::less<>> sent = {}, received = {};

  WandererMemory() = default;
  explicit WandererMemory(std::string_view text) {
    std::istringstream in{std::string(text)};
    in >> step >> state >> action;
    for (auto* counts : {&sent, &received}) {
      for (const char* name : names) in >> (*counts)[name];
    }
  }
  [[nodiscard]] std::string text() {
    std::ostringstream out;
    out << step << ' ' << state << ' ' << action;
    for (auto* counts : {&sent, &received}) {
      for (const char* name : names) out << ' ' << (*counts)[name];
    }
    return out.str();
  }
};

}  // namespace lightcone
