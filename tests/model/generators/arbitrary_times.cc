// Times are chosen so that both answers to `within` are likely.
#include "model/generators/arbitrary_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lightcone::arbitrary {
namespace {

constexpr std::array<const char*, 9> timed_patterns{
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

}  // namespace

Computation timed_computation(const Script& script) {
  std::vector<double> now(16, 0);
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
        now[p % now.size()] += static_cast<double>(choice % 4) / 2 - (choice % 11 == 0 ? 2 : 0);
        if (decoration % 13 != 0) builder.set_time(now[p % now.size()]);
      });
}

std::string timed_properties(std::mt19937_64& random, const std::string& each) {
  std::string text = fmt::format("clocks within {} ms\n", 500 * (random() % 4));
  for (int i = 0; i < 4; ++i) {
    text += fmt::format("{} w{}{} : {} {}flow {}{} {}\n",
                        std::array{"watch", "forbid", "expect", "require"}[random() % 4], i, each,
                        random() % 2 == 0 ? "some" : "every", random() % 2 == 0 ? "longest " : "",
                        random() % 3 == 0 ? "at [b c] " : "",
                        std::array{"matches", "ends with", "contains"}[random() % 3],
                        timed_patterns[random() % timed_patterns.size()]);
  }
  return text;
}

}  // namespace lightcone::arbitrary
