// Writes the parts of snapshots member by member, as docs/guides/monitoring.md describes them.
#include <lightcone/live/report/part_line.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>
#include <lightcone/base/utf8.h>
#include <lightcone/live/report/event_line.h>

namespace lightcone {
namespace {

[[nodiscard]] std::string begin_line(std::string_view process) {
  return fmt::format("{{\"lightcone\": 1, \"process\": {}, \"snapshot\": {{", json_string(process));
}

[[nodiscard]] std::string range_text(const SnapshotRange& range) {
  if (range.last == SnapshotRange::for_ever) return fmt::format("\"first\": {}", range.first);
  return fmt::format("\"first\": {}, \"last\": {}", range.first, range.last);
}

[[nodiscard]] std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

/// Bytes of the program, as text where they are text.
[[nodiscard]] std::string bytes_text(std::string_view name, std::string_view bytes) {
  std::string text = fmt::format(", \"bytes\": {}", bytes.size());
  if (bytes.empty() || bytes.size() > longest_told) return text;
  return text + (is_utf8(bytes) ? fmt::format(", \"{}\": {}", name, json_string(bytes))
                                : fmt::format(", \"hex\": \"{}\"", hexadecimal(bytes)));
}

[[nodiscard]] std::string counts_text(std::string_view name, const MessageCounts& counts) {
  std::string text = fmt::format(", \"{}\": [", name);
  for (const auto& [peer, count] : counts) {
    text += fmt::format("{}[{}, {}]", text.ends_with('[') ? "" : ", ", json_string(peer), count);
  }
  return text + ']';
}

[[nodiscard]] std::string_view word_for(Awaited::For what) {
  switch (what) {
    case Awaited::For::nothing: return "nothing";
    case Awaited::For::any: return "any";
    case Awaited::For::all: return "all";
    case Awaited::For::no_one: return "no_one";
    case Awaited::For::idle: return "idle";
  }
  return "nothing";
}

[[nodiscard]] std::string waits_text(const Awaited& waits) {
  std::string text = fmt::format(", \"waits\": {{\"for\": \"{}\"", word_for(waits.what));
  text += ", \"senders\": [";
  for (const std::string& sender : waits.senders) {
    text += (text.ends_with('[') ? "" : ", ") + json_string(as_utf8_name(sender));
  }
  return text + "]}";
}

}  // namespace

void LastValues::set(const LiveList<std::pair<std::string_view, LiveValue>>& variables) {
  for (const auto& [name, value] : variables) {
    const auto known = values_.find(name);
    if (known != values_.end()) {
      known->second = value_text(value);
    } else if (values_.size() < most) {
      values_.emplace(name, value_text(value));
    }
  }
}

std::string LastValues::json() const {
  std::string text = "{";
  for (const auto& [name, value] : values_) {
    if (value.size() > longest_told) continue;
    text += (text.size() == 1 ? "" : ", ") + json_string(name) + ": " + value;
  }
  return text + '}';
}

std::string part_line(const LocalPart& part, const LocalSituation& situation) {
  std::string line = begin_line(part.process) + range_text(part.snapshots);
  line += fmt::format(", \"events\": {}, \"vars\": {}", situation.events, situation.values.json());
  line += bytes_text("state", part.state);
  if (situation.waits) line += waits_text(*situation.waits);
  line += counts_text("sent", part.sent) + counts_text("received", part.received);
  return line + "}}\n";
}

std::string part_line(const InTransitPart& part) {
  std::string line = begin_line(part.receiver) + range_text(part.snapshots);
  line += fmt::format(", \"from\": {}, \"number\": {}", json_string(part.sender), part.number);
  return line + bytes_text("contents", part.contents) + "}}\n";
}

std::string colour_line(std::string_view process, std::uint64_t colour, bool takes_part) {
  return begin_line(process) +
         fmt::format("\"colour\": {}, \"takes_part\": {}}}}}\n", colour, takes_part);
}

}  // namespace lightcone
