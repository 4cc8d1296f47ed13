// Writes the members of a line one after the other.
#include <lightcone/live/report/event_line.h>

#include <fmt/format.h>
#include <lightcone/base/json_text.h>

#include <chrono>

namespace lightcone {
namespace {

[[nodiscard]] std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::initial: return "init";
    case Kind::internal: return "internal";
    case Kind::send: return "send";
    case Kind::receive: return "receive";
  }
  return "internal";
}

/// A text alone, or several in a list.
template <class Texts>
void add_texts(std::string& line, std::string_view member, const Texts& texts, bool as_list) {
  if (texts.size() == 0) return;
  line += fmt::format(", \"{}\": ", member);
  if (texts.size() == 1 && !as_list) {
    line += json_string(*texts.begin());
    return;
  }
  char separator = '[';
  for (const auto& text : texts) {
    line += separator;
    line += json_string(text);
    separator = ',';
  }
  line += ']';
}

}  // namespace

std::string value_text(const LiveValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return json_real(*real);
  return json_string(std::get<std::string_view>(value));
}

std::string event_line(std::string_view process, const LiveTrace::Row& row) {
  std::string line =
      fmt::format("{{\"process\": {}, \"kind\": \"{}\"", json_string(process), kind_name(row.kind));
  if (row.kind == Kind::send) line += ", \"message\": " + json_string(row.sent);
  add_texts(line, "message", row.taken, false);
  add_texts(line, "to", row.to, false);
  if (row.duplicate) line += ", \"duplicate\": true";
  add_texts(line, "labels", row.state.labels, true);
  char separator = '{';
  for (const auto& [name, value] : row.state.variables) {
    line += separator == '{' ? ", \"vars\": {" : ", ";
    line += json_string(name) + ": " + value_text(value);
    separator = ',';
  }
  if (separator == ',') line += '}';
  if (row.state.time) {
    line += ", \"time\": " + json_real(*row.state.time);
  } else if (row.kind != Kind::initial) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    line += fmt::format(", \"time\": {:.6f}", std::chrono::duration<double>(now).count());
  }
  if (!row.state.text.empty()) line += ", \"text\": " + json_string(row.state.text);
  if (!row.state.source.empty()) {
    line += ", \"source\": " + json_string(row.state.source);
  } else if (row.where != nullptr && row.where->line() != 0) {
    line += ", \"source\": " + json_string(LiveTrace::source_text(*row.where));
  }
  line += "}\n";
  return line;
}

}  // namespace lightcone
