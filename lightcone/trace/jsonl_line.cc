// Parsing one line with simdjson; every member is checked, also those that are only kept.
#include <lightcone/trace/jsonl_line.h>

#include <lightcone/trace/json_text.h>
#include <simdjson.h>

#include <cmath>

namespace lightcone {
namespace ondemand = simdjson::ondemand;

void JsonlLine::clear() {
  processes.clear();
  process = {};
  messages.clear();
  sends.reset();
  to.clear();
  labels.clear();
  variables.clear();
  time.reset();
  text.reset();
  source.reset();
  duplicate = false;
  extra.clear();
}

const std::size_t JsonlLineParser::padding = simdjson::SIMDJSON_PADDING;

struct JsonlLineParser::Parts {
  ondemand::parser parser;
  simdjson::dom::parser checker;  // for members that are kept but not understood
};

namespace {

enum Member : std::uint32_t {
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

[[nodiscard]] Member member_named(std::string_view key) {
  const auto is = [&](std::string_view name, Member member) {
    return key == name ? member : Member::unknown;
  };
  switch (key.size()) {
    case 2: return is("to", Member::to);
    case 4:
      if (key[0] == 'k') return is("kind", Member::kind);
      if (key[0] == 'v') return is("vars", Member::vars);
      return key[1] == 'i' ? is("time", Member::time) : is("text", Member::text);
    case 5: return is("sends", Member::sends);
    case 6: return key[0] == 'l' ? is("labels", Member::labels) : is("source", Member::source);
    case 7: return key[0] == 'p' ? is("process", Member::process) : is("message", Member::message);
    case 9:
      if (key[0] == 'p') return is("processes", Member::processes);
      return key[0] == 'l' ? is("lightcone", Member::lightcone)
                           : is("duplicate", Member::duplicate);
    default: return Member::unknown;
  }
}

/// A member whose value is not what it should be.
struct Misfit {
  std::string what;
};

/// Stops the parsing of a line; turned into an Error before it leaves this file.
[[noreturn]] void misfit(std::string what) { throw Misfit{std::move(what)}; }

[[nodiscard]] std::string_view string_of(ondemand::value value, const char* member) {
  std::string_view text;
  const simdjson::error_code error = value.get_string().get(text);
  if (error == simdjson::INCORRECT_TYPE) misfit(std::string(member) + " must be a string");
  if (error) throw simdjson::simdjson_error(error);
  return text;
}

void strings_of(ondemand::value value, const char* member, std::vector<std::string_view>& into) {
  ondemand::array array;
  const simdjson::error_code error = value.get_array().get(array);
  if (error == simdjson::INCORRECT_TYPE) {
    misfit(std::string(member) + " must be a list of strings");
  }
  if (error) throw simdjson::simdjson_error(error);
  for (auto element : array) into.push_back(string_of(element.value(), member));
}

void string_or_strings_of(ondemand::value value, const char* member,
                          std::vector<std::string_view>& into) {
  if (value.type() == ondemand::json_type::array) {
    strings_of(value, member, into);
  } else {
    into.push_back(string_of(value, member));
  }
}

[[nodiscard]] JsonlLine::Kind kind_of(ondemand::value value) {
  const std::string_view kind = string_of(value, "kind");
  if (kind == "internal") return JsonlLine::Kind::internal;
  if (kind == "send") return JsonlLine::Kind::send;
  if (kind == "receive") return JsonlLine::Kind::receive;
  if (kind == "init") return JsonlLine::Kind::initial;
  misfit("unknown kind \"" + std::string(kind) + "\": it is init, internal, send or receive");
}

[[nodiscard]] ondemand::number number_of(ondemand::value value, std::string_view what) {
  ondemand::number number;
  if (value.get_number().get(number)) {
    misfit(std::string(what) + " is not a number that fits 64 bits");
  }
  return number;
}

[[nodiscard]] JsonlLine::Variable variable_of(ondemand::field field) {
  JsonlLine::Variable variable{field.unescaped_key(), false};
  ondemand::value value = field.value();
  switch (value.type()) {
    case ondemand::json_type::boolean: variable.value = bool(value.get_bool()); break;
    case ondemand::json_type::string: variable.value = value.get_string().value(); break;
    case ondemand::json_type::number: {
      const ondemand::number number =
          number_of(value, "variable " + std::string(variable.name));
      if (number.is_int64()) {
        variable.value = number.get_int64();
      } else if (number.is_double()) {
        variable.value = number.get_double();
      } else {
        misfit("variable " + std::string(variable.name) +
               " is an integer of more than 63 bits: write it as a real or a string");
      }
      break;
    }
    default:
      misfit("variable " + std::string(variable.name) +
             " must be a boolean, a number or a string");
  }
  return variable;
}

void variables_of(ondemand::value value, std::vector<JsonlLine::Variable>& into) {
  ondemand::object object;
  const simdjson::error_code error = value.get_object().get(object);
  if (error == simdjson::INCORRECT_TYPE) misfit("vars must be an object");
  if (error) throw simdjson::simdjson_error(error);
  for (ondemand::field field : object) into.push_back(variable_of(field));
}

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

/// Takes one line apart and says what is missing or too much.
class LineReader {
 public:
  LineReader(JsonlLine& line, simdjson::dom::parser& checker) : line_(line), checker_(checker) {}

  void read(ondemand::object object) {
    line_.clear();
    line_.kind = JsonlLine::Kind::internal;
    for (ondemand::field field : object) read_member(field);
    if (has(Member::lightcone)) {
      line_.kind = JsonlLine::Kind::header;
    } else {
      check_event();
    }
  }

 private:
  [[nodiscard]] bool has(std::uint32_t member) const { return (seen_ & member) != 0; }

  void read_member(ondemand::field field) {
    const std::string_view key = field.unescaped_key();
    const Member member = member_named(key);
    ondemand::value value = field.value();
    if (has(member)) misfit(std::string(key) + " is said twice");
    seen_ |= member;
    switch (member) {
      case Member::process: line_.process = string_of(value, "process"); break;
      case Member::kind: line_.kind = kind_of(value); break;
      case Member::message: string_or_strings_of(value, "message", line_.messages); break;
      case Member::sends: line_.sends = string_of(value, "sends"); break;
      case Member::to: string_or_strings_of(value, "to", line_.to); break;
      case Member::labels: strings_of(value, "labels", line_.labels); break;
      case Member::vars: variables_of(value, line_.variables); break;
      case Member::time: line_.time = number_of(value, "time").as_double(); break;
      case Member::text: line_.text = string_of(value, "text"); break;
      case Member::source: line_.source = string_of(value, "source"); break;
      case Member::duplicate: line_.duplicate = boolean_of(value, "duplicate"); break;
      case Member::lightcone: check_version(value); break;
      case Member::processes: strings_of(value, "processes", line_.processes); break;
      case Member::unknown: keep(key, value); break;
    }
  }

  void keep(std::string_view key, ondemand::value value) {
    const std::string_view json = simdjson::to_json_string(value).value();
    simdjson::dom::element checked;
    if (const auto error = checker_.parse(json.data(), json.size()).get(checked)) {
      throw simdjson::simdjson_error(error);
    }
    if (!line_.extra.empty()) line_.extra += ", ";
    line_.extra += json_string(key);
    line_.extra += ": ";
    line_.extra += json;
  }

  void check_event() const {
    using enum JsonlLine::Kind;
    if (!has(Member::process)) misfit("process is missing");
    if (!has(Member::kind)) misfit("kind is missing");
    const bool communicates = line_.kind == send || line_.kind == receive;
    if (communicates && line_.messages.empty()) {
      misfit(line_.kind == send ? "a send needs a message" : "a receive needs a message");
    }
    if (!communicates && has(Member::message)) {
      misfit("only a send or a receive has a message");
    }
    if (line_.kind == send && line_.messages.size() > 1) {
      misfit("a send has one message; it may have several receivers");
    }
    if (line_.sends && (line_.kind == send || line_.kind == initial)) {
      misfit("sends is for an event that is not a send itself");
    }
  }

  JsonlLine& line_;
  simdjson::dom::parser& checker_;
  std::uint32_t seen_ = 0;
};

}  // namespace

JsonlLineParser::JsonlLineParser() : parts_(std::make_unique<Parts>()) {}
JsonlLineParser::~JsonlLineParser() = default;

Expected<void> JsonlLineParser::parse(std::string_view line, JsonlLine& into) {
  try {
    const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + padding);
    ondemand::document document = parts_->parser.iterate(padded);
    ondemand::object object;
    const simdjson::error_code error = document.get_object().get(object);
    if (error == simdjson::INCORRECT_TYPE) return failure("this line is not a JSON object");
    if (error) throw simdjson::simdjson_error(error);
    LineReader(into, parts_->checker).read(object);
    if (!document.current_location().error()) return failure("more than one JSON object on a line");
    return {};
  } catch (const Misfit& problem) {
    return failure(problem.what);
  } catch (const simdjson::simdjson_error& error) {
    return failure(std::string("broken JSON: ") + error.what());
  }
}

bool are_json_members(std::string_view json) {
  if (json.find('\n') != std::string_view::npos) return false;
  std::string whole = "{\"lightcone\": 1, " + std::string(json) + '}';
  const std::size_t size = whole.size();
  whole.resize(size + JsonlLineParser::padding);
  JsonlLine line;
  return JsonlLineParser().parse(std::string_view(whole).substr(0, size), line) &&
         line.extra == json;
}

}  // namespace lightcone
