// Each process waits for one other at most, so following the waits leads to an end or into a
// circle.
#include <lightcone/explore/deadlock_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace lightcone {
namespace {

/// The circles, each from its first process on: "a -> b -> a".
[[nodiscard]] std::vector<std::string> circles(std::span<const StuckProcess> stuck) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < stuck.size(); ++i) places.emplace(stuck[i].name, i);
  std::vector<std::string> found;
  constexpr std::size_t unmet = SIZE_MAX;
  std::vector<std::size_t> met(stuck.size(), unmet);  // from where on it was met first
  for (std::size_t begin = 0; begin < stuck.size(); ++begin) {
    auto now = places.find(stuck[begin].name);
    while (now != places.end() && met[now->second] == unmet) {
      met[now->second] = begin;
      now = places.find(stuck[now->second].sender);
    }
    if (now == places.end() || met[now->second] != begin) continue;
    std::vector<std::size_t> circle;
    for (std::size_t i = now->second; circle.empty() || i != circle.front();) {
      circle.push_back(i);
      i = places.at(stuck[i].sender);
    }
    std::ranges::rotate(circle, std::ranges::min_element(circle));
    std::string text;
    for (const std::size_t i : circle) text += stuck[i].name + " -> ";
    found.push_back(text + stuck[circle.front()].name);
  }
  return found;
}

}  // namespace

std::string deadlock_text(std::span<const StuckProcess> stuck) {
  const auto silent = [](const StuckProcess& process) { return process.in.empty(); };
  std::vector<std::string> parts;
  if (std::ranges::all_of(stuck, silent)) {
    for (const StuckProcess& process : stuck) parts.push_back(process.name);
    parts = {fmt::format("{} {} for a message that will never be sent", fmt::join(parts, ", "),
                         stuck.size() == 1 ? "waits" : "wait")};
  } else {
    for (const StuckProcess& process : stuck) {
      parts.push_back(silent(process) ? fmt::format("{} waits for a message", process.name)
                                      : fmt::format("{} waits in {}", process.name, process.in));
    }
  }
  for (const std::string& circle : circles(stuck)) parts.push_back("a circle: " + circle);
  return fmt::format("deadlock: {}", fmt::join(parts, "; "));
}

}  // namespace lightcone
