// Finds the parts of an event in a JSON object, and says which member is wrong.
#include <lightcone/trace/map/mapped_lines.h>

#include <lightcone/base/json_text.h>
#include <lightcone/base/wording.h>
#include <lightcone/trace/map/time_text.h>

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace lightcone {
namespace {

namespace dom = simdjson::dom;
using Type = dom::element_type;

/// What is wrong with a line of the log; thrown, and turned into an Error before it leaves this
/// file.
struct LineProblem {
  std::string what;
  std::string hint = {};
};

/// What a place of a line holds: nothing, a JSON value or a text.
struct Found {
  std::optional<dom::element> element = {};
  std::optional<std::string_view> text = {};

  [[nodiscard]] bool is_missing() const { return !element && !text; }
};

/// A template, with the match whose groups it may name.
struct Chosen {
  const MapTemplate* from = nullptr;
  const Matches* match = nullptr;
};

[[nodiscard]] std::string named(const MapPlace& place) {
  switch (place.of) {
    case MapPlace::Of::group: return "group `" + place.text + "`";
    case MapPlace::Of::literal: return "\"" + place.text + "\"";
    default: return "member `" + place.text + "`";
  }
}

[[nodiscard]] std::string scalar_text(dom::element element) {
  std::string_view text;
  if (!element.get(text)) return std::string(text);
  return simdjson::minify(element);
}

/// The member of this name, as nothing where it is null or not there.
[[nodiscard]] Found found(simdjson::simdjson_result<dom::element> result) {
  dom::element element;
  if (std::move(result).get(element) || element.is_null()) return {};
  return {element, {}};
}

[[nodiscard]] Found look_up(const MapPlace& place, dom::object line, const Matches* match) {
  switch (place.of) {
    case MapPlace::Of::member: return found(line.at_key(place.text));
    case MapPlace::Of::pointer: return found(line.at_pointer(place.text));
    case MapPlace::Of::literal: return {{}, place.text};
    case MapPlace::Of::group:
      return {{}, match == nullptr ? std::nullopt : match->group(place.group)};
  }
  return {};
}

/// Whether a condition holds. The match of an expression is kept for the settings of its block.
[[nodiscard]] bool holds(const MapCondition& condition, const LineMap& map, dom::object line,
                         std::optional<Matches>& match) {
  using Test = MapCondition::Test;
  const Found value = look_up(condition.place, line, nullptr);
  if (condition.test == Test::present) return !value.is_missing();
  if (condition.test == Test::absent) return value.is_missing();
  if (value.is_missing()) return condition.test == Test::unequal;
  const dom::element element = *value.element;
  if (element.is_array() || element.is_object()) return condition.test == Test::unequal;
  const bool same_type = element.is_string() == condition.is_text;
  const std::string text = scalar_text(element);
  double number = 0, other = 0;
  switch (condition.test) {
    case Test::contains: return text.find(condition.operand) != std::string::npos;
    case Test::equal:
    case Test::unequal: {
      const bool is_number =
          !condition.is_text && !element.get(number) &&
          std::from_chars(condition.operand.data(),
                          condition.operand.data() + condition.operand.size(), other)
                  .ec == std::errc();
      const bool equal = is_number ? number == other : same_type && text == condition.operand;
      return equal == (condition.test == Test::equal);
    }
    default: break;
  }
  std::string_view view;
  if (element.get(view)) return false;  // only a text matches an expression
  if (match)
    match->restart(view);
  else
    match.emplace(map.expressions[condition.expression], view);
  const auto is_match = match->next();
  if (!is_match) throw LineProblem{is_match.error().what, is_match.error().hint};
  return *is_match;
}

/// The members that settings name: `vars = *` leaves them out.
void add_members(const MapSettings& settings, std::set<std::string, std::less<>>& names) {
  const auto add = [&](const MapTemplate& from) {
    for (const MapPlace& place : from.parts) {
      if (place.of == MapPlace::Of::member) names.insert(place.text);
    }
  };
  for (const auto* single : {&settings.process, &settings.kind, &settings.message, &settings.to,
                             &settings.time, &settings.text, &settings.source}) {
    if (*single) add(**single);
  }
  std::ranges::for_each(settings.labels, add);
  for (const MapVariable& variable : settings.variables) add(variable.value);
}

}  // namespace

struct MappedLines::State {
  LineMap map;
  std::string log;  // without folders
  std::set<std::string, std::less<>> used_members = {};
  dom::parser parser{};
  std::vector<std::optional<Matches>> matches = {};  // indexed by block
  std::uint64_t skipped = 0, no_events = 0;
};

namespace {

/// Makes an event of one line.
class EventMaker {
 public:
  EventMaker(const LineMap& map, const std::string& log,
             const std::set<std::string, std::less<>>& used_members,
             std::vector<std::optional<Matches>>& matches, dom::object line, JsonlLines& into)
      : map_(map), log_(log), used_(used_members), matches_(matches), line_(line), into_(into) {
    add(map.settings, nullptr);
    matches_.resize(map.blocks.size());
    for (std::size_t i = 0; i < map.blocks.size(); ++i) {
      const bool all = std::ranges::all_of(map.blocks[i].conditions, [&](const auto& condition) {
        return holds(condition, map_, line_, matches_[i]);
      });
      // If the block has an expression, it has just matched.
      if (all) add(map.blocks[i].settings, matches_[i] ? &*matches_[i] : nullptr);
    }
  }

  /// Returns whether the line is an event.
  [[nodiscard]] bool make(std::uint64_t number) {
    const auto kind = kind_of_line();
    if (!kind) return false;
    JsonlLine made;
    made.kind = *kind;
    made.number = number;
    made.process = kept(required(process_, "the process"));
    if (made.kind == JsonlLine::Kind::send || made.kind == JsonlLine::Kind::receive) {
      made.messages = messages(made.kind);
    }
    if (to_.from != nullptr && made.kind == JsonlLine::Kind::send) made.to = list(to_);
    made.labels = labels();
    made.variables = variables();
    made.time = time();
    if (const auto text = joined(text_)) made.text = kept(*text);
    const auto source = source_.from == nullptr ? log_ + ":" + std::to_string(number)
                                                : joined(source_).value_or("");
    if (!source.empty()) made.source = kept(source);
    into_.lines.push_back(made);
    return true;
  }

 private:
  struct ChosenVariable {
    std::string_view name;
    Chosen value;
  };

  void add(const MapSettings& settings, const Matches* match) {
    const auto set = [&](Chosen& chosen, const std::optional<MapTemplate>& from) {
      if (from) chosen = {&*from, match};
    };
    set(process_, settings.process);
    set(kind_, settings.kind);
    set(message_, settings.message);
    set(to_, settings.to);
    if (settings.time) time_decimals_ = settings.time_decimals;
    set(time_, settings.time);
    set(text_, settings.text);
    set(source_, settings.source);
    for (const MapTemplate& label : settings.labels) labels_.push_back({&label, match});
    for (const MapVariable& variable : settings.variables) {
      variables_.push_back({variable.name, {&variable.value, match}});
    }
    all_variables_ = all_variables_ || settings.all_variables;
  }

  [[nodiscard]] std::string_view kept(std::string_view text) {
    return into_.texts.emplace_back(text);
  }

  [[nodiscard]] std::string place_of(const MapTemplate& from) const {
    return map_.file + ":" + std::to_string(from.line);
  }

  /// The parts of a template, one after the other; nothing if one of them is missing.
  [[nodiscard]] std::optional<std::string> joined(const Chosen& chosen) const {
    if (chosen.from == nullptr) return std::nullopt;
    std::string text;
    for (const MapPlace& place : chosen.from->parts) {
      const Found part = look_up(place, line_, chosen.match);
      if (part.is_missing()) return std::nullopt;
      text += part.text ? std::string(*part.text) : scalar_of(*part.element, place);
    }
    return text;
  }

  [[nodiscard]] static std::string scalar_of(dom::element element, const MapPlace& place) {
    if (element.is_array() || element.is_object()) {
      throw LineProblem{named(place) +
                        " must be a text, a number or a truth value, not a list or "
                        "an object"};
    }
    return scalar_text(element);
  }

  /// The same, but what is missing is an error.
  [[nodiscard]] std::string required(const Chosen& chosen, const std::string& what) const {
    if (chosen.from == nullptr) {
      throw LineProblem{"the map does not say what " + what + " of this line is",
                        "add a setting for such lines to " + map_.file};
    }
    for (const MapPlace& place : chosen.from->parts) {
      if (!look_up(place, line_, chosen.match).is_missing()) continue;
      throw LineProblem{named(place) + " is missing",
                        place_of(*chosen.from) + " takes " + what + " from it"};
    }
    return *joined(chosen);
  }

  [[nodiscard]] std::optional<JsonlLine::Kind> kind_of_line() const {
    if (kind_.from == nullptr) return JsonlLine::Kind::internal;
    const std::string kind = required(kind_, "the kind");
    if (kind == "internal") return JsonlLine::Kind::internal;
    if (kind == "send") return JsonlLine::Kind::send;
    if (kind == "receive") return JsonlLine::Kind::receive;
    if (kind == "init") return JsonlLine::Kind::initial;
    if (kind == "none") return std::nullopt;
    throw LineProblem{named(kind_.from->parts.front()) + " is \"" + kind +
                          "\", which is not a kind: it is send, receive, internal, init or none",
                      "a block `when MEMBER == \"" + kind + "\"` can set the kind"};
  }

  [[nodiscard]] JsonlLine::Range messages(JsonlLine::Kind kind) {
    const std::string what =
        kind == JsonlLine::Kind::send ? "the message of a send" : "the message of a receive";
    (void)only_missing_is_wrong(message_, what);
    const JsonlLine::Range range = list(message_);
    if (range.size() == 0) throw LineProblem{named(message_.from->parts.front()) + " is empty"};
    if (kind == JsonlLine::Kind::send && range.size() > 1) {
      throw LineProblem{named(message_.from->parts.front()) +
                        " names several messages, and a send has one"};
    }
    return range;
  }

  [[nodiscard]] bool only_missing_is_wrong(const Chosen& chosen, const std::string& what) const {
    return is_list(chosen) || !required(chosen, what).empty();
  }

  [[nodiscard]] bool is_list(const Chosen& chosen) const {
    if (chosen.from == nullptr || chosen.from->parts.size() != 1) return false;
    const Found value = look_up(chosen.from->parts.front(), line_, chosen.match);
    return value.element && value.element->is_array();
  }

  /// A list of texts, or one text; nothing if it is missing.
  [[nodiscard]] JsonlLine::Range list(const Chosen& chosen) {
    const auto begin = static_cast<std::uint32_t>(into_.strings.size());
    append(chosen);
    return {begin, static_cast<std::uint32_t>(into_.strings.size())};
  }

  void append(const Chosen& chosen) {
    if (!is_list(chosen)) {
      if (const auto text = joined(chosen)) into_.strings.push_back(kept(*text));
      return;
    }
    const MapPlace& place = chosen.from->parts.front();
    const Found value = look_up(place, line_, chosen.match);
    const dom::array items = value.element->get_array().value_unsafe();
    for (const dom::element item : items) {
      into_.strings.push_back(kept(scalar_of(item, place)));
    }
  }

  [[nodiscard]] JsonlLine::Range labels() {
    const auto begin = static_cast<std::uint32_t>(into_.strings.size());
    for (const Chosen& label : labels_) append(label);
    return {begin, static_cast<std::uint32_t>(into_.strings.size())};
  }

  [[nodiscard]] JsonlLine::Range variables() {
    const auto begin = static_cast<std::uint32_t>(into_.variables.size());
    if (all_variables_) {
      for (const dom::key_value_pair member : line_) {
        const bool is_scalar = !member.value.is_array() && !member.value.is_object();
        const bool is_used = used_.contains(member.key);
        if (is_scalar && !is_used) assign(begin, member.key, {member.value, {}});
      }
    }
    for (const ChosenVariable& variable : variables_) {
      if (variable.value.from->parts.size() == 1) {
        const MapPlace& place = variable.value.from->parts.front();
        const Found value = look_up(place, line_, variable.value.match);
        if (value.element) (void)scalar_of(*value.element, place);
        assign(begin, variable.name, value);
      } else if (const auto text = joined(variable.value)) {
        assign(begin, variable.name, {{}, *text});
      }
    }
    return {begin, static_cast<std::uint32_t>(into_.variables.size())};
  }

  /// Of a variable that is set twice, the last value counts.
  void assign(std::uint32_t begin, std::string_view name, const Found& value) {
    if (value.is_missing() || (value.element && value.element->is_null())) return;
    const SpelledValue spelled =
        value.text ? SpelledValue(kept(*value.text)) : spelled_value(*value.element);
    for (std::size_t i = begin; i < into_.variables.size(); ++i) {
      if (into_.variables[i].name != name) continue;
      into_.variables[i].value = spelled;
      return;
    }
    into_.variables.push_back({kept(name), spelled});
  }

  [[nodiscard]] SpelledValue spelled_value(dom::element element) {
    switch (element.type()) {
      case Type::BOOL: return element.get_bool().value_unsafe();
      case Type::INT64: return element.get_int64().value_unsafe();
      case Type::DOUBLE: return element.get_double().value_unsafe();
      default: return kept(scalar_text(element));  // an integer of more than 63 bits, too
    }
  }

  [[nodiscard]] std::optional<double> time() const {
    const auto text = joined(time_);
    if (!text) return std::nullopt;
    const auto seconds = log_time_in(*text, time_decimals_);
    if (!seconds) {
      throw LineProblem{
          named(time_.from->parts.front()) + " is neither a number nor a date: " + printable(*text),
          "a date looks like 2026-11-17T18:00:00.25Z"};
    }
    return seconds;
  }

  const LineMap& map_;
  const std::string& log_;
  const std::set<std::string, std::less<>>& used_;
  std::vector<std::optional<Matches>>& matches_;
  dom::object line_;
  JsonlLines& into_;
  Chosen process_, kind_, message_, to_, time_, text_, source_;
  int time_decimals_ = 0;
  std::vector<Chosen> labels_;
  std::vector<ChosenVariable> variables_;
  bool all_variables_ = false;
};

}  // namespace

MappedLines::MappedLines(LineMap map, const std::string& log)
    : state_(new State{std::move(map), log.substr(log.rfind('/') + 1)}) {
  add_members(state_->map.settings, state_->used_members);
  for (const MapBlock& block : state_->map.blocks) {
    add_members(block.settings, state_->used_members);
  }
}

MappedLines::~MappedLines() = default;

Expected<std::unique_ptr<MappedLines>> MappedLines::with_map(const std::string& path,
                                                             const std::string& log) {
  if (path.empty()) {
    return failure("no mapping file says where things are in a line", {}, 0,
                   "name it with --map; docs/formats/map.md says what it holds");
  }
  auto map = LineMap::read(path);
  if (!map) return failure(std::move(map.error()));
  return std::make_unique<MappedLines>(std::move(*map), log);
}

std::uint64_t MappedLines::parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into) {
  into.clear();
  const bool last_is_open = !text.empty() && text.back() != '\n';
  const auto newlines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  std::string_view rest(text.data(), text.size());
  std::string line;  // with room behind it
  const auto problem = [&](std::uint64_t number, std::string what, std::string hint) {
    into.error = Error{std::move(what), {}, number, std::move(hint), 0, {}};
  };
  for (std::uint64_t number = first_line; !rest.empty() && !into.error; ++number) {
    const std::string_view here = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(here.size() + 1, rest.size()));
    if (here.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    line.assign(here);
    line.resize(here.size() + simdjson::SIMDJSON_PADDING);
    dom::object object;
    auto error = state_->parser.parse(line.data(), here.size(), false).get(object);
    if (error == simdjson::NUMBER_ERROR) {
      if (const auto quoted = large_numbers_as_texts(here)) {
        error = state_->parser.parse(*quoted).get(object);
      }
    }
    if (error) {
      if (state_->map.skips_other_lines)
        ++state_->skipped;
      else
        problem(number,
                "this line is not a JSON object: " + std::string(simdjson::error_message(error)),
                "`lines = skip` in " + state_->map.file + " skips such lines");
      continue;
    }
    try {
      EventMaker maker(state_->map, state_->log, state_->used_members, state_->matches, object,
                       into);
      if (!maker.make(number)) ++state_->no_events;
    } catch (LineProblem& wrong) {
      problem(number, std::move(wrong.what), std::move(wrong.hint));
    }
  }
  return newlines + (last_is_open ? 1 : 0);
}

std::vector<std::string> MappedLines::notes() const {
  std::vector<std::string> notes;
  if (state_->skipped > 0) {
    notes.push_back(counted(state_->skipped, "line") + " skipped: no JSON object");
  }
  if (state_->no_events > 0) {
    notes.push_back(counted(state_->no_events, "line") + " skipped: no event, by the map");
  }
  return notes;
}

}  // namespace lightcone
