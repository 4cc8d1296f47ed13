// Reads the members of an event by simdjson.
#include <lightcone/trace/chrome/chrome_event.h>

#include <lightcone/base/json_text.h>

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>

namespace lightcone {
namespace {

namespace dom = simdjson::dom;

/// What is wrong with an event; thrown, and turned into an Error before it leaves this file.
struct BadEvent {
  std::string what;
};

/// Members that mean something else in JSON Lines.
constexpr std::array<std::string_view, 14> taken_names{
    "process", "kind", "message", "sends",     "to",        "labels",    "vars",
    "time",    "text", "source",  "duplicate", "lightcone", "processes", "digest"};

[[nodiscard]] std::string text_of(dom::element element) {
  std::string_view text;
  if (!element.get(text)) return std::string(text);
  return simdjson::minify(element);
}

[[nodiscard]] std::string_view string_of(dom::element value, const std::string& member) {
  std::string_view text;
  if (value.get(text)) throw BadEvent{"member `" + member + "` must be a string"};
  return text;
}

/// Some programs write times as texts.
[[nodiscard]] double microseconds_of(dom::element value, const std::string& member) {
  double number = 0;
  std::string_view text;
  if (!value.get(number) && std::isfinite(number)) return number;
  if (!value.get(text)) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) return number;
  }
  throw BadEvent{"member `" + member + "` must be a number of microseconds"};
}

[[nodiscard]] bool is_true(dom::element value) {
  bool truth = false;
  return !value.get(truth) && truth;
}

[[nodiscard]] char phase_of(dom::element value) {
  const std::string_view phase = string_of(value, "ph");
  if (phase.size() != 1) throw BadEvent{"member `ph` must be one letter"};
  return phase.front();
}

void append_member(std::string& extra, std::string_view key, std::string_view json) {
  const bool is_taken = std::ranges::find(taken_names, key) != taken_names.end();
  if (!extra.empty()) extra += ", ";
  extra += json_string(is_taken ? "chrome." + std::string(key) : std::string(key));
  extra += ": ";
  extra += json;
}

}  // namespace

struct ChromeEventParser::Parts {
  dom::parser parser;
  std::string buffer;             // the text of an event, with room behind it
  std::deque<std::string> texts;  // of arguments that are numbers beyond 63 bits

  [[nodiscard]] SpelledValue value_of(dom::element value) {
    switch (value.type()) {
      case dom::element_type::BOOL: return value.get_bool().value_unsafe();
      case dom::element_type::INT64: return value.get_int64().value_unsafe();
      case dom::element_type::DOUBLE: return value.get_double().value_unsafe();
      case dom::element_type::STRING: return value.get_string().value_unsafe();
      default: return std::string_view(texts.emplace_back(text_of(value)));
    }
  }

  void read_arguments(dom::element value, ChromeEvent& event) {
    dom::object args;
    if (value.get(args)) return;  // some programs write a text
    std::string nested;
    for (const dom::key_value_pair argument : args) {
      const dom::element_type type = argument.value.type();
      if (type == dom::element_type::NULL_VALUE) continue;
      if (type != dom::element_type::OBJECT && type != dom::element_type::ARRAY) {
        event.args.emplace_back(argument.key, value_of(argument.value));
        continue;
      }
      if (!nested.empty()) nested += ", ";
      nested += json_string(argument.key) + ": " + std::string(simdjson::minify(argument.value));
    }
    if (!nested.empty()) append_member(event.extra, "args", "{" + nested + "}");
  }

  void read_member(dom::key_value_pair member, ChromeEvent& event) {
    const std::string_view key = member.key;
    const dom::element value = member.value;
    if (key == "ph") {
      event.phase = phase_of(value);
    } else if (key == "name") {
      event.name = string_of(value, "name");
    } else if (key == "ts") {
      event.time = microseconds_of(value, "ts");
    } else if (key == "dur") {
      event.duration = microseconds_of(value, "dur");
    } else if (key == "pid") {
      event.pid = text_of(value);
    } else if (key == "tid") {
      event.tid = text_of(value);
    } else if (key == "id") {
      event.id = text_of(value);
    } else if (key == "bind_id") {
      event.bind_id = text_of(value);
    } else if (key == "flow_in") {
      event.flow_in = is_true(value);
    } else if (key == "flow_out") {
      event.flow_out = is_true(value);
    } else if (key == "args") {
      read_arguments(value, event);
    } else if (key != "bp" && key != "s") {
      if (key == "cat") event.category = text_of(value);
      append_member(event.extra, key, std::string(simdjson::minify(value)));
    }
  }
};

std::optional<std::string_view> ChromeEvent::text_argument(std::string_view argument) const {
  for (const auto& [key, value] : args) {
    const auto* text = std::get_if<std::string_view>(&value);
    if (key == argument && text != nullptr) return *text;
  }
  return std::nullopt;
}

ChromeEventParser::ChromeEventParser() : parts_(std::make_unique<Parts>()) {}
ChromeEventParser::~ChromeEventParser() = default;

Expected<ChromeEvent> ChromeEventParser::parse(std::string_view json) {
  Parts& parts = *parts_;
  parts.texts.clear();
  parts.buffer.assign(json);
  parts.buffer.resize(json.size() + simdjson::SIMDJSON_PADDING);
  dom::object object;
  auto error = parts.parser.parse(parts.buffer.data(), json.size(), false).get(object);
  if (error == simdjson::NUMBER_ERROR) {
    if (const auto text = large_numbers_as_texts(json))
      error = parts.parser.parse(*text).get(object);
  }
  if (error) {
    return failure(std::string("broken JSON: ") + simdjson::error_message(error));
  }
  try {
    ChromeEvent event;
    for (const dom::key_value_pair member : object) parts.read_member(member, event);
    if (event.phase == 0) throw BadEvent{"member `ph` is missing: it says what an event is"};
    return event;
  } catch (BadEvent& bad) {
    return failure(std::move(bad.what));
  }
}

}  // namespace lightcone
