// Reads mapping files: one setting or one condition per line.
#include <lightcone/trace/map/line_map.h>

#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/base/spelling.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t largest_map = 1 << 20;
constexpr std::size_t most_blocks = 1000;

const std::vector<std::string> setting_names{"process", "kind", "message", "to",     "labels",
                                             "vars",    "time", "text",    "source", "lines"};

struct MapToken {
  enum class Kind : std::uint8_t { word, pointer, text, sign, end };
  Kind kind = Kind::end;
  std::string text;  // without quotes
  std::size_t column = 0;
};

/// What is wrong with a line of a map; thrown, and turned into an Error before it leaves this file.
struct MapProblem {
  std::string what;
  std::size_t column = 0;
  std::string hint = {};
};

/// The words of one line.
class MapTokens {
 public:
  explicit MapTokens(std::string_view line) : line_(line) { advance(); }

  [[nodiscard]] const MapToken& next() const { return next_; }
  MapToken take() {
    MapToken taken = std::move(next_);
    advance();
    return taken;
  }
  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return next_.kind == MapToken::Kind::sign && next_.text == sign;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return next_.kind == MapToken::Kind::word && next_.text == word;
  }
  [[nodiscard]] bool take_sign(std::string_view sign) {
    const bool is_next = is_sign(sign);
    if (is_next) advance();
    return is_next;
  }
  [[nodiscard]] bool take_word(std::string_view word) {
    const bool is_next = is_word(word);
    if (is_next) advance();
    return is_next;
  }
  [[nodiscard]] bool at_end() const { return next_.kind == MapToken::Kind::end; }
  void expect_end() const {
    if (!at_end()) throw MapProblem{"nothing more is expected here", next_.column};
  }

 private:
  static constexpr std::string_view blank = " \t\r";
  static constexpr std::string_view ends_word = " \t\r,=!\"#";

  void advance() {
    at_ = std::min(line_.find_first_not_of(blank, at_), line_.size());
    next_ = {MapToken::Kind::end, {}, at_ + 1};
    if (at_ == line_.size() || line_[at_] == '#') {
      at_ = line_.size();
    } else if (line_[at_] == '"') {
      take_quoted();
    } else if (const std::string_view sign = sign_here(); !sign.empty()) {
      next_ = {MapToken::Kind::sign, std::string(sign), at_ + 1};
      at_ += sign.size();
    } else {
      const std::size_t end = std::min(line_.find_first_of(ends_word, at_), line_.size());
      const bool is_pointer = line_[at_] == '/';
      next_ = {is_pointer ? MapToken::Kind::pointer : MapToken::Kind::word,
               std::string(line_.substr(at_, end - at_)), at_ + 1};
      if (end == at_) throw MapProblem{"this sign means nothing here", at_ + 1};
      at_ = end;
    }
  }

  [[nodiscard]] std::string_view sign_here() const {
    for (const std::string_view sign : {"==", "!=", "=~", "=", ",", "*"}) {
      if (line_.substr(at_).starts_with(sign)) return sign;
    }
    return {};
  }

  /// A string as JSON writes it. A backslash before another letter stays, for expressions.
  void take_quoted() {
    const std::size_t begin = at_;
    std::string text;
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      const bool escapes = line_[at_] == '\\' && at_ + 1 < line_.size();
      if (escapes && (line_[at_ + 1] == '"' || line_[at_ + 1] == '\\')) {
        // In an expression `\\` is a backslash, too; only the quote loses its escape.
        if (line_[at_ + 1] == '\\') text += '\\';
        ++at_;
      }
      text += line_[at_];
    }
    if (at_ >= line_.size()) throw MapProblem{"this text has no closing quote", begin + 1};
    ++at_;
    next_ = {MapToken::Kind::text, std::move(text), begin + 1};
  }

  std::string_view line_;
  std::size_t at_ = 0;
  MapToken next_;
};

/// Reads the lines of a map.
class MapParser {
 public:
  explicit MapParser(const std::string& file) { map_.file = file; }

  void read_line(std::string_view text, std::uint64_t line) {
    MapTokens tokens(text);
    if (tokens.at_end()) return;
    line_ = line;
    const MapToken first = tokens.take();
    if (first.kind != MapToken::Kind::word) {
      throw MapProblem{"a line begins with the name of a setting, or with `when`", first.column};
    }
    if (first.text == "when" && !tokens.is_sign("=")) return read_when(tokens);
    if (!tokens.take_sign("=")) {
      throw MapProblem{"`=` is missing after " + first.text, tokens.next().column};
    }
    read_setting(first, tokens);
    tokens.expect_end();
  }

  [[nodiscard]] LineMap finish() {
    if (!map_.settings.process && std::ranges::none_of(map_.blocks, [](const auto& b) {
          return b.settings.process.has_value();
        })) {
      throw MapProblem{"nothing says where the process is", 0, "add a line `process = MEMBER`"};
    }
    return std::move(map_);
  }

 private:
  [[nodiscard]] MapSettings& settings() {
    return map_.blocks.empty() ? map_.settings : map_.blocks.back().settings;
  }

  void read_setting(const MapToken& name, MapTokens& tokens) {
    MapSettings& all = settings();
    if (name.text == "labels") return read_labels(tokens, all);
    if (name.text == "vars") return read_variables(tokens, all);
    if (name.text == "lines") return read_lines_setting(tokens);
    const std::array singles{std::pair("process", &all.process), std::pair("kind", &all.kind),
                             std::pair("message", &all.message), std::pair("to", &all.to),
                             std::pair("time", &all.time),       std::pair("text", &all.text),
                             std::pair("source", &all.source)};
    const auto* const found = std::ranges::find_if(
        singles, [&](const auto& single) { return name.text == single.first; });
    if (found == singles.end()) {
      throw MapProblem{"there is no setting `" + name.text + "`", name.column,
                       did_you_mean(name.text, setting_names)};
    }
    if (*found->second) throw MapProblem{name.text + " is set twice", name.column};
    *found->second = read_template(tokens);
    if (name.text == "time" && tokens.take_word("in")) all.time_decimals = read_unit(tokens);
    if (name.text == "kind") check_kind(**found->second);
  }

  static void check_kind(const MapTemplate& kind) {
    if (kind.parts.size() != 1 || kind.parts[0].of != MapPlace::Of::literal) return;
    const std::string& word = kind.parts[0].text;
    for (const char* known : {"send", "receive", "internal", "init", "none"}) {
      if (word == known) return;
    }
    throw MapProblem{"unknown kind \"" + word + "\"", 0,
                     "it is send, receive, internal, init, or none for a line that is no event"};
  }

  [[nodiscard]] static int read_unit(MapTokens& tokens) {
    constexpr std::array units{std::pair("s", 0), std::pair("ms", 3), std::pair("us", 6),
                               std::pair("ns", 9)};
    for (const auto& [name, decimals] : units) {
      if (tokens.take_word(name)) return decimals;
    }
    throw MapProblem{"a unit of time is s, ms, us or ns", tokens.next().column};
  }

  void read_labels(MapTokens& tokens, MapSettings& all) {
    do all.labels.push_back(read_template(tokens));
    while (tokens.take_sign(","));
  }

  void read_variables(MapTokens& tokens, MapSettings& all) {
    do {
      if (tokens.take_sign("*")) {
        all.all_variables = true;
        continue;
      }
      const MapToken name = tokens.next();
      MapTemplate value = read_template(tokens);
      if (tokens.take_sign("=")) {
        value = read_template(tokens);
      } else if (value.parts.size() != 1 || name.kind == MapToken::Kind::text) {
        throw MapProblem{"this variable has no name", name.column,
                         "a variable is a member, or NAME = what it is"};
      }
      const bool is_pointer = name.kind == MapToken::Kind::pointer;
      all.variables.push_back(
          {is_pointer ? name.text.substr(name.text.rfind('/') + 1) : name.text, std::move(value)});
    } while (tokens.take_sign(","));
  }

  void read_lines_setting(MapTokens& tokens) {
    const MapToken value = tokens.take();
    if (value.text != "skip" || !map_.blocks.empty()) {
      throw MapProblem{"the only such setting is `lines = skip`, before the first `when`",
                       value.column, "then lines that are not JSON objects are skipped"};
    }
    map_.skips_other_lines = true;
  }

  [[nodiscard]] MapTemplate read_template(MapTokens& tokens) {
    MapTemplate made;
    made.line = line_;
    while (is_place(tokens.next()) && !(tokens.is_word("in") && !made.parts.empty())) {
      made.parts.push_back(read_place(tokens));
    }
    if (made.parts.empty()) {
      throw MapProblem{"a member, a JSON pointer or a text in quotes is expected here",
                       tokens.next().column};
    }
    return made;
  }

  [[nodiscard]] static bool is_place(const MapToken& token) {
    return token.kind == MapToken::Kind::word || token.kind == MapToken::Kind::pointer ||
           token.kind == MapToken::Kind::text;
  }

  [[nodiscard]] MapPlace read_place(MapTokens& tokens) const {
    MapToken token = tokens.take();
    switch (token.kind) {
      case MapToken::Kind::text: return {MapPlace::Of::literal, std::move(token.text)};
      case MapToken::Kind::pointer: return {MapPlace::Of::pointer, std::move(token.text)};
      case MapToken::Kind::word: break;
      default:
        throw MapProblem{"a member, a JSON pointer or a text in quotes is expected here",
                         token.column};
    }
    if (const RegularExpression* expression = expression_of_block()) {
      if (const auto group = expression->group(token.text)) {
        return {MapPlace::Of::group, std::move(token.text), *group};
      }
    }
    return {MapPlace::Of::member, std::move(token.text)};
  }

  /// The expression whose groups the settings of the block may name.
  [[nodiscard]] const RegularExpression* expression_of_block() const {
    if (map_.blocks.empty()) return nullptr;
    for (const MapCondition& condition : map_.blocks.back().conditions) {
      if (condition.test == MapCondition::Test::matches) {
        return &map_.expressions[condition.expression];
      }
    }
    return nullptr;
  }

  void read_when(MapTokens& tokens) {
    if (map_.blocks.size() == most_blocks) throw MapProblem{"more than 1,000 blocks", 0};
    std::vector<MapCondition> conditions;
    map_.blocks.emplace_back();  // conditions do not see the groups of the block before
    do conditions.push_back(read_condition(tokens));
    while (tokens.take_word("and"));
    tokens.expect_end();
    const auto is_match = [](const auto& c) { return c.test == MapCondition::Test::matches; };
    if (std::ranges::count_if(conditions, is_match) > 1) {
      throw MapProblem{"a block has at most one expression", 0};
    }
    map_.blocks.back().conditions = std::move(conditions);
  }

  [[nodiscard]] MapCondition read_condition(MapTokens& tokens) {
    MapCondition condition;
    const bool negates = tokens.take_word("not");
    const std::size_t column = tokens.next().column;
    condition.place = read_place(tokens);
    if (condition.place.of == MapPlace::Of::literal) {
      throw MapProblem{"a condition begins with a member or a JSON pointer", column};
    }
    if (negates) {
      condition.test = MapCondition::Test::absent;
      return condition;
    }
    if (tokens.at_end() || tokens.is_word("and")) return condition;
    if (tokens.take_sign("=="))
      condition.test = MapCondition::Test::equal;
    else if (tokens.take_sign("!="))
      condition.test = MapCondition::Test::unequal;
    else if (tokens.take_sign("=~"))
      condition.test = MapCondition::Test::matches;
    else if (tokens.take_word("contains"))
      condition.test = MapCondition::Test::contains;
    else
      throw MapProblem{"==, !=, =~ or contains is expected here", tokens.next().column};
    read_operand(tokens, condition);
    return condition;
  }

  void read_operand(MapTokens& tokens, MapCondition& condition) {
    const MapToken operand = tokens.take();
    condition.is_text = operand.kind == MapToken::Kind::text;
    condition.operand = operand.text;
    const bool needs_text = condition.test == MapCondition::Test::matches ||
                            condition.test == MapCondition::Test::contains;
    const bool is_scalar = condition.is_text || (!needs_text && is_number_or_truth(operand.text));
    if (!is_scalar) {
      throw MapProblem{needs_text ? "a text in quotes is expected here"
                                  : "a text in quotes, a number, true or false is expected here",
                       operand.column};
    }
    if (condition.test != MapCondition::Test::matches) return;
    auto expression = RegularExpression::compile(operand.text);
    if (!expression) throw MapProblem{expression.error().what, operand.column};
    condition.expression = map_.expressions.size();
    map_.expressions.push_back(std::move(*expression));
  }

  [[nodiscard]] static bool is_number_or_truth(const std::string& text) {
    if (text == "true" || text == "false") return true;
    const bool may_be_number =
        !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string::npos;
    return may_be_number && Json::parse(text).has_value();
  }

  LineMap map_;
  std::uint64_t line_ = 0;
};

}  // namespace

Expected<LineMap> LineMap::parse(std::string_view text, const std::string& file) {
  if (text.size() > largest_map) return failure("a mapping file of more than 1 MiB", file);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  MapParser parser(file);
  std::uint64_t number = 0;
  std::string_view line;
  try {
    for (std::string_view rest = text; !rest.empty();) {
      line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      ++number;
      parser.read_line(line, number);
    }
    number = 0;
    return parser.finish();
  } catch (MapProblem& problem) {
    return failure(Error{std::move(problem.what), file, number, std::move(problem.hint),
                         problem.column, problem.column == 0 ? std::string() : std::string(line)});
  }
}

Expected<LineMap> LineMap::read(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return failure(std::move(file.error()));
  if (file->size() > largest_map) return failure("a mapping file of more than 1 MiB", path);
  const auto text = file->read_all();
  if (!text) return failure(text.error());
  return parse(*text, path);
}

}  // namespace lightcone
