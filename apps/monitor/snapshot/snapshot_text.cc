// Lays out a snapshot in columns.
#include "snapshot/snapshot_text.h"

#include <fmt/format.h>
#include <lightcone/base/utf8.h>

#include <algorithm>
#include <vector>

namespace lightcone::service {
namespace {

using Row = std::vector<std::string>;

/// How many places a text takes in a terminal, about.
[[nodiscard]] std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

[[nodiscard]] std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += ' ' + row[i] + std::string(widths[i] - width_of(row[i]) + 1, ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

[[nodiscard]] std::string text_in(const Json& object, std::string_view name) {
  const Json* const value = object.find(name);
  return value != nullptr && value->text() != nullptr ? *value->text() : std::string();
}

[[nodiscard]] std::uint64_t number_in(const Json& object, std::string_view name) {
  const Json* const value = object.find(name);
  return value != nullptr ? value->natural().value_or(0) : 0;
}

[[nodiscard]] const Json& member(const Json& object, std::string_view name) {
  static const Json nothing;
  const Json* const value = object.find(name);
  return value != nullptr ? *value : nothing;
}

[[nodiscard]] std::string names_in(const Json& list) {
  std::vector<std::string> names;
  for (const Json& name : list.items()) {
    if (name.text() != nullptr) names.push_back(*name.text());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Text of the program in one line that is not too long.
[[nodiscard]] std::string shortened(std::string text) {
  constexpr std::size_t longest = 60;
  std::ranges::replace_if(
      text, [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }, ' ');
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

/// Bytes of the program: a state, or the contents of a message.
[[nodiscard]] std::string bytes_in(const Json& object, std::string_view name) {
  if (object.contains(name)) return shortened(text_in(object, name));
  const std::uint64_t bytes = number_in(object, "bytes");
  return bytes == 0 ? "" : fmt::format("{} bytes", bytes);
}

[[nodiscard]] std::string standing_of(const Json& process) {
  const Json& waits = member(process, "waits");
  const std::string what = text_in(waits, "for"), senders = names_in(member(waits, "senders"));
  if (process.contains("ended")) return "has ended";
  if (what == "nothing") return "is active";
  if (what == "idle") return "is idle";
  if (what == "no_one") return "has ended";
  if (what == "any" && senders.empty()) return "waits forever";
  if (what == "any") return "waits for any of " + senders;
  if (what == "all") return "waits for " + senders;
  return "does not tell";
}

[[nodiscard]] std::string process_table(const Json& document) {
  std::vector<Row> rows = {{"Process", "Events", "Waits", "Variables", "State"}};
  for (const Json& process : member(document, "processes").items()) {
    const std::string variables = member(process, "vars").dump();
    rows.push_back(
        {text_in(process, "process"), fmt::format("{}", number_in(process, "events")),
         standing_of(process),
         variables.size() <= 2 ? "" : shortened(variables.substr(1, variables.size() - 2)),
         bytes_in(process, "state")});
  }
  return rows.size() == 1 ? "" : table(rows) + '\n';
}

[[nodiscard]] std::string message_table(const Json& document) {
  std::vector<Row> rows = {{"From", "To", "In transit", "Contents"}};
  for (const Json& channel : member(document, "in_transit").items()) {
    Row row = {text_in(channel, "from"), text_in(channel, "to"),
               fmt::format("{}", number_in(channel, "messages")), ""};
    for (const Json& message : member(channel, "known").items()) {
      row.back() += (row.back().empty() ? "" : ", ") + text_in(message, "message");
      const std::string contents = bytes_in(message, "contents");
      if (!contents.empty()) row.back() += " (" + contents + ')';
    }
    rows.push_back(std::move(row));
  }
  return rows.size() == 1 ? "" : table(rows) + '\n';
}

[[nodiscard]] std::string answers_text(const Json& document) {
  const std::string terminated = text_in(document, "terminated");
  const std::string deadlock = text_in(document, "deadlock");
  std::string text;
  for (const Json& missing : member(document, "missing").items()) {
    text += fmt::format("Missing: {}: {}.\n", text_in(missing, "process"), text_in(missing, "why"));
  }
  const std::string silent = names_in(member(document, "not_told"));
  if (!silent.empty()) text += fmt::format("Not told whether they wait: {}.\n", silent);
  text += fmt::format("Terminated: {}.\n", terminated);
  text += deadlock == "yes" ? fmt::format("Deadlock: yes; these wait forever: {}.\n",
                                          names_in(member(document, "deadlocked")))
                            : fmt::format("Deadlock: {}.\n", deadlock);
  return text;
}

}  // namespace

std::string snapshot_text(const Json& document) {
  std::uint64_t messages = 0;
  for (const Json& channel : member(document, "in_transit").items()) {
    messages += number_in(channel, "messages");
  }
  const std::size_t processes = member(document, "processes").items().size();
  const bool complete = member(document, "complete").truth().value_or(false);
  std::string text = fmt::format("Snapshot of {}: {} process{}", text_in(document, "execution"),
                                 processes, processes == 1 ? "" : "es");
  text += complete
              ? fmt::format(", {} message{} in transit.\n\n", messages, messages == 1 ? "" : "s")
              : ", not complete.\n\n";
  return text + process_table(document) + message_table(document) + answers_text(document);
}

}  // namespace lightcone::service
