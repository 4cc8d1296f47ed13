// Finds the parts of an event in the groups of a match.
#include <lightcone/trace/text/text_lines.h>

#include <lightcone/base/utf8.h>
#include <lightcone/base/wording.h>
#include <lightcone/trace/map/time_text.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lightcone {
namespace {

/// The words for kinds that programs use in their logs.
[[nodiscard]] std::optional<JsonlLine::Kind> kind_in(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* send : {"send", "sends", "sent", "sending", "->"}) {
    if (lower == send) return JsonlLine::Kind::send;
  }
  for (const char* receive :
       {"receive", "receives", "received", "receiving", "recv", "got", "<-"}) {
    if (lower == receive) return JsonlLine::Kind::receive;
  }
  if (lower == "internal" || lower == "local") return JsonlLine::Kind::internal;
  if (lower == "init" || lower == "initial") return JsonlLine::Kind::initial;
  return std::nullopt;
}

/// Adds the words between commas and blanks.
void split_words(std::string_view text, JsonlLines& into) {
  constexpr std::string_view between = ", \t";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
    if (text.empty()) return;
    const std::string_view word = text.substr(0, text.find_first_of(between));
    into.strings.push_back(into.texts.emplace_back(word));
    text.remove_prefix(word.size());
  }
}

}  // namespace

Expected<std::unique_ptr<TextLines>> TextLines::with_expression(const std::string& expression,
                                                                const std::string& log) {
  if (expression.empty()) {
    return failure("no expression says how to find events in a line", {}, 0,
                   "name it with --regex; docs/formats/text.md says which groups it may have");
  }
  auto compiled = RegularExpression::compile(expression);
  if (!compiled) return failure(std::move(compiled.error()));
  std::unique_ptr<TextLines> lines(new TextLines(std::move(*compiled), log));
  if (auto ok = lines->find_groups(); !ok) return failure(std::move(ok.error()));
  return lines;
}

TextLines::TextLines(RegularExpression expression, const std::string& log)
    : expression_(std::move(expression)),
      matches_(expression_, {}),
      log_(log.substr(log.rfind('/') + 1)) {}

Expected<void> TextLines::find_groups() {
  const std::array known{
      std::pair("process", &groups_.process), std::pair("host", &groups_.process),
      std::pair("kind", &groups_.kind),       std::pair("message", &groups_.message),
      std::pair("send", &groups_.send),       std::pair("receive", &groups_.receive),
      std::pair("event", &groups_.text),      std::pair("text", &groups_.text),
      std::pair("time", &groups_.time),       std::pair("label", &groups_.label),
      std::pair("labels", &groups_.labels),   std::pair("to", &groups_.to)};
  for (const RegularExpression::Group& group : expression_.groups()) {
    const auto* const found =
        std::ranges::find_if(known, [&](const auto& pair) { return group.name == pair.first; });
    if (found == known.end()) {
      variables_.emplace_back(group.name, group.number);
    } else if (*found->second) {
      return failure("the expression has two groups for the same: " + group.name +
                     " is the second");
    } else {
      *found->second = group.number;
    }
  }
  const std::string hint =
      "it needs (?<process>...), and (?<send>...) and (?<receive>...) for messages, or "
      "(?<kind>...) and (?<message>...)";
  if (!groups_.process) {
    return failure("the expression " + expression_.pattern() + " has no group named process", {}, 0,
                   hint);
  }
  if (groups_.kind && !groups_.message) {
    return failure("the expression has a group kind, but no group message", {}, 0, hint);
  }
  if (groups_.message && !groups_.kind) {
    return failure("the expression has a group message, but no group kind", {}, 0, hint);
  }
  return {};
}

/// What the group has matched; without data where it took no part in the match.
std::string_view TextLines::group(Group number) const {
  return number ? matches_.group(*number).value_or(std::string_view()) : std::string_view();
}

std::uint64_t TextLines::parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into) {
  into.clear();
  const bool last_is_open = !text.empty() && text.back() != '\n';
  const auto newlines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  std::string_view rest(text.data(), text.size());
  for (std::uint64_t number = first_line; !rest.empty() && !into.error; ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!is_utf8(line)) {
      ++repaired_lines_;
      repaired_ = as_utf8(line);
      line = repaired_;
    }
    matches_.restart(line);
    const auto found = matches_.next();
    Expected<void> added;
    if (!found) {
      added = failure(found.error());
    } else if (*found) {
      ++events_;
      added = add_event(number, into);
    } else {
      if (unmatched_++ == 0) first_other_line_ = line.substr(0, 200);
    }
    if (added) continue;
    into.error = std::move(added.error());
    into.error->line = number;
  }
  return newlines + (last_is_open ? 1 : 0);
}

Expected<void> TextLines::add_event(std::uint64_t number, JsonlLines& into) {
  const auto kept = [&](std::string_view text) -> std::string_view {
    return into.texts.emplace_back(text);
  };
  JsonlLine line;
  line.number = number;
  if (group(groups_.process).empty()) {
    return failure("the expression matches here, but its group process matches nothing");
  }
  line.process = kept(group(groups_.process));
  if (auto ok = set_messages(line, into); !ok) return ok;
  if (line.kind == JsonlLine::Kind::send && !group(groups_.to).empty()) {
    line.to.begin = static_cast<std::uint32_t>(into.strings.size());
    split_words(group(groups_.to), into);
    line.to.end = static_cast<std::uint32_t>(into.strings.size());
  }
  set_labels(line, into);
  if (const std::string_view time = group(groups_.time); !time.empty()) {
    line.time = log_time_in(time);
    if (!line.time) {
      return failure("group time is neither a number nor a date: " + printable(time), {}, 0,
                     "a date looks like 2026-11-17T18:00:00.25Z");
    }
  }
  if (const auto text = group(groups_.text); text.data() != nullptr) line.text = kept(text);
  line.source = kept(log_ + ":" + std::to_string(number));
  line.variables.begin = static_cast<std::uint32_t>(into.variables.size());
  for (const auto& [name, number_of_group] : variables_) {
    const auto value = matches_.group(number_of_group);
    if (value) into.variables.push_back({kept(name), kept(*value)});
  }
  line.variables.end = static_cast<std::uint32_t>(into.variables.size());
  into.lines.push_back(line);
  return {};
}

Expected<void> TextLines::set_messages(JsonlLine& line, JsonlLines& into) const {
  const std::string_view sent = group(groups_.send), received = group(groups_.receive);
  const std::string_view kind = group(groups_.kind);
  std::string_view message = group(groups_.message);
  if (!sent.empty() && !received.empty()) {
    return failure("the groups send and receive both match here: an event is one of them");
  }
  if (!kind.empty()) {
    const auto known = kind_in(kind);
    if (!known) {
      return failure("group kind is " + printable(kind) + ", which is not a kind", {}, 0,
                     "it is send, receive, internal or init, or a word like sent or recv");
    }
    line.kind = *known;
  }
  if (!sent.empty()) line.kind = JsonlLine::Kind::send;
  if (!received.empty()) line.kind = JsonlLine::Kind::receive;
  if (!sent.empty() || !received.empty()) message = sent.empty() ? received : sent;
  if (line.kind != JsonlLine::Kind::send && line.kind != JsonlLine::Kind::receive) return {};
  if (message.empty()) {
    return failure("group message matches nothing, and a send or receive needs a message");
  }
  line.messages.begin = static_cast<std::uint32_t>(into.strings.size());
  if (line.kind == JsonlLine::Kind::send)
    into.strings.push_back(into.texts.emplace_back(message));
  else
    split_words(message, into);
  line.messages.end = static_cast<std::uint32_t>(into.strings.size());
  if (line.messages.size() > 0) return {};
  return failure("group message holds no name of a message");
}

void TextLines::set_labels(JsonlLine& line, JsonlLines& into) const {
  line.labels.begin = static_cast<std::uint32_t>(into.strings.size());
  if (const auto label = group(groups_.label); !label.empty()) {
    into.strings.push_back(into.texts.emplace_back(label));
  }
  split_words(group(groups_.labels), into);
  line.labels.end = static_cast<std::uint32_t>(into.strings.size());
}

std::vector<std::string> TextLines::notes() const {
  std::vector<std::string> notes;
  if (unmatched_ > 0) {
    notes.push_back(counted(unmatched_, "line") + " skipped that the expression does not match");
  }
  if (repaired_lines_ > 0) {
    notes.push_back(counted(repaired_lines_, "line") +
                    " repaired that held bytes that are not UTF-8");
  }
  return notes;
}

}  // namespace lightcone
