// Lines of a ring: what is sent in one round is received in the next.
#include "load_trace.h"

#include <fmt/format.h>

namespace lightcone::load {
namespace {

/// r0 and r8 take turns with being busy: each hears of the other's end before it begins. A message
/// takes one round from a process to the next, eight from r0 to r8.
constexpr std::uint64_t turn = 32, second_turn = 12;

[[nodiscard]] std::string_view change_of(std::uint32_t process, std::uint64_t round) {
  const std::uint64_t begin = process == 0 ? 0 : second_turn;
  if (process != 0 && process != 8) return "";
  if (round % turn == begin) return R"(, "vars": {"busy": 1})";
  if (round % turn == begin + 1) return R"(, "vars": {"busy": 0})";
  return "";
}

[[nodiscard]] std::string_view label_of(std::uint64_t round, std::uint64_t odd) {
  if (odd != 0 && round % odd == odd - 1) return "odd";
  return round % 2 == 0 ? "open" : "close";
}

}  // namespace

std::string beginning(const std::string& execution) {
  std::string text =
      fmt::format(R"({{"lightcone": 1, "execution": "{}", "processes": [)", execution);
  for (std::uint32_t p = 0; p < processes; ++p) {
    text += fmt::format(R"({}"r{}")", p == 0 ? "" : ", ", p);
  }
  text += "]}\n";
  for (std::uint32_t p = 0; p < processes; ++p) {
    text += fmt::format(R"({{"process": "r{}", "kind": "init", "vars": {{"busy": 0}}}})"
                        "\n",
                        p);
  }
  return text;
}

void add_round(std::string& to, std::uint32_t process, std::uint64_t round, std::uint64_t odd) {
  auto out = std::back_inserter(to);
  fmt::format_to(out,
                 R"({{"process": "r{}", "kind": "internal", "labels": ["{}"]{}}})"
                 "\n",
                 process, label_of(round, odd), change_of(process, round));
  const std::uint32_t before = (process + processes - 1) % processes;
  const std::uint32_t after = (process + 1) % processes;
  if (round > 0) {
    fmt::format_to(out,
                   R"({{"process": "r{}", "kind": "receive", "message": "m{}:{}"}})"
                   "\n",
                   process, before, round - 1);
  }
  fmt::format_to(out,
                 R"({{"process": "r{}", "kind": "send", "message": "m{}:{}", "to": "r{}"}})"
                 "\n",
                 process, process, round, after);
}

}  // namespace lightcone::load
