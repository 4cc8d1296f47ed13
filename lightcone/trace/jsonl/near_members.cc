// Reads the keys of unknown members, and compares them with the known ones.
#include <lightcone/trace/jsonl/near_members.h>

#include <lightcone/base/spelling.h>

#include <array>

namespace lightcone {
namespace {

constexpr std::array<std::string_view, 11> known_members{"process", "kind",   "message",  "sends",
                                                         "to",      "labels", "vars",     "time",
                                                         "text",    "source", "duplicate"};

/// Returns where the string that begins here, with its quote, ends.
[[nodiscard]] std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

void compare(std::string_view key, std::set<std::string>& sentences) {
  for (const std::string_view known : known_members) {
    const bool is_near = known.size() > 2 && key.size() + 1 >= known.size() &&
                         key.size() <= known.size() + 1 && edit_distance(key, known) == 1;
    if (!is_near) continue;
    sentences.insert("events have a member `" + std::string(key) +
                     "`, which means nothing to Lightcone; did you mean `" + std::string(known) +
                     "`?");
  }
}

}  // namespace

void find_near_members(std::string_view extra, std::set<std::string>& sentences) {
  int depth = 0;
  for (std::size_t at = 0; at < extra.size();) {
    const char c = extra[at];
    if (c == '"') {
      const std::size_t end = end_of_string(extra, at);
      const bool is_key = depth == 0 && end < extra.size() && extra[end] == ':';
      if (is_key) compare(extra.substr(at + 1, end - at - 2), sentences);
      at = end;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
}

}  // namespace lightcone
