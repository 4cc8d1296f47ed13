// Writes expressions and values.
#include <lightcone/property/language/expression_text.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lightcone {
namespace {

using ExpressionKind = Expression::Kind;

[[nodiscard]] std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

[[nodiscard]] std::string name_text(const std::string& name) {
  const auto fits = [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c) != 0); };
  const bool plain = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                     std::all_of(name.begin(), name.end(), fits);
  return plain ? name : quoted(name);
}

/// How strongly an operator binds.
[[nodiscard]] int strength(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::disjunction: return 0;
    case ExpressionKind::conjunction: return 1;
    case ExpressionKind::negation: return 2;
    case ExpressionKind::equal:
    case ExpressionKind::unequal:
    case ExpressionKind::less:
    case ExpressionKind::at_most:
    case ExpressionKind::greater:
    case ExpressionKind::at_least:
    case ExpressionKind::containing:
    case ExpressionKind::matching:
    case ExpressionKind::some_message: return 3;
    case ExpressionKind::plus: return 4;
    case ExpressionKind::times:
    case ExpressionKind::divided: return 5;
    case ExpressionKind::minus: return 6;
    default: return 7;
  }
}

[[nodiscard]] std::string_view sign(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::disjunction: return " or ";
    case ExpressionKind::conjunction: return " and ";
    case ExpressionKind::equal: return " == ";
    case ExpressionKind::unequal: return " != ";
    case ExpressionKind::less: return " < ";
    case ExpressionKind::at_most: return " <= ";
    case ExpressionKind::greater: return " > ";
    case ExpressionKind::at_least: return " >= ";
    case ExpressionKind::containing: return " contains ";
    case ExpressionKind::plus: return " + ";
    case ExpressionKind::times: return " * ";
    default: return " / ";
  }
}

[[nodiscard]] std::string part_text(const Expression& part, int around) {
  return strength(part.kind) > around ? text_of(part) : "(" + text_of(part) + ")";
}

[[nodiscard]] std::string joined_text(const Expression& expression) {
  const int own = strength(expression.kind);
  std::string text;
  for (const Expression& part : expression.parts) {
    const bool subtracted =
        expression.kind == ExpressionKind::plus && part.kind == ExpressionKind::minus;
    if (!text.empty()) text += subtracted ? " - " : sign(expression.kind);
    text += subtracted && !text.empty() ? part_text(part.parts[0], own) : part_text(part, own);
  }
  return text;
}

}  // namespace

bool is_attribute(std::string_view word) {
  return word == "text" || word == "message" || word == "kind" || word == "source" ||
         word == "time";
}

std::string text_of(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::boolean: return expression.boolean ? "true" : "false";
    case ExpressionKind::integer: return std::to_string(expression.integer);
    case ExpressionKind::real: return fmt::format("{}", expression.real);
    case ExpressionKind::text: return quoted(expression.name);
    case ExpressionKind::variable:
      return (is_attribute(expression.name) ? "vars." : "") + name_text(expression.name);
    case ExpressionKind::label:
    case ExpressionKind::attribute: return name_text(expression.name);
    case ExpressionKind::some_message: return text_of(expression.parts[0]);
    case ExpressionKind::matching:
      return part_text(expression.parts[0], strength(expression.kind)) + " =~ " +
             quoted(expression.name);
    case ExpressionKind::event_is: return "event == " + quoted(expression.name);
    case ExpressionKind::process_is: return "process == " + quoted(expression.name);
    case ExpressionKind::process_variable:
      return name_text(expression.who) + "." + name_text(expression.name);
    case ExpressionKind::aggregate:
      return fmt::format("{}({}{})", expression.name, text_of(expression.parts[0]),
                         expression.who.empty() ? "" : " in " + name_text(expression.who));
    case ExpressionKind::minus:
      return "-" + part_text(expression.parts[0], strength(ExpressionKind::minus));
    case ExpressionKind::negation:
      return "not " + part_text(expression.parts[0], strength(ExpressionKind::negation));
    default: return joined_text(expression);
  }
}

std::string text_of(const Datum& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return quoted(*text);
  std::string room;
  return std::string(matched_text(value, room).value_or("null"));
}

}  // namespace lightcone
