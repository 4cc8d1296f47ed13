// Parsing lines with simdjson: all at once as one array, or, if they are not that regular, each
// alone.
#include <lightcone/trace/jsonl/jsonl_parser.h>

#include <lightcone/base/json_text.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <unordered_set>
#include <utility>

namespace lightcone {
namespace dom = simdjson::dom;

void JsonlLines::clear() {
  lines.clear();
  strings.clear();
  variables.clear();
  texts.clear();
  kept.reset();
  null_values = 0;
  null_times = 0;
  error.reset();
}

const std::size_t JsonlParser::room_after = simdjson::SIMDJSON_PADDING + 1;

struct JsonlParser::Parts {
  dom::parser parser;
  std::vector<std::size_t> line_ends;  // where the text had its newlines
  std::size_t room = SIZE_MAX;         // the longest text that the buffer for strings is made for

  /// As many as simdjson needs for the strings of a text.
  [[nodiscard]] static std::size_t string_bytes(std::size_t text) {
    constexpr std::size_t rounding = 64;
    return 5 * text / 3 + simdjson::SIMDJSON_PADDING + rounding;
  }
  /// The buffer for strings may have been handed over: the next one fits the text. All else stays.
  void make_room(std::size_t text) {
    if (room >= text) return;
    if (text > parser.doc.capacity()) return begin_anew();
    parser.doc.string_buf = std::make_unique_for_overwrite<std::uint8_t[]>(string_bytes(text));
    room = text;
  }
  void begin_anew() {
    parser.doc = dom::document();
    room = SIZE_MAX;
  }
};

JsonlParser::JsonlParser() : parts_(std::make_unique<Parts>()) {}
JsonlParser::~JsonlParser() = default;
JsonlParser::JsonlParser(JsonlParser&&) noexcept = default;
JsonlParser& JsonlParser::operator=(JsonlParser&&) noexcept = default;

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
  digest = 1U << 13,
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
    case 6:
      if (key[0] == 'd') return is("digest", Member::digest);
      return key[0] == 'l' ? is("labels", Member::labels) : is("source", Member::source);
    case 7: return key[0] == 'p' ? is("process", Member::process) : is("message", Member::message);
    case 9:
      if (key[0] == 'p') return is("processes", Member::processes);
      return key[0] == 'l' ? is("lightcone", Member::lightcone)
                           : is("duplicate", Member::duplicate);
    default: return Member::unknown;
  }
}

/// Sixteen digits, not all of them 0.
[[nodiscard]] std::optional<std::uint64_t> digest_in(std::string_view text) {
  std::uint64_t digest = 0;
  const char* const end = text.data() + text.size();
  const bool are_digits = text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (text.size() != 16 || !are_digits) return std::nullopt;
  if (std::from_chars(text.data(), end, digest, 16).ptr != end || digest == 0) return std::nullopt;
  return digest;
}

/// What is wrong with a member; thrown, and turned into an Error before it leaves this file.
struct Misfit {
  std::string what;
};
[[noreturn]] void misfit(std::string what) { throw Misfit{std::move(what)}; }

/// The lines are not one object each; parse each alone to find out.
struct Irregular {};

/// Whether the views of a document outlive the reading of a line.
enum class Strings { stay, go };

/// Takes one line apart and says what is missing or too much.
class LineReader {
 public:
  LineReader(JsonlLines& lines, Strings strings)
      : lines_(lines), line_(lines.lines.emplace_back()), strings_(strings) {}

  void read(dom::element element, std::uint64_t number) {
    dom::object object;
    if (element.get(object)) misfit("this line is not a JSON object");
    line_.number = number;
    for (const dom::key_value_pair member : object) read_member(member.key, member.value);
    if (has(Member::lightcone)) {
      line_.kind = JsonlLine::Kind::header;
    } else {
      check_event();
    }
  }

 private:
  [[nodiscard]] bool has(std::uint32_t member) const { return (seen_ & member) != 0; }

  void read_member(std::string_view key, dom::element value) {
    const Member member = member_named(key);
    if (has(member)) misfit(std::string(key) + " occurs twice");
    seen_ |= member;
    switch (member) {
      case Member::process: line_.process = string_of(value, "process"); break;
      case Member::kind: line_.kind = kind_of(value); break;
      case Member::message: line_.messages = string_or_strings_of(value, "message"); break;
      case Member::sends: line_.sends = string_of(value, "sends"); break;
      case Member::to: line_.to = string_or_strings_of(value, "to"); break;
      case Member::labels: line_.labels = strings_of(value, "labels"); break;
      case Member::vars: line_.variables = variables_of(value); break;
      case Member::time: line_.time = time_of(value); break;
      case Member::text: line_.text = string_of(value, "text"); break;
      case Member::source: line_.source = string_of(value, "source"); break;
      case Member::duplicate: line_.duplicate = boolean_of(value); break;
      case Member::lightcone: check_version(value); break;
      case Member::processes: line_.processes = strings_of(value, "processes"); break;
      case Member::digest: line_.digest = digest_of(value); break;
      case Member::unknown: throw Irregular{};  // its text is wanted, see MemberSplitter
    }
  }

  [[nodiscard]] std::string_view kept(std::string_view text) {
    return strings_ == Strings::stay ? text : lines_.texts.emplace_back(text);
  }

  [[nodiscard]] std::string_view string_of(dom::element value, const char* member) {
    std::string_view text;
    if (value.get(text)) misfit(std::string(member) + " must be a string");
    return kept(text);
  }

  [[nodiscard]] JsonlLine::Range strings_of(dom::element value, const char* member) {
    dom::array array;
    if (value.get(array)) misfit(std::string(member) + " must be a list of strings");
    const std::uint32_t begin = strings_end();
    for (const dom::element element : array) {
      lines_.strings.push_back(string_of(element, member));
    }
    return {begin, strings_end()};
  }

  [[nodiscard]] JsonlLine::Range string_or_strings_of(dom::element value, const char* member) {
    if (value.is_array()) return strings_of(value, member);
    lines_.strings.push_back(string_of(value, member));
    return {strings_end() - 1, strings_end()};
  }

  [[nodiscard]] std::uint32_t strings_end() const {
    return static_cast<std::uint32_t>(lines_.strings.size());
  }

  [[nodiscard]] JsonlLine::Kind kind_of(dom::element value) {
    const std::string_view kind = string_of(value, "kind");
    if (kind == "internal") return JsonlLine::Kind::internal;
    if (kind == "send") return JsonlLine::Kind::send;
    if (kind == "receive") return JsonlLine::Kind::receive;
    if (kind == "init") return JsonlLine::Kind::initial;
    misfit("unknown kind \"" + std::string(kind) + "\": it is init, internal, send or receive");
  }

  [[nodiscard]] std::optional<double> time_of(dom::element value) {
    if (value.is_null()) {
      ++lines_.null_times;
      return std::nullopt;
    }
    double seconds = 0;
    if (value.get(seconds)) misfit("time must be a number");
    return seconds;
  }

  /// A member of this name that is no digest is kept as one that is not known.
  [[nodiscard]] static std::uint64_t digest_of(dom::element value) {
    std::string_view text;
    const auto digest = value.get(text) ? std::nullopt : digest_in(text);
    if (!digest) throw Irregular{};
    return *digest;
  }

  [[nodiscard]] static bool boolean_of(dom::element value) {
    bool truth = false;
    if (value.get(truth)) misfit("duplicate must be true or false");
    return truth;
  }

  static void check_version(dom::element value) {
    std::int64_t version = 0;
    if (value.get(version) || version < 1 || version > 2) {
      misfit("this is not version 1 or 2 of the trace format, which this Lightcone reads");
    }
  }

  [[nodiscard]] JsonlLine::Range variables_of(dom::element value) {
    dom::object object;
    if (value.get(object)) misfit("vars must be an object");
    const auto begin = static_cast<std::uint32_t>(lines_.variables.size());
    for (const dom::key_value_pair member : object) {
      lines_.variables.push_back({kept(member.key), value_of(member.value, member.key)});
    }
    check_that_none_is_twice(std::span(lines_.variables).subspan(begin));
    return {begin, static_cast<std::uint32_t>(lines_.variables.size())};
  }

  static void check_that_none_is_twice(std::span<const JsonlLines::Variable> variables) {
    constexpr std::size_t few = 8;  // to compare each with each
    const auto twice = [](std::string_view name) {
      misfit("variable " + std::string(name) + " occurs twice");
    };
    if (variables.size() <= few) {
      for (std::size_t i = 1; i < variables.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (variables[i].name == variables[j].name) twice(variables[i].name);
        }
      }
      return;
    }
    std::unordered_set<std::string_view> names;
    for (const JsonlLines::Variable& variable : variables) {
      if (!names.insert(variable.name).second) twice(variable.name);
    }
  }

  /// `{"real": "NaN"}` and the like.
  [[nodiscard]] static std::optional<double> unusual_real_of(dom::element value) {
    std::string_view real;
    if (value.get_object().size() != 1 || value["real"].get(real)) return std::nullopt;
    if (real == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (real == "Infinity") return std::numeric_limits<double>::infinity();
    if (real == "-Infinity") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
  }

  [[nodiscard]] decltype(JsonlLines::Variable::value) value_of(dom::element value,
                                                               std::string_view name) {
    switch (value.type()) {
      case dom::element_type::BOOL: return value.get_bool().value_unsafe();
      case dom::element_type::INT64: return value.get_int64().value_unsafe();
      case dom::element_type::DOUBLE: return value.get_double().value_unsafe();
      case dom::element_type::STRING: return kept(value.get_string().value_unsafe());
      case dom::element_type::UINT64:
        misfit("variable " + std::string(name) +
               " is an integer of more than 63 bits: write it as a real or a string");
      case dom::element_type::NULL_VALUE:
        ++lines_.null_values;
        return std::numeric_limits<double>::quiet_NaN();
      case dom::element_type::OBJECT:
        if (const auto real = unusual_real_of(value)) return *real;
        [[fallthrough]];
      default: misfit("variable " + std::string(name) + " must be a boolean, a number or a string");
    }
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
  Strings strings_;
  std::uint32_t seen_ = 0;
};

/// Notes what is wrong with a line.
void note(JsonlLines& lines, std::uint64_t number, std::string what) {
  lines.error = Error{std::move(what), {}, number, {}, 0, {}};
}

/// Reads a parsed line, or notes what is wrong with it.
[[nodiscard]] bool read_line(dom::element element, std::uint64_t number, Strings strings,
                             JsonlLines& into) {
  try {
    LineReader(into, strings).read(element, number);
    return true;
  } catch (const Misfit& problem) {
    into.lines.pop_back();
    note(into, number, problem.what);
    return false;
  }
}

/// Parses the text as one array, with commas for newlines: one call of simdjson, and all strings
/// stay. Throws Irregular unless each line is exactly one object of known members: then each
/// newline stands between a closing and an opening brace, and there are as many elements as lines.
/// (Only a list of objects could be cut by a newline and still look like that; no known member has
/// one.)
void parse_together(std::span<char> text, std::uint64_t first_line, dom::parser& parser,
                    std::vector<std::size_t>& line_ends, JsonlLines& into) {
  const std::string_view all(text.data(), text.size());
  const std::size_t end = all.find_last_not_of(" \t\r\n") + 1;
  for (std::size_t at = all.find('\n'); at < end; at = all.find('\n', at + 1)) {
    const std::size_t before = all.find_last_not_of(" \t\r", at == 0 ? 0 : at - 1);
    if (before == std::string_view::npos || all[before] != '}' || all[at + 1] != '{') {
      throw Irregular{};
    }
    line_ends.push_back(at);
  }
  for (const std::size_t at : line_ends) text[at] = ',';
  *(text.data() - 1) = '[';
  const char after = text.data()[end];
  text.data()[end] = ']';
  dom::array array;
  const simdjson::error_code error = parser.parse(text.data() - 1, end + 2, false).get(array);
  text.data()[end] = after;
  if (error || array.size() != line_ends.size() + 1) throw Irregular{};
  for (const dom::element element : array) {
    if (!read_line(element, first_line++, Strings::stay, into)) return;
  }
}

/// The members of one line: those that Lightcone knows, as an object, and the others, as text.
struct Members {
  std::string known;
  std::string unknown;
};

/// Returns whether this is JSON. What simdjson has found to be one token, and is plain, is told
/// apart fast.
[[nodiscard]] bool is_json_value(std::string_view json) {
  if (json == "true" || json == "false" || json == "null") return true;
  const bool is_string = json.size() >= 2 && json.front() == '"' && json.back() == '"';
  if (is_string && json.find('\\') == std::string_view::npos) return true;
  // A number of any size is fine in what is only kept; simdjson has none of more than 64 bits.
  return is_json(json);
}

/// A string that is a digest, as JSON text.
[[nodiscard]] bool is_digest(std::string_view json) {
  return json.size() == 18 && json.front() == '"' && digest_in(json.substr(1, 16)).has_value();
}

[[nodiscard]] bool is_plain(std::string_view key) {
  return std::ranges::all_of(key,
                             [](unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; });
}

void append_member(std::string& to, std::string_view key, std::string_view json) {
  if (to.size() > 1) to += ", ";  // more than the opening brace, if any
  if (is_plain(key)) {
    to += '"';
    to += key;
    to += '"';
  } else {
    to += json_string(key);
  }
  to += ": ";
  to += json;
}

/// Splits lines without parsing the values. Memory is kept from line to line.
class MemberSplitter {
 public:
  /// Throws simdjson_error, or Misfit, where that already fails.
  [[nodiscard]] const Members& split(std::string_view line) {
    text_.assign(line);
    text_.resize(line.size() + simdjson::SIMDJSON_PADDING);
    members_.known = "{";
    members_.unknown.clear();
    simdjson::ondemand::document document =
        parser_.iterate(simdjson::padded_string_view(text_.data(), line.size(), text_.size()));
    for (simdjson::ondemand::field field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      const Member member = member_named(key);
      key_.assign(key);
      const std::string_view json = simdjson::to_json_string(field.value()).value();
      const bool is_known = member == Member::digest ? is_digest(json) : member != Member::unknown;
      if (!is_known && !is_json_value(json)) throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
      append_member(is_known ? members_.known : members_.unknown, key_, json);
    }
    if (!document.current_location().error()) misfit("more than one JSON object on a line");
    members_.known += '}';
    return members_;
  }

 private:
  simdjson::ondemand::parser parser_;
  std::string text_;
  std::string key_;
  Members members_;
};

/// Parses each line for itself, and keeps unknown members. Strings are copied, since a document
/// goes when the next comes.
void parse_each(std::string_view text, std::uint64_t first_line, dom::parser& parser,
                JsonlLines& into) {
  MemberSplitter splitter;
  for (std::uint64_t number = first_line; !text.empty() && !into.error; ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    if (line[begin] != '{') return note(into, number, "this line is not a JSON object");
    try {
      const Members& members = splitter.split(line);
      const dom::element known = parser.parse(members.known);
      if (!read_line(known, number, Strings::go, into) || members.unknown.empty()) continue;
      into.lines.back().extra = into.texts.emplace_back(members.unknown);
    } catch (const Misfit& problem) {
      note(into, number, problem.what);
    } catch (const simdjson::simdjson_error& problem) {
      const bool number_error = problem.error() == simdjson::NUMBER_ERROR;
      note(into, number,
           number_error ? "a number is malformed, or does not fit 64 bits"
                        : std::string("broken JSON: ") + problem.what());
    }
  }
}

}  // namespace

std::uint64_t JsonlParser::parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into) {
  into.clear();
  std::vector<std::size_t>& line_ends = parts_->line_ends;
  line_ends.clear();
  const auto newlines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  into.lines.reserve(newlines + 1);
  const bool last_is_open = !text.empty() && text.back() != '\n';
  constexpr std::size_t brackets = 2;
  parts_->make_room(text.size() + brackets);
  try {
    parse_together(text, first_line, parts_->parser, line_ends, into);
  } catch (const Irregular&) {
    into.clear();
    if (parts_->room != SIZE_MAX) parts_->begin_anew();
    for (const std::size_t at : line_ends) text[at] = '\n';
    parse_each({text.data(), text.size()}, first_line, parts_->parser, into);
  }
  return newlines + (last_is_open ? 1 : 0);
}

std::size_t JsonlParser::hand_over(JsonlLines& to) {
  dom::document& document = parts_->parser.doc;
  if (!to.texts.empty() || document.string_buf == nullptr) return 0;  // they are copies
  const std::size_t bytes = Parts::string_bytes(std::min(parts_->room, document.capacity()));
  to.kept = std::exchange(document.string_buf, nullptr);
  parts_->room = 0;
  return bytes;
}

bool are_json_members(std::string_view json) {
  if (json.find('\n') != std::string_view::npos) return false;
  std::string whole = "{\"lightcone\": 1, " + std::string(json) + '}';
  JsonlLines lines;
  dom::parser parser;
  parse_each(whole, 1, parser, lines);
  return !lines.error && lines.lines.front().extra == json;
}

}  // namespace lightcone
