// Splits a property file into statements, and parses them.
#include <lightcone/property/language/parser.h>

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/property/language/parser_parts.h>

#include <algorithm>
#include <array>

namespace lightcone {
namespace {

constexpr std::size_t most_statements = 10'000;  // of a kind

constexpr std::array<std::string_view, 4> verbs{"forbid", "expect", "require", "watch"};

[[nodiscard]] std::optional<Verb> verb_named(std::string_view word) {
  const auto it = std::find(verbs.begin(), verbs.end(), word);
  if (it == verbs.end()) return std::nullopt;
  return static_cast<Verb>(it - verbs.begin());
}

/// Returns whether a statement begins at this token: `forbid NAME :`, `group NAME =`, `label NAME
/// =`.
[[nodiscard]] bool begins_statement(std::span<const Token> from) {
  if (from.size() < 3 || from[0].kind != Token::Kind::word || !from[1].is_name()) return false;
  if (verb_named(from[0].text)) {
    const bool is_for_each = from.size() > 5 && from[2].is_word("for") && from[3].is_word("each");
    return from[is_for_each ? 5 : 2].is_sign(":");
  }
  if (from[0].text == "clocks") return from[1].is_word("within");
  return (from[0].text == "group" || from[0].text == "label") && from[2].is_sign("=");
}

/// Returns whether something must follow this sign or word in the same statement.
[[nodiscard]] bool wants_more(const Token& token) {
  if (token.is_word("and") || token.is_word("or") || token.is_word("not")) return true;
  static constexpr std::array<std::string_view, 18> signs{
      ":",  ":=", "=",  "->", "|",   ",", "==", "!=", "<",
      "<=", ">",  ">=", "=>", "<=>", "(", "[",  "-",  "/"};
  return token.kind == Token::Kind::sign &&
         std::find(signs.begin(), signs.end(), token.text) != signs.end();
}

/// The number of tokens of the statement at the beginning. It goes on over lines that are indented
/// more than its first, inside brackets, and after what wants more.
[[nodiscard]] std::size_t statement_length(std::span<const Token> tokens) {
  int depth = 0;
  for (std::size_t i = 0;; ++i) {
    const Token& token = tokens[i];
    if (token.kind == Token::Kind::end) return i;
    if (i > 0 && token.first_on_line) {
      const bool indented = token.indent > tokens[0].indent;
      if (begins_statement(tokens.subspan(i)) && (depth == 0 || !indented)) return i;
      if (depth == 0 && !indented && !wants_more(tokens[i - 1])) return i;
    }
    if (token.is_sign("(") || token.is_sign("[") || token.is_sign("{")) ++depth;
    if (token.is_sign(")") || token.is_sign("]") || token.is_sign("}")) --depth;
  }
}

class FileParser {
 public:
  explicit FileParser(const PropertyText& text) : text_(text) {}

  [[nodiscard]] Expected<Properties> parse() {
    auto tokens = tokens_of(text_);
    if (!tokens) return failure(tokens.error());
    std::span<const Token> rest(*tokens);
    while (rest.front().kind != Token::Kind::end) {
      const std::size_t length = statement_length(rest);
      std::vector<Token> statement(rest.begin(), rest.begin() + static_cast<long>(length));
      statement.push_back(end_after(statement.back()));
      TokenReader reader(text_, statement);
      parse_statement(reader);
      if (!reader.failed() && !reader.at_end()) {
        reader.fail_expecting("the end of the statement");
      }
      if (reader.failed()) return failure(reader.error());
      rest = rest.subspan(length);
    }
    if (auto resolved = resolve_labels(); !resolved) return failure(resolved.error());
    return std::move(properties_);
  }

 private:
  [[nodiscard]] static Token end_after(const Token& last) {
    Token end;
    end.place = {last.place.line, last.place.column + last.length};
    return end;
  }

  void parse_statement(TokenReader& reader) {
    const Token& first = reader.peek();
    if (reader.take_word("group")) return parse_group(reader);
    if (reader.take_word("label")) return parse_label(reader);
    if (reader.take_word("clocks")) return parse_clocks(reader, first.place);
    if (const auto verb = verb_named(first.text); verb && first.kind == Token::Kind::word) {
      reader.take();
      return parse_property(reader, *verb);
    }
    const std::string meant = verb_for(first);
    reader.fail_expecting("group, label, clocks, forbid, expect, require or watch",
                          {"group", "label", "clocks", "forbid", "expect", "require", "watch"},
                          meant);
  }

  /// What someone who knows temporal logic may have meant.
  [[nodiscard]] static std::string verb_for(const Token& word) {
    if (word.is_word("never")) return "what must never happen is a `forbid`";
    if (word.is_word("always")) return "what must always hold is a `require`";
    if (word.is_word("eventually")) return "what must happen somewhere is an `expect`";
    return {};
  }

  /// A name that no other statement of this kind has.
  template <class Statement>
  [[nodiscard]] TextPlace take_new_name(TokenReader& reader, std::string_view what,
                                        const std::vector<Statement>& known, std::string& name) {
    const TextPlace place = reader.peek().place;
    name = reader.expect_name(fmt::format("a name for the {}", what));
    const auto other = std::find_if(known.begin(), known.end(),
                                    [&](const Statement& s) { return s.name == name; });
    if (other != known.end()) {
      reader.fail(place, fmt::format("a second {} called `{}`", what, name),
                  fmt::format("the first one is on line {}", other->place.line));
    } else if (known.size() >= most_statements) {
      reader.fail(place, fmt::format("the {}th {}", most_statements + 1, what),
                  fmt::format("a file may have {} of them", most_statements));
    }
    return place;
  }

  static void expect_after_name(TokenReader& reader, std::string_view sign, std::string_view why) {
    const Token& next = reader.peek();
    const bool is_part_of_name = next.is_sign("-") || next.is_sign(".") || next.is_sign("/");
    reader.expect_sign(sign, why,
                       is_part_of_name ? "a name of other characters than letters, digits and _ "
                                         "goes in double quotes"
                                       : "");
  }

  void parse_group(TokenReader& reader) {
    Group group;
    group.place = take_new_name(reader, "group", properties_.groups, group.name);
    expect_after_name(reader, "=", "after the name of the group");
    do {
      if (reader.peek().kind != Token::Kind::name_pattern) {
        reader.fail_expecting("a process name, or a pattern like worker-*");
      }
      group.patterns.push_back(reader.take().text);
    } while (reader.take_sign(","));
    if (!reader.at_end()) reader.fail_expecting("a comma or the end of the statement");
    properties_.groups.push_back(std::move(group));
  }

  void parse_label(TokenReader& reader) {
    DeclaredLabel label;
    label.place = take_new_name(reader, "label", properties_.labels, label.name);
    expect_after_name(reader, "=", "after the name of the label");
    label.predicate = parse_local_predicate(reader);
    properties_.labels.push_back(std::move(label));
  }

  /// `clocks within 10 ms`
  void parse_clocks(TokenReader& reader, TextPlace place) {
    if (!reader.take_word("within")) reader.fail_expecting("`within` after `clocks`", {"within"});
    const Token::Kind next = reader.peek().kind;
    if (next != Token::Kind::integer && next != Token::Kind::real) {
      reader.fail_expecting("a duration, as `10 ms`");
    }
    if (properties_.clocks_within) {
      reader.fail(place, "a second `clocks within`", "one bound holds for all processes");
    }
    properties_.clocks_within = parse_duration(reader);
  }

  void parse_property(TokenReader& reader, Verb verb) {
    Property property;
    property.verb = verb;
    property.place = take_new_name(reader, "property", properties_.properties, property.name);
    if (reader.take_word("for")) {
      if (!reader.take_word("each")) reader.fail_expecting("`each` after `for`", {"each"});
      property.each_place = reader.peek().place;
      property.each = reader.expect_name("a variable");
    }
    expect_after_name(reader, ":", "after the name of the property");
    const std::size_t begin = reader.position();
    const Token& first = reader.peek();
    if (first.is_word("some") || first.is_word("every")) {
      property.question = parse_flow(reader);
    } else if (reader.take_word("logic")) {
      property.question = parse_logic(reader);
    } else if (first.is_word("possibly") || first.is_word("definitely") ||
               first.is_word("properly")) {
      property.question = parse_global(reader);
    } else {
      reader.fail_expecting("a question: some, every, logic, possibly, definitely or properly",
                            {"some", "every", "logic", "possibly", "definitely", "properly"},
                            verb_for(first));
    }
    property.text = reader.written_since(begin);
    properties_.properties.push_back(std::move(property));
  }

  /// A name in a predicate that is a declared label means that label; only then a variable. In
  /// its own definition a label's name is a variable.
  [[nodiscard]] Expected<void> resolve_labels() {
    for (DeclaredLabel& label : properties_.labels) resolve(label.predicate, label.name);
    for (Property& property : properties_.properties) {
      if (auto* global = std::get_if<Global>(&property.question)) resolve(global->expression, {});
    }
    std::vector<std::uint8_t> visited(properties_.labels.size(), 0);
    for (std::size_t i = 0; i < visited.size(); ++i) {
      if (auto acyclic = visit(i, visited); !acyclic) return acyclic;
    }
    return {};
  }

  /// What sum, min and max take is a variable, whatever is declared: they read values.
  [[nodiscard]] static bool reads_values(const Expression& expression) {
    using Read = Expression::Aggregate;
    return expression.kind == Expression::Kind::aggregate &&
           (expression.aggregate == Read::sum || expression.aggregate == Read::min ||
            expression.aggregate == Read::max);
  }

  void resolve(Expression& expression, std::string_view within) {
    if (reads_values(expression)) return;
    const bool is_name = expression.kind == Expression::Kind::variable ||
                         expression.kind == Expression::Kind::attribute;
    if (is_name && expression.name != within && properties_.find_label(expression.name)) {
      expression.kind = Expression::Kind::label;
    }
    for (Expression& part : expression.parts) resolve(part, within);
  }

  /// Depth first; 1: on the way here, 2: known to be well founded.
  [[nodiscard]] Expected<void> visit(std::size_t label, std::vector<std::uint8_t>& visited,
                                     int depth = 0) {
    const DeclaredLabel& declared = properties_.labels[label];
    if (visited[label] == 2) return {};
    if (depth > deepest_nesting) {
      return failure(text_.error(
          declared.place,
          fmt::format("labels that read labels, more than {} levels deep", deepest_nesting)));
    }
    if (visited[label] == 1) {
      return failure(text_.error(declared.place,
                                 fmt::format("the label `{}` is defined by itself", declared.name),
                                 "labels may use each other, but not in a circle"));
    }
    visited[label] = 1;
    std::vector<const Expression*> open{&declared.predicate};
    while (!open.empty()) {
      const Expression* expression = open.back();
      open.pop_back();
      for (const Expression& part : expression->parts) open.push_back(&part);
      if (expression->kind != Expression::Kind::label) continue;
      if (auto done = visit(*properties_.find_label(expression->name), visited, depth + 1); !done) {
        return done;
      }
    }
    visited[label] = 2;
    return {};
  }

  const PropertyText& text_;
  Properties properties_;
};

}  // namespace

const Group* Properties::find_group(std::string_view name) const {
  const auto it =
      std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
  return it == groups.end() ? nullptr : &*it;
}

std::optional<std::uint32_t> Properties::find_label(std::string_view name) const {
  const auto it = std::find_if(labels.begin(), labels.end(),
                               [&](const DeclaredLabel& l) { return l.name == name; });
  if (it == labels.end()) return std::nullopt;
  return static_cast<std::uint32_t>(it - labels.begin());
}

std::string_view name_of(Verb verb) { return verbs[static_cast<std::size_t>(verb)]; }

Expected<Properties> parse_property_syntax(std::string_view text, const std::string& file) {
  auto properties = FileParser(PropertyText(text, file)).parse();
  if (properties) properties->file = file;
  return properties;
}

Expected<Atom> parse_atom(std::string_view text, const std::string& file) {
  const PropertyText source(text, file);
  const auto tokens = tokens_of(source);
  if (!tokens) return failure(tokens.error());
  TokenReader reader(source, *tokens);
  Atom atom = parse_atom(reader);
  if (!reader.at_end()) {
    reader.fail_expecting("the end of the atom", {},
                          "for one of several labels, use brackets: `[a b]`");
  }
  if (reader.failed()) return failure(reader.error());
  return atom;
}

Expected<Properties> read_property_syntax(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return failure(file.error());
  auto bytes = file->read_all();
  if (!bytes) return failure(bytes.error());
  return parse_property_syntax(*bytes, path == "-" ? "standard input" : path);
}

}  // namespace lightcone
