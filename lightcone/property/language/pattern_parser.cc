// Parses flows: their quantifier, alphabet, place and pattern.
#include <fmt/format.h>
#include <lightcone/base/time/decimal_seconds.h>
#include <lightcone/property/language/parser_parts.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint32_t most_repetitions = 1000;
constexpr int most_stacked = 8;  // repetitions of repetitions: each is a level of the tree

[[nodiscard]] Pattern atom_pattern(Atom atom) {
  Pattern pattern;
  pattern.kind = Pattern::Kind::atom;
  pattern.atom = std::move(atom);
  return pattern;
}

[[nodiscard]] Pattern repeated(Pattern part, std::uint32_t least, std::uint32_t most) {
  Pattern pattern;
  pattern.kind = Pattern::Kind::repeat;
  pattern.least = least;
  pattern.most = most;
  pattern.parts.push_back(std::move(part));
  return pattern;
}

[[nodiscard]] Pattern any_number_of(Atom atom) {
  return repeated(atom_pattern(std::move(atom)), 0, Pattern::unbounded);
}

[[nodiscard]] Pattern grouped(Pattern::Kind kind, std::vector<Pattern> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Pattern pattern;
  pattern.kind = kind;
  pattern.parts = std::move(parts);
  return pattern;
}

[[nodiscard]] Atom opposite(Atom atom) {
  atom.kind = atom.kind == Atom::Kind::one_of ? Atom::Kind::none_of : Atom::Kind::one_of;
  return atom;
}

[[nodiscard]] LabelName parse_label_name(TokenReader& reader) {
  LabelName name;
  name.place = reader.peek().place;
  name.label = reader.expect_name("a label");
  if (reader.take_sign(":")) {
    name.who = std::exchange(name.label, {});
    name.label = reader.expect_name(fmt::format("a label of `{}`", name.who));
  }
  return name;
}

/// `[a b]`, `[^a b]`, the bracket taken already.
[[nodiscard]] Atom parse_brackets(TokenReader& reader) {
  Atom atom;
  atom.kind = reader.take_sign("^") ? Atom::Kind::none_of : Atom::Kind::one_of;
  do {
    if (!reader.peek().is_name()) {
      reader.fail_expecting(atom.names.empty() ? "a label" : "a label or `]`", {},
                            "write labels in brackets without commas: `[a b]`, `[^a b]`");
    }
    atom.names.push_back(parse_label_name(reader));
  } while (!reader.take_sign("]") && !reader.failed());
  return atom;
}

/// An atom that does not begin with `!`.
[[nodiscard]] Atom parse_set(TokenReader& reader) {
  if (reader.take_sign(".")) return {};
  if (reader.take_sign("[")) return parse_brackets(reader);
  Atom atom;
  atom.kind = Atom::Kind::one_of;
  if (reader.peek().is_name()) {
    atom.names.push_back(parse_label_name(reader));
  } else {
    reader.fail_expecting("a label, `.` or `[`", {},
                          reader.peek().is_sign("(") ? "only one letter is allowed here" : "");
  }
  return atom;
}

[[nodiscard]] std::uint32_t parse_count(TokenReader& reader) {
  const Token token = reader.peek();
  if (token.kind != Token::Kind::integer) {
    reader.fail_expecting("a number of repetitions");
  } else if (token.integer > most_repetitions) {
    reader.fail(token.place, fmt::format("more than {} repetitions", most_repetitions));
  }
  return static_cast<std::uint32_t>(reader.take().integer);
}

/// `{m}`, `{m,}`, `{m,n}`, the brace taken already.
[[nodiscard]] Pattern parse_counted(TokenReader& reader, Pattern part) {
  const TextPlace place = reader.peek().place;
  const std::uint32_t least = parse_count(reader);
  std::uint32_t most = least;
  if (reader.take_sign(",")) {
    most = reader.peek().is_sign("}") ? Pattern::unbounded : parse_count(reader);
  }
  reader.expect_sign("}", "after the number of repetitions");
  if (most < least) {
    reader.fail(place,
                fmt::format("from {} to {} repetitions: there is no such number", least, most));
  }
  return repeated(std::move(part), least, most);
}

/// At the word, and not at a label of that name: a number follows.
[[nodiscard]] bool at_within(const TokenReader& reader) {
  const Token::Kind next = reader.peek(1).kind;
  return reader.peek().is_word("within") &&
         (next == Token::Kind::integer || next == Token::Kind::real);
}

[[nodiscard]] bool at_primary(const TokenReader& reader) {
  return reader.peek().is_sign("(") ||
         (at_atom(reader) && !reader.peek().is_word("without") && !at_within(reader));
}

[[nodiscard]] Pattern parse_primary(TokenReader& reader) {
  if (reader.take_sign("(")) {
    const TokenReader::Depth depth(reader);
    Pattern pattern = parse_pattern(reader);
    reader.expect_sign(")", "to close the parenthesis");
    return pattern;
  }
  if (!at_atom(reader)) reader.fail_expecting("a label, `.`, `!`, `[` or `(`");
  return atom_pattern(parse_atom(reader));
}

[[nodiscard]] Pattern parse_repeat(TokenReader& reader) {
  Pattern pattern = parse_primary(reader);
  for (int stacked = 0;; ++stacked) {
    if (stacked > most_stacked) {
      reader.fail(reader.peek().place,
                  fmt::format("more than {} repetitions of repetitions", most_stacked));
    }
    if (reader.take_sign("*")) {
      pattern = repeated(std::move(pattern), 0, Pattern::unbounded);
    } else if (reader.take_sign("+")) {
      pattern = repeated(std::move(pattern), 1, Pattern::unbounded);
    } else if (reader.take_sign("?")) {
      pattern = repeated(std::move(pattern), 0, 1);
    } else if (reader.take_sign("{")) {
      pattern = parse_counted(reader, std::move(pattern));
    } else {
      return pattern;
    }
  }
}

[[nodiscard]] Pattern parse_sequence(TokenReader& reader) {
  std::vector<Pattern> parts;
  do {
    parts.push_back(parse_repeat(reader));
  } while (at_primary(reader));
  return grouped(Pattern::Kind::sequence, std::move(parts));
}

[[nodiscard]] Pattern parse_choice(TokenReader& reader) {
  std::vector<Pattern> parts;
  do {
    parts.push_back(parse_sequence(reader));
  } while (reader.take_sign("|"));
  return grouped(Pattern::Kind::choice, std::move(parts));
}

void parse_over(TokenReader& reader, Flow& flow) {
  flow.over.emplace();
  reader.expect_sign("{", "after `over`, as in `over {a, b}`");
  do {
    flow.over->push_back({{}, {}, reader.peek().place});
    flow.over->back().label = reader.expect_name("a label");
  } while (reader.take_sign(","));
  reader.expect_sign("}", "to end the alphabet",
                     reader.peek().is_name() ? "put commas between the names" : "");
}

/// What follows `P ->`: `Q`, and what must hold between them.
void parse_arrow(TokenReader& reader, std::vector<Pattern>& parts) {
  Pattern next = parse_choice(reader);
  Atom between;
  std::optional<double> within;
  for (;;) {
    const TextPlace place = reader.peek().place;
    if (reader.take_word("without")) {
      between = opposite(parse_atom(reader));
    } else if (at_within(reader) && !within) {
      reader.take();
      within = parse_duration(reader);
      if (std::ranges::all_of(parts, matches_nothing) || matches_nothing(next)) {
        reader.fail(place, "`within` compares two letters, and one side can be empty",
                    "write parts of at least one letter on both sides of the arrow");
      }
    } else {
      break;
    }
  }
  parts.push_back(any_number_of(std::move(between)));
  parts.back().within = within;
  parts.push_back(std::move(next));
}

/// What stands where `matches`, `ends with` or `contains` should is something else.
void fail_without_match(TokenReader& reader, const Flow& flow) {
  std::string hint;
  if (flow.at && reader.peek().is_word("over")) hint = "put `over {…}` before `at`";
  for (const char* word : {"matches", "ends", "contains"}) {
    if (flow.at && flow.at->names.size() == 1 && flow.at->names[0].label == word) {
      hint = fmt::format("`{}` was taken for the label that `at` asks for", word);
    }
  }
  reader.fail_expecting("`matches`, `ends with` or `contains`",
                        {"matches", "ends", "contains", "over", "at"}, std::move(hint));
}

}  // namespace

bool at_atom(const TokenReader& reader) {
  const Token& token = reader.peek();
  return token.is_name() || token.is_sign(".") || token.is_sign("!") || token.is_sign("[");
}

Atom parse_atom(TokenReader& reader) {
  bool negated = false;
  while (reader.take_sign("!")) negated = !negated;
  const Atom atom = parse_set(reader);
  return negated ? opposite(atom) : atom;
}

double parse_duration(TokenReader& reader) {
  const Token number = reader.take();
  const double amount =
      number.kind == Token::Kind::real ? number.real : static_cast<double>(number.integer);
  const Token& unit = reader.peek();
  const auto one = unit.kind == Token::Kind::word ? time_unit(unit.text) : std::nullopt;
  if (!one) {
    reader.fail_expecting("a unit of time", {"ns", "us", "ms", "s", "min", "h"},
                          "there are ns, us, ms, s, min and h");
    return 0;
  }
  reader.take();
  return decimal_product(amount, one->factor, one->power_of_ten);
}

bool matches_nothing(const Pattern& pattern) {
  const auto can = [](const Pattern& part) { return matches_nothing(part); };
  switch (pattern.kind) {
    case Pattern::Kind::atom: return false;
    case Pattern::Kind::repeat: return pattern.least == 0 || can(pattern.parts.front());
    case Pattern::Kind::choice: return std::ranges::any_of(pattern.parts, can);
    case Pattern::Kind::sequence: break;
  }
  return std::ranges::all_of(pattern.parts, can);
}

bool has_times(const Pattern& pattern) {
  return pattern.within.has_value() || std::ranges::any_of(pattern.parts, has_times);
}

Pattern parse_pattern(TokenReader& reader) {
  std::vector<Pattern> parts = parts_of(parse_choice(reader));
  while (reader.take_sign("->")) {
    parse_arrow(reader, parts);
  }
  if (at_within(reader)) {
    reader.fail(reader.peek().place, "`within` says how long it may be between two parts",
                "write it after an arrow: `a -> b within 5 s`");
  } else if (reader.peek().is_word("without")) {
    reader.fail(reader.peek().place, "`without` says what must not be between two parts",
                "write it after an arrow: `a -> b without c`");
  } else if (reader.peek().is_sign(",")) {
    reader.fail_expecting("the next part of the pattern", {},
                          "write parts that follow each other without commas: `a b`");
  }
  return grouped(Pattern::Kind::sequence, std::move(parts));
}

Flow parse_flow(TokenReader& reader) {
  Flow flow;
  flow.every = reader.take().is_word("every");
  flow.longest = reader.take_word("longest");
  if (!reader.take_word("flow")) {
    reader.fail_expecting(flow.longest ? "`flow`" : "`flow` or `longest flow`",
                          {"flow", "longest"});
  }
  if (reader.take_word("over")) parse_over(reader, flow);
  if (reader.take_word("at")) flow.at = parse_atom(reader);
  std::vector<Pattern> parts;
  if (reader.take_word("matches")) {
    parts.push_back(parse_pattern(reader));
  } else if (reader.take_word("contains")) {
    parts = parts_of(any_number_of({}), parse_pattern(reader), any_number_of({}));
  } else if (reader.take_word("ends")) {
    if (!reader.take_word("with")) reader.fail_expecting("`with` after `ends`", {"with"});
    parts = parts_of(any_number_of({}), parse_pattern(reader));
  } else {
    fail_without_match(reader, flow);
  }
  flow.pattern = grouped(Pattern::Kind::sequence, std::move(parts));
  return flow;
}

}  // namespace lightcone
