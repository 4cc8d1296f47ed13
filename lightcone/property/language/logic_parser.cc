// Parses blocks of LRDAG equations.
#include <fmt/format.h>
#include <lightcone/base/spelling.h>
#include <lightcone/property/language/parser_parts.h>

#include <algorithm>
#include <array>

namespace lightcone {
namespace {

using FormulaKind = Formula::Kind;

constexpr std::size_t most_equations = 4096;

[[nodiscard]] Formula joined(FormulaKind kind, std::vector<Formula> parts) {
  if (parts.size() == 1 && kind != FormulaKind::negation) return std::move(parts.front());
  Formula formula;
  formula.kind = kind;
  formula.parts = std::move(parts);
  return formula;
}

[[nodiscard]] Formula opposite(Formula formula) {
  return joined(FormulaKind::negation, parts_of(std::move(formula)));
}

[[nodiscard]] bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 12> words{"true",    "false",    "initial", "send",
                                                          "receive", "external", "prev",    "msg",
                                                          "any",     "not",      "and",     "or"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

class LogicParser {
 public:
  explicit LogicParser(TokenReader& reader) : reader_(reader) {}

  [[nodiscard]] Logic parse() {
    const TextPlace begin = reader_.peek().place;
    reader_.expect_sign("{", "after `logic`");
    collect_names();
    std::optional<std::string> detected;
    TextPlace place;
    while (!reader_.take_sign("}") && !reader_.failed()) {
      if (reader_.peek().is_word("detect") && !reader_.peek(1).is_sign(":=")) {
        if (detected) {
          reader_.fail(reader_.peek().place, "a second `detect`: a block detects one variable");
        }
        reader_.take();
        place = reader_.peek().place;
        detected = reader_.expect_name("the variable to detect");
      } else {
        parse_equation();
      }
    }
    if (logic_.equations.empty()) {
      reader_.fail(begin, "a logic block without an equation", "write one, as `x := a`");
      return {};
    }
    logic_.detected = static_cast<std::uint32_t>(logic_.equations.size() - 1);
    if (detected) logic_.detected = find_variable(*detected, place);
    return std::move(logic_);
  }

 private:
  /// All variables of the block, so that equations can speak of later ones' pasts.
  void collect_names() {
    std::size_t depth = 0;
    for (std::size_t i = 0; reader_.peek(i).kind != Token::Kind::end; ++i) {
      const Token& token = reader_.peek(i);
      if (token.is_sign("{")) ++depth;
      if (token.is_sign("}") && depth-- == 0) break;
      if (token.is_name() && reader_.peek(i + 1).is_sign(":=")) {
        if (std::find(names_.begin(), names_.end(), token.text) != names_.end()) {
          return reader_.fail(token.place,
                              fmt::format("`{}` is defined a second time", token.text));
        }
        if (token.kind == Token::Kind::word && is_keyword(token.text)) {
          return reader_.fail(token.place, fmt::format("`{}` cannot be a variable", token.text),
                              "it has a meaning of its own in formulas");
        }
        names_.push_back(token.text);
        if (names_.size() > most_equations) {
          return reader_.fail(token.place, fmt::format("more than {} equations", most_equations));
        }
      }
    }
  }

  void parse_equation() {
    Equation equation;
    equation.name = reader_.expect_name("an equation, as `x := a and prev y`");
    if (!reader_.expect_sign(":=", "to define a variable")) return;
    const std::size_t begin = reader_.position();
    equation.formula = parse_equivalence();
    equation.text = reader_.written_since(begin);
    const Token& next = reader_.peek();
    if (!next.is_sign("}") && !next.is_word("detect") &&
        !(next.is_name() && reader_.peek(1).is_sign(":="))) {
      reader_.fail_expecting("an operator, the next equation or `}`",
                             {"and", "or", "not", "detect"});
    }
    logic_.equations.push_back(std::move(equation));
  }

  [[nodiscard]] Formula parse_equivalence() {
    Formula left = parse_implication();
    if (!reader_.take_sign("<=>")) return left;
    const TokenReader::Depth depth(reader_);
    return joined(FormulaKind::equivalence, parts_of(std::move(left), parse_equivalence()));
  }

  [[nodiscard]] Formula parse_implication() {
    Formula left = parse_disjunction();
    if (!reader_.take_sign("=>")) return left;
    const TokenReader::Depth depth(reader_);
    return joined(FormulaKind::disjunction,
                  parts_of(opposite(std::move(left)), parse_implication()));
  }

  [[nodiscard]] Formula parse_disjunction() {
    std::vector<Formula> parts;
    do {
      parts.push_back(parse_conjunction());
    } while (reader_.take_word("or"));
    return joined(FormulaKind::disjunction, std::move(parts));
  }

  [[nodiscard]] Formula parse_conjunction() {
    std::vector<Formula> parts;
    do {
      parts.push_back(parse_negation());
    } while (reader_.take_word("and"));
    return joined(FormulaKind::conjunction, std::move(parts));
  }

  [[nodiscard]] Formula parse_negation() {
    if (reader_.take_word("not")) {
      const TokenReader::Depth depth(reader_);
      return opposite(parse_negation());
    }
    if (reader_.take_sign("(")) {
      const TokenReader::Depth depth(reader_);
      Formula inner = parse_equivalence();
      reader_.expect_sign(")", "to close the parenthesis");
      return inner;
    }
    return parse_leaf();
  }

  [[nodiscard]] Formula parse_leaf() {
    Formula leaf;
    const Token token = reader_.peek();
    if (token.is_name() && !reader_.peek(1).is_sign(":")) {
      if (take_keyword(leaf)) return leaf;  // a word only: a name in quotes is no keyword
      if (const auto known = std::find(names_.begin(), names_.end(), token.text);
          known != names_.end()) {
        return bare_variable(static_cast<std::uint32_t>(known - names_.begin()));
      }
    }
    if (!at_atom(reader_)) {
      reader_.fail_expecting("a label, a variable, `prev`, `msg`, `any`, `not` or `(`");
      return leaf;
    }
    leaf.kind = FormulaKind::atom;
    leaf.atom = parse_atom(reader_);
    return leaf;
  }

  /// The words that stand for something of the state itself, or of its past.
  [[nodiscard]] bool take_keyword(Formula& leaf) {
    const auto is = [&](std::string_view word) { return reader_.take_word(word); };
    if (is("true")) return leaf.value = true;
    if (is("false")) return true;
    if (is("initial")) return leaf.kind = FormulaKind::initial, true;
    if (is("send")) return leaf.kind = FormulaKind::send, true;
    if (is("receive")) return leaf.kind = FormulaKind::receive, true;
    if (is("external")) {
      leaf.kind = FormulaKind::disjunction;
      leaf.parts.resize(2);
      leaf.parts[0].kind = FormulaKind::send;
      leaf.parts[1].kind = FormulaKind::receive;
      return true;
    }
    if (is("prev")) return leaf = past(FormulaKind::previous), true;
    if (is("msg")) return leaf = past(FormulaKind::message), true;
    if (is("any")) {
      const Formula previous = past(FormulaKind::previous);
      Formula message = previous;
      message.kind = FormulaKind::message;
      leaf = joined(FormulaKind::disjunction, parts_of(previous, message));
      return true;
    }
    return false;
  }

  [[nodiscard]] Formula past(FormulaKind kind) {
    Formula formula;
    formula.kind = kind;
    const TextPlace place = reader_.peek().place;
    formula.variable = find_variable(reader_.expect_name("a variable of this block"), place);
    return formula;
  }

  [[nodiscard]] Formula bare_variable(std::uint32_t index) {
    Formula formula;
    formula.kind = FormulaKind::variable;
    formula.variable = index;
    const Token token = reader_.take();
    if (index >= logic_.equations.size()) {
      reader_.fail(token.place, fmt::format("`{}` is not defined above", token.text),
                   fmt::format("define it above, or use its past: `prev {0}`, `msg {0}`, "
                               "`any {0}`",
                               token.text));
    }
    return formula;
  }

  [[nodiscard]] std::uint32_t find_variable(const std::string& name, TextPlace place) {
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return static_cast<std::uint32_t>(known - names_.begin());
    reader_.fail(place, fmt::format("`{}` is not a variable of this block", name),
                 did_you_mean(name, names_));
    return 0;
  }

  TokenReader& reader_;
  std::vector<std::string> names_;
  Logic logic_;
};

}  // namespace

Logic parse_logic(TokenReader& reader) { return LogicParser(reader).parse(); }

}  // namespace lightcone
