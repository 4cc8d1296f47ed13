// Parses local predicates and global expressions.
#include <fmt/format.h>
#include <lightcone/base/spelling.h>
#include <lightcone/property/language/expression_text.h>
#include <lightcone/property/language/parser_parts.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lightcone {
namespace {

using ExpressionKind = Expression::Kind;
using Aggregate = Expression::Aggregate;

constexpr int most_factors = 32;  // each is a level of the tree

constexpr std::array<std::pair<std::string_view, Aggregate>, 6> aggregates{{
    {"count", Aggregate::count},
    {"all", Aggregate::all},
    {"any", Aggregate::any},
    {"sum", Aggregate::sum},
    {"min", Aggregate::min},
    {"max", Aggregate::max},
}};

constexpr std::array<std::pair<std::string_view, ExpressionKind>, 6> comparisons{{
    {"==", ExpressionKind::equal},
    {"!=", ExpressionKind::unequal},
    {"<", ExpressionKind::less},
    {"<=", ExpressionKind::at_most},
    {">", ExpressionKind::greater},
    {">=", ExpressionKind::at_least},
}};

class ExpressionParser {
 public:
  /// Of one local state, or of a global one.
  enum class Scope : std::uint8_t { local, global };

  ExpressionParser(TokenReader& reader, Scope scope) : reader_(reader), scope_(scope) {}

  [[nodiscard]] Expression parse_disjunction() {
    std::vector<Expression> parts;
    const TextPlace place = reader_.peek().place;
    do {
      parts.push_back(parse_conjunction());
    } while (reader_.take_word("or"));
    return joined(ExpressionKind::disjunction, std::move(parts), place);
  }

 private:
  [[nodiscard]] Expression joined(ExpressionKind kind, std::vector<Expression> parts,
                                  TextPlace place) const {
    if (parts.size() == 1 && kind != ExpressionKind::negation && kind != ExpressionKind::minus) {
      return std::move(parts.front());
    }
    Expression expression;
    expression.kind = kind;
    expression.parts = std::move(parts);
    expression.place = place;
    const auto& of = expression.parts;
    if (scope_ == Scope::local && (!is_comparison(kind) || is_number(of[0]) || is_number(of[1]))) {
      for (Expression& part : expression.parts) take_for_name(part);
    }
    return expression;
  }

  [[nodiscard]] static bool is_comparison(ExpressionKind kind) {
    return kind >= ExpressionKind::equal && kind <= ExpressionKind::matching;
  }
  [[nodiscard]] static bool is_number(const Expression& expression) {
    return (expression.kind >= ExpressionKind::minus &&
            expression.kind <= ExpressionKind::divided) ||
           expression.kind == ExpressionKind::integer || expression.kind == ExpressionKind::real;
  }
  /// What stands in double quotes is a name where a text would make no sense: as a truth value, in
  /// arithmetic, and compared with a number.
  static void take_for_name(Expression& expression) {
    if (expression.kind == ExpressionKind::text) expression.kind = ExpressionKind::variable;
  }

  [[nodiscard]] Expression parse_conjunction() {
    std::vector<Expression> parts;
    const TextPlace place = reader_.peek().place;
    do {
      parts.push_back(parse_negation());
    } while (reader_.take_word("and"));
    return joined(ExpressionKind::conjunction, std::move(parts), place);
  }

  [[nodiscard]] Expression parse_negation() {
    const TextPlace place = reader_.peek().place;
    if (reader_.take_word("not")) {
      const TokenReader::Depth depth(reader_);
      return joined(ExpressionKind::negation, parts_of(parse_negation()), place);
    }
    return parse_comparison();
  }

  [[nodiscard]] const std::pair<std::string_view, ExpressionKind>* comparison_at(
      std::size_t ahead) const {
    const Token& token = reader_.peek(ahead);
    if (token.kind != Token::Kind::sign) return nullptr;
    const auto found = std::find_if(comparisons.begin(), comparisons.end(),
                                    [&](const auto& entry) { return entry.first == token.text; });
    return found == comparisons.end() ? nullptr : &*found;
  }

  [[nodiscard]] Expression parse_comparison() {
    const TextPlace place = reader_.peek().place;
    if (at_identity()) return parse_identity();
    Expression left = parse_sum();
    const auto* comparison = comparison_at(0);
    if (comparison == nullptr) {
      if (at_match()) return parse_match(std::move(left), place);
      if (reader_.peek().is_sign("=")) {
        reader_.fail(reader_.peek().place, "one `=` compares nothing", "write `==`");
      }
      return left;
    }
    reader_.take();
    Expression whole = joined(comparison->second, parts_of(std::move(left), parse_sum()), place);
    if (comparison_at(0) != nullptr || at_match()) {
      reader_.fail(reader_.peek().place, "comparisons do not chain",
                   "join two with `and`: `1 < x and x < 5`");
    }
    check_kind(whole.parts[0], whole.parts[1]);
    check_kind(whole.parts[1], whole.parts[0]);
    return of_some_message(std::move(whole));
  }

  [[nodiscard]] bool at_match() {
    const bool is_misspelt = reader_.peek().is_word("contain") || reader_.peek().is_word("matches");
    if (is_misspelt && reader_.peek(1).kind == Token::Kind::text) {
      reader_.fail(reader_.peek().place,
                   fmt::format("there is no operator `{}`", reader_.peek().text),
                   "there are `contains` and `=~`");
    }
    return reader_.peek().is_word("contains") || reader_.peek().is_sign("=~");
  }

  /// `text contains "x"`, `text =~ "x+"`, what is left of it taken already.
  [[nodiscard]] Expression parse_match(Expression left, TextPlace place) {
    if (scope_ != Scope::local) {
      reader_.fail(reader_.peek().place, "texts are matched in local predicates",
                   "ask it of one process, as `any(x contains \"…\" in p1)`");
    }
    take_for_name(left);
    if (reader_.take_word("contains")) {
      Expression whole;
      whole.kind = ExpressionKind::containing;
      whole.place = place;
      whole.parts = parts_of(std::move(left), parse_sum());
      if (is_number(whole.parts[1])) {
        reader_.fail(whole.parts[1].place, "`contains` looks for a text",
                     "put it in double quotes");
      }
      return of_some_message(std::move(whole));
    }
    reader_.take();
    Expression whole;
    whole.kind = ExpressionKind::matching;
    whole.place = place;
    const Token pattern = reader_.peek();
    if (pattern.kind != Token::Kind::text) {
      reader_.fail_expecting("a regular expression in double quotes");
      return whole;
    }
    whole.name = reader_.take().text;
    whole.parts = parts_of(std::move(left));
    auto compiled = RegularExpression::compile(whole.name);
    if (!compiled) {
      reader_.fail(pattern.place, compiled.error().what, compiled.error().hint);
      return whole;
    }
    whole.regex = std::make_shared<const RegularExpression>(std::move(*compiled));
    return of_some_message(std::move(whole));
  }

  [[nodiscard]] static bool is_attribute_named(const Expression& e, std::string_view name) {
    return e.kind == ExpressionKind::attribute && e.name == name;
  }

  /// An event can have several messages: a comparison is about one of them.
  [[nodiscard]] static Expression of_some_message(Expression comparison) {
    const auto is_message = [](const Expression& e) { return is_attribute_named(e, "message"); };
    if (std::none_of(comparison.parts.begin(), comparison.parts.end(), is_message)) {
      return comparison;
    }
    Expression some;
    some.kind = ExpressionKind::some_message;
    some.place = comparison.place;
    some.parts = parts_of(std::move(comparison));
    return some;
  }

  void check_kind(const Expression& kind, const Expression& other) {
    static const std::vector<std::string> kinds{"init", "internal", "send", "receive"};
    if (!is_attribute_named(kind, "kind") || other.kind != ExpressionKind::text) return;
    if (std::find(kinds.begin(), kinds.end(), other.name) != kinds.end()) return;
    const std::string meant = did_you_mean(other.name, kinds);
    reader_.fail(other.place, fmt::format("no event is of the kind \"{}\"", other.name),
                 meant.empty() ? "the kinds are init, internal, send and receive" : meant);
  }

  /// `event == "name"`, `process != "name"`
  [[nodiscard]] bool at_identity() const {
    if (scope_ != Scope::local) return false;
    const Token& token = reader_.peek();
    return (token.is_word("event") || token.is_word("process")) &&
           (reader_.peek(1).is_sign("==") || reader_.peek(1).is_sign("!=")) &&
           reader_.peek(2).kind == Token::Kind::text;
  }

  [[nodiscard]] Expression parse_identity() {
    Expression test;
    test.place = reader_.peek().place;
    test.kind =
        reader_.take().is_word("event") ? ExpressionKind::event_is : ExpressionKind::process_is;
    const bool negated = reader_.take().is_sign("!=");
    test.name = reader_.take().text;
    if (!negated) return test;
    const TextPlace place = test.place;
    return joined(ExpressionKind::negation, parts_of(std::move(test)), place);
  }

  [[nodiscard]] Expression parse_sum() {
    const TextPlace place = reader_.peek().place;
    std::vector<Expression> parts = parts_of(parse_product());
    for (;;) {
      const TextPlace sign = reader_.peek().place;
      if (reader_.take_sign("+")) {
        parts.push_back(parse_product());
      } else if (reader_.take_sign("-")) {
        parts.push_back(joined(ExpressionKind::minus, parts_of(parse_product()), sign));
      } else {
        return joined(ExpressionKind::plus, std::move(parts), place);
      }
    }
  }

  [[nodiscard]] Expression parse_product() {
    const TextPlace place = reader_.peek().place;
    Expression left = parse_factor();
    for (int length = 0;; ++length) {
      if (length > most_factors) {
        reader_.fail(place, fmt::format("more than {} factors in one product", most_factors));
      }
      if (reader_.take_sign("*")) {
        left = joined(ExpressionKind::times, parts_of(std::move(left), parse_factor()), place);
      } else if (reader_.take_sign("/")) {
        left = joined(ExpressionKind::divided, parts_of(std::move(left), parse_factor()), place);
      } else {
        return left;
      }
    }
  }

  [[nodiscard]] Expression parse_factor() {
    const TextPlace place = reader_.peek().place;
    if (reader_.take_sign("-")) {
      if (at_least_integer()) return integer_leaf(place);
      const TokenReader::Depth depth(reader_);
      return joined(ExpressionKind::minus, parts_of(parse_factor()), place);
    }
    if (reader_.take_sign("(")) {
      const TokenReader::Depth depth(reader_);
      Expression inner = parse_disjunction();
      reader_.expect_sign(")", "to close the parenthesis");
      return inner;
    }
    return parse_leaf();
  }

  /// At 2^63, which only a minus before it makes an integer.
  [[nodiscard]] bool at_least_integer() const {
    return reader_.peek().kind == Token::Kind::integer && reader_.peek().integer < 0;
  }

  [[nodiscard]] Expression integer_leaf(TextPlace place) {
    Expression leaf;
    leaf.place = place;
    leaf.kind = ExpressionKind::integer;
    leaf.integer = reader_.take().integer;
    return leaf;
  }

  [[nodiscard]] Expression parse_leaf() {
    Expression leaf;
    const Token token = reader_.peek();
    leaf.place = token.place;
    switch (token.kind) {
      case Token::Kind::integer:
        if (at_least_integer()) {
          reader_.fail(token.place, "9223372036854775808 is more than an integer can be",
                       "with a point it is a real");
        }
        return integer_leaf(token.place);
      case Token::Kind::real:
        leaf.kind = ExpressionKind::real;
        leaf.real = reader_.take().real;
        return leaf;
      case Token::Kind::word:
      case Token::Kind::text: return parse_name();
      default: reader_.fail_expecting("a number, a name or `(`"); return leaf;
    }
  }

  [[nodiscard]] Expression parse_name() {
    Expression leaf;
    const Token token = reader_.take();
    leaf.place = token.place;
    leaf.name = token.text;
    if (token.kind == Token::Kind::word && (token.text == "true" || token.text == "false")) {
      leaf.boolean = token.text == "true";
      return leaf;
    }
    if (reader_.peek().is_sign(".")) return parse_process_variable(std::move(leaf));
    if (token.kind == Token::Kind::text) {
      leaf.kind = ExpressionKind::text;
      return leaf;
    }
    if (reader_.peek().is_sign("(")) return parse_aggregate(token);
    leaf.kind = scope_ == Scope::local && is_attribute(token.text) ? ExpressionKind::attribute
                                                                   : ExpressionKind::variable;
    if (scope_ == Scope::global) {
      reader_.fail(token.place, fmt::format("whose `{}`?", token.text),
                   fmt::format("name the process, as `p1.{0}`, or take all: `sum({0})`, "
                               "`count({0})`, `all({0})`",
                               token.text));
    }
    return leaf;
  }

  [[nodiscard]] Expression parse_process_variable(Expression leaf) {
    if (scope_ == Scope::local && leaf.name == "vars") {
      reader_.take();
      leaf.kind = ExpressionKind::variable;
      leaf.name = reader_.expect_name("a variable");
      return leaf;
    }
    if (scope_ == Scope::local) {
      reader_.fail(leaf.place, "a local predicate is about one state of one process",
                   "name the variable alone, and the process by `process == \"p1\"`");
      return leaf;
    }
    reader_.take();
    leaf.kind = ExpressionKind::process_variable;
    leaf.who = std::exchange(leaf.name, {});
    leaf.name = reader_.expect_name(fmt::format("a variable of `{}`", leaf.who));
    return leaf;
  }

  [[nodiscard]] Expression parse_aggregate(const Token& function) {
    Expression whole;
    whole.kind = ExpressionKind::aggregate;
    whole.place = function.place;
    whole.name = function.text;
    const auto known = std::find_if(aggregates.begin(), aggregates.end(), [&](const auto& entry) {
      return entry.first == function.text;
    });
    if (scope_ == Scope::local) {
      reader_.fail(function.place, "a local predicate is about one state",
                   "counts over processes belong in a property: `possibly count(…) > 1`");
    } else if (known == aggregates.end()) {
      reader_.fail(function.place, fmt::format("there is no function `{}`", function.text),
                   "there are count, all, any, sum, min, max");
    } else {
      whole.aggregate = known->second;
    }
    reader_.take();  // the parenthesis
    whole.parts.push_back(parse_argument(whole.aggregate));
    if (reader_.take_word("in")) whole.who = reader_.expect_name("a group or a process");
    reader_.expect_sign(")", fmt::format("to end `{}(`", function.text));
    return whole;
  }

  /// Of sum, min, max: a variable; of the others: a local predicate. A name in quotes alone is a
  /// name here, not a text.
  [[nodiscard]] Expression parse_argument(Aggregate aggregate) {
    const bool of_values =
        aggregate == Aggregate::sum || aggregate == Aggregate::min || aggregate == Aggregate::max;
    const bool name_alone = reader_.peek(1).is_sign(")") || reader_.peek(1).is_word("in");
    if (of_values || (name_alone && reader_.peek().kind == Token::Kind::text)) {
      Expression variable;
      variable.kind = ExpressionKind::variable;
      variable.place = reader_.peek().place;
      variable.name = reader_.expect_name("a variable");
      return variable;
    }
    return ExpressionParser(reader_, Scope::local).parse_disjunction();
  }

  TokenReader& reader_;
  Scope scope_;
};

}  // namespace

Expression parse_local_predicate(TokenReader& reader) {
  Expression whole = ExpressionParser(reader, ExpressionParser::Scope::local).parse_disjunction();
  if (whole.kind == ExpressionKind::text)
    whole.kind = ExpressionKind::variable;  // a name alone, in quotes
  return whole;
}

Global parse_global(TokenReader& reader) {
  Global global;
  const Token modality = reader.take();
  if (modality.is_word("definitely")) global.modality = Global::Modality::definitely;
  if (modality.is_word("properly")) global.modality = Global::Modality::properly;
  global.expression = ExpressionParser(reader, ExpressionParser::Scope::global).parse_disjunction();
  return global;
}

}  // namespace lightcone
