// Parsing one line with simdjson; every member is checked, also those that are only kept.
#include <lightcone/trace/jsonl_line.h>

#include <lightcone/trace/json_text.h>
#include <simdjson.h>

#include <cstring>

namespace lightcone {
namespace ondemand = simdjson::ondemand;

void JsonlLines::clear() {
  lines.clear();
  strings.clear();
  variables.clear();
  texts.clear();
}

const std::size_t JsonlLineParser::padding = simdjson::SIMDJSON_PADDING;

struct JsonlLineParser::Parts {
  ondemand::parser parser;
  simdjson::dom::parser checker;  // for members that are kept but not understood
};

namespace {

enum Member : std::uint32_t {  // bits, so that a set of them shows what was seen
  process = 1U << 0,
  kind = 1U << 1,
  message = 1U << 2,
  sends = 1U << 3,
  to = 1U << 4,
  labels = 1U << 5,
  vars = 1U << 6,
  time = 1U << 7,
  text = 1U << 8,
  source = 1U << 9,
  duplicate = 1U << 10,
  lightcone = 1U << 11,
  processes = 1U << 12,
  unknown = 0,
};

/// Whether the text that begins here is this name and then a quote. A line is followed by
/// padding, so that looking a few bytes ahead is safe.
template <std::size_t Size>
[[nodiscard]] bool spells(const char* raw, const char (&name)[Size]) {
  return std::memcmp(raw, name, Size - 1) == 0 && raw[Size - 1] == '"';
}

[[nodiscard]] Member member_named(const char* raw) {
  switch (raw[0]) {
    case 'd':
      return spells(raw, "duplicate") ? Member::duplicate : Member::unknown;
    case 'k':
      return spells(raw, "kind") ? Member::kind : Member::unknown;
    case 'l':
      if (spells(raw, "labels")) return Member::labels;
      return spells(raw, "lightcone") ? Member::lightcone : Member::unknown;
    case 'm':
      return spells(raw, "message") ? Member::message : Member::unknown;
    case 'p':
      if (spells(raw, "process")) return Member::process;
      return spells(raw, "processes") ? Member::processes : Member::unknown;
    case 's':
      if (spells(raw, "sends")) return Member::sends;
      return spells(raw, "source") ? Member::source : Member::unknown;
    case 't':
      if (spells(raw, "to")) return Member::to;
      if (spells(raw, "time")) return Member::time;
      return spells(raw, "text") ? Member::text : Member::unknown;
    case 'v':
      return spells(raw, "vars") ? Member::vars : Member::unknown;
    default:
      return Member::unknown;
  }
}

/// The text of a raw string where nothing in it is escaped, else none: then simdjson must copy
/// it. simdjson has already found that the string ends, and that it is UTF-8.
[[nodiscard]] std::optional<std::string_view> plain_text(const char* raw) {
  const char* end = raw;
  while (*end != '"' && *end != '\\') ++end;
  if (*end == '\\') return std::nullopt;
  return std::string_view(raw, static_cast<std::size_t>(end - raw));
}

/// A member whose value is not what it should be.
struct Misfit {
  std::string what;
};

/// Stops the parsing of a line; turned into an Error before it leaves this file.
[[noreturn]] void misfit(std::string what) { throw Misfit{std::move(what)}; }

[[nodiscard]] bool boolean_of(ondemand::value value, const char* member) {
  bool truth = false;
  if (value.get_bool().get(truth)) misfit(std::string(member) + " must be true or false");
  return truth;
}

void check_version(ondemand::value value) {
  std::int64_t version = 0;
  if (value.get_int64().get(version) || version != 1) {
    misfit("this is not version 1 of the trace format, the one this Lightcone reads");
  }
}

[[nodiscard]] ondemand::number number_of(ondemand::value value, std::string_view what) {
  ondemand::number number;
  if (value.get_number().get(number)) {
    misfit(std::string(what) + " is not a number that fits 64 bits");
  }
  return number;
}

/// Takes one line apart and says what is missing or too much.
class LineReader {
 public:
  LineReader(JsonlLines& lines, simdjson::dom::parser& checker)
      : lines_(lines), line_(lines.lines.emplace_back()), checker_(checker) {}

  void read(ondemand::object object) {
    for (ondemand::field field : object) read_member(field);
    if (!extra_.empty()) line_.extra = keep_text(extra_);
    if (has(Member::lightcone)) {
      line_.kind = JsonlLine::Kind::header;
    } else {
      check_event();
    }
  }

 private:
  [[nodiscard]] bool has(std::uint32_t member) const { return (seen_ & member) != 0; }

  void read_member(ondemand::field field) {
    const Member member = member_named(field.key().raw());
    if (has(member)) {
      misfit(std::string(field.unescaped_key().value()) + " is said twice");
    }
    seen_ |= member;
    if (member == Member::unknown) return keep(field.unescaped_key(), field.value());
    ondemand::value value = field.value();
    switch (member) {
      case Member::process:
        line_.process = string_of(value, "process");
        break;
      case Member::kind:
        line_.kind = kind_of(value);
        break;
      case Member::message:
        line_.messages = string_or_strings_of(value, "message");
        break;
      case Member::sends:
        line_.sends = string_of(value, "sends");
        break;
      case Member::to:
        line_.to = string_or_strings_of(value, "to");
        break;
      case Member::labels:
        line_.labels = strings_of(value, "labels");
        break;
      case Member::vars:
        line_.variables = variables_of(value);
        break;
      case Member::time:
        line_.time = number_of(value, "time").as_double();
        break;
      case Member::text:
        line_.text = string_of(value, "text");
        break;
      case Member::source:
        line_.source = string_of(value, "source");
        break;
      case Member::duplicate:
        line_.duplicate = boolean_of(value, "duplicate");
        break;
      case Member::lightcone:
        check_version(value);
        break;
      case Member::processes:
        line_.processes = strings_of(value, "processes");
        break;
      case Member::unknown:
        break;
    }
  }

  [[nodiscard]] std::string_view keep_text(std::string_view text) {
    return lines_.texts.emplace_back(text);
  }

  [[nodiscard]] std::string_view string_of(ondemand::value value, const char* member) {
    const char* raw = value.raw_json_token().data();
    if (*raw != '"') misfit(std::string(member) + " must be a string");
    const auto plain = plain_text(raw + 1);
    ondemand::raw_json_string consumed;
    if (plain && value.get_raw_json_string().get(consumed) == simdjson::SUCCESS) return *plain;
    return keep_text(value.get_string());
  }

  [[nodiscard]] JsonlLine::Range strings_of(ondemand::value value, const char* member) {
    ondemand::array array;
    const simdjson::error_code error = value.get_array().get(array);
    if (error == simdjson::INCORRECT_TYPE) {
      misfit(std::string(member) + " must be a list of strings");
    }
    if (error) throw simdjson::simdjson_error(error);
    const std::uint32_t begin = strings_end();
    for (auto element : array) lines_.strings.push_back(string_of(element.value(), member));
    return {begin, strings_end()};
  }

  [[nodiscard]] JsonlLine::Range string_or_strings_of(ondemand::value value, const char* member) {
    if (value.type() == ondemand::json_type::array) return strings_of(value, member);
    lines_.strings.push_back(string_of(value, member));
    return {strings_end() - 1, strings_end()};
  }

  [[nodiscard]] std::uint32_t strings_end() const {
    return static_cast<std::uint32_t>(lines_.strings.size());
  }

  [[nodiscard]] JsonlLine::Kind kind_of(ondemand::value value) {
    const std::string_view kind = string_of(value, "kind");
    if (kind == "internal") return JsonlLine::Kind::internal;
    if (kind == "send") return JsonlLine::Kind::send;
    if (kind == "receive") return JsonlLine::Kind::receive;
    if (kind == "init") return JsonlLine::Kind::initial;
    misfit("unknown kind \"" + std::string(kind) + "\": it is init, internal, send or receive");
  }

  [[nodiscard]] JsonlLine::Range variables_of(ondemand::value value) {
    ondemand::object object;
    const simdjson::error_code error = value.get_object().get(object);
    if (error == simdjson::INCORRECT_TYPE) misfit("vars must be an object");
    if (error) throw simdjson::simdjson_error(error);
    const auto begin = static_cast<std::uint32_t>(lines_.variables.size());
    for (ondemand::field field : object) lines_.variables.push_back(variable_of(field));
    return {begin, static_cast<std::uint32_t>(lines_.variables.size())};
  }

  [[nodiscard]] JsonlLines::Variable variable_of(ondemand::field field) {
    const auto plain = plain_text(field.key().raw());
    JsonlLines::Variable variable{plain ? *plain : keep_text(field.unescaped_key()), false};
    ondemand::value value = field.value();
    switch (value.type()) {
      case ondemand::json_type::boolean:
        variable.value = bool(value.get_bool());
        break;
      case ondemand::json_type::string:
        variable.value = string_of(value, "vars");
        break;
      case ondemand::json_type::number:
        variable.value = number_in(value, variable.name);
        break;
      default:
        misfit("variable " + std::string(variable.name) +
               " must be a boolean, a number or a string");
    }
    return variable;
  }

  [[nodiscard]] static decltype(JsonlLines::Variable::value) number_in(ondemand::value value,
                                                                       std::string_view name) {
    const ondemand::number number = number_of(value, name);
    if (number.is_int64()) return number.get_int64();
    if (number.is_double()) return number.get_double();
    misfit("variable " + std::string(name) +
           " is an integer of more than 63 bits: write it as a real or a string");
  }

  void keep(std::string_view key, ondemand::value value) {
    extra_ += extra_.empty() ? "" : ", ";
    extra_ += json_string(key);
    const std::string_view json = simdjson::to_json_string(value).value();
    simdjson::dom::element checked;
    if (const auto error = checker_.parse(json.data(), json.size()).get(checked)) {
      throw simdjson::simdjson_error(error);
    }
    extra_ += ": ";
    extra_ += json;
  }

  void check_event() const {
    using enum JsonlLine::Kind;
    if (!has(Member::process)) misfit("process is missing");
    if (!has(Member::kind)) misfit("kind is missing");
    const bool communicates = line_.kind == send || line_.kind == receive;
    if (communicates && line_.messages.size() == 0) {
      misfit(line_.kind == send ? "a send needs a message" : "a receive needs a message");
    }
    if (!communicates && has(Member::message)) {
      misfit("only a send or a receive has a message");
    }
    if (line_.kind == send && line_.messages.size() > 1) {
      misfit("a send has one message; it may have several receivers");
    }
    if (has(Member::sends) && (line_.kind == send || line_.kind == initial)) {
      misfit("sends is for an event that is not a send itself");
    }
  }

  JsonlLines& lines_;
  JsonlLine& line_;
  simdjson::dom::parser& checker_;
  std::string extra_;
  std::uint32_t seen_ = 0;
};

}  // namespace

JsonlLineParser::JsonlLineParser() : parts_(std::make_unique<Parts>()) {}
JsonlLineParser::~JsonlLineParser() = default;

Expected<void> JsonlLineParser::parse(std::string_view text, JsonlLines& into) {
  const std::size_t lines = into.lines.size();
  const auto give_up = [&](std::string why) {
    into.lines.resize(lines);
    return failure(std::move(why));
  };
  try {
    const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + padding);
    ondemand::document document = parts_->parser.iterate(padded);
    ondemand::object object;
    const simdjson::error_code error = document.get_object().get(object);
    if (error == simdjson::INCORRECT_TYPE) return give_up("this line is not a JSON object");
    if (error) throw simdjson::simdjson_error(error);
    LineReader(into, parts_->checker).read(object);
    if (!document.current_location().error()) {
      return give_up("more than one JSON object on a line");
    }
    return {};
  } catch (const Misfit& problem) {
    return give_up(problem.what);
  } catch (const simdjson::simdjson_error& error) {
    return give_up(std::string("broken JSON: ") + error.what());
  }
}

bool are_json_members(std::string_view json) {
  if (json.find('\n') != std::string_view::npos) return false;
  std::string whole = "{\"lightcone\": 1, " + std::string(json) + '}';
  const std::size_t size = whole.size();
  whole.resize(size + JsonlLineParser::padding);
  JsonlLines lines;
  return JsonlLineParser().parse(std::string_view(whole).substr(0, size), lines) &&
         lines.lines.front().extra == json;
}

}  // namespace lightcone
