// Times are chosen so that both answers to `within` are likely.
#include "model/generators/arbitrary_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace lightcone::arbitrary {
namespace {

constexpr std::array<const char*, 9> timed_patterns{
    // `s` is a second or a tenth of one
    "a -> b within 2 s",
    "a -> b without c within 3 s",
    "a -> b within 1 s -> c within 2 s",
    "(a -> b within 1 s)* c",
    "a (b -> c within 2 s)+",
    "(a | b -> c within 1 s) -> a within 3 s",
    "a b -> [a c] within 2 s without b",
    "(a -> (b -> c within 1 s) within 2 s)",
    ". -> . within 1 s -> b",
};

[[nodiscard]] std::string timed_pattern(std::mt19937_64& random, bool are_tenths) {
  std::string pattern = timed_patterns[random() % timed_patterns.size()];
  for (std::size_t at = 0; are_tenths && (at = pattern.find(" s", at)) != std::string::npos;) {
    pattern.replace(at, 2, "00 ms");
  }
  return pattern;
}

}  // namespace

Computation timed_computation(const Script& script) {
  std::vector<std::int64_t> now(16, 0);  // in halves
  const bool are_tenths = script.steps.size() % 2 == 0;
  return play(
      script, [&](Builder& builder, ProcessIndex p, std::uint8_t decoration, std::uint8_t choice) {
        std::vector<NameIndex> labels;
        for (const auto& [bit, name] : {std::pair(1, "a"), std::pair(2, "b"), std::pair(4, "c")}) {
          if ((decoration & bit) != 0 && (decoration & 8) != 0)
            labels.push_back(builder.name(name));
        }
        std::ranges::sort(labels);
        if (!labels.empty()) builder.set_labels(builder.name_set(labels));
        if (choice % 3 != 0) {
          builder.assign(builder.name("id"), std::int64_t{(choice >> 2) % 3});
        }
        std::int64_t& halves = now[p % now.size()];
        halves += choice % 4 - (choice % 11 == 0 ? 4 : 0);
        // Each is the real that is nearest to the decimal number, as a reader makes it.
        const double time = are_tenths ? static_cast<double>(176'341'680'000 + 5 * halves) / 100
                                       : static_cast<double>(halves) / 2;
        if (decoration % 13 != 0) builder.set_time(time);
      });
}

std::string timed_properties(std::mt19937_64& random, const std::string& each) {
  const bool are_tenths = random() % 2 == 0;
  std::string text = fmt::format("clocks within {} ms\n", (are_tenths ? 50 : 500) * (random() % 4));
  for (int i = 0; i < 4; ++i) {
    text += fmt::format("{} w{}{} : {} {}flow {}{} {}\n",
                        std::array{"watch", "forbid", "expect", "require"}[random() % 4], i, each,
                        random() % 2 == 0 ? "some" : "every", random() % 2 == 0 ? "longest " : "",
                        random() % 3 == 0 ? "at [b c] " : "",
                        std::array{"matches", "ends with", "contains"}[random() % 3],
                        timed_pattern(random, are_tenths));
  }
  return text;
}

}  // namespace lightcone::arbitrary
