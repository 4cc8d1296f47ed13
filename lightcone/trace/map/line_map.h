// What a mapping file says: where the parts of an event are in a line of a JSON log.
#pragma once

#include <lightcone/base/regular_expression.h>
#include <lightcone/error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Where a text or a value comes from.
struct MapPlace {
  enum class Of : std::uint8_t {
    member,   ///< of the line, by its name
    pointer,  ///< a JSON pointer
    group,    ///< of the expression of the block
    literal,
  };
  Of of = Of::literal;
  std::string text;         ///< the name, the pointer, or the literal itself
  std::uint32_t group = 0;  ///< its number
};

/// Texts one after the other; the line of the map is for error messages.
struct MapTemplate {
  std::vector<MapPlace> parts;
  std::uint64_t line = 0;
};

struct MapVariable {
  std::string name;
  MapTemplate value;
};

/// What a block says. What it does not say is empty.
struct MapSettings {
  std::optional<MapTemplate> process, kind, message, to, time, text, source;
  int time_decimals = 0;  ///< a number counts units of so many decimals of a second
  std::vector<MapTemplate> labels;
  std::vector<MapVariable> variables;
  bool all_variables = false;  ///< `vars = *`
};

/// A condition on a line.
struct MapCondition {
  enum class Test : std::uint8_t { present, absent, equal, unequal, contains, matches };
  MapPlace place;
  Test test = Test::present;
  std::string operand;         ///< as text; a number or truth value as JSON writes it
  bool is_text = true;         ///< whether the operand was in quotes
  std::size_t expression = 0;  ///< of LineMap::expressions
};

/// Settings for the lines that satisfy all conditions.
struct MapBlock {
  std::vector<MapCondition> conditions;
  MapSettings settings;
};

/// A mapping file (docs/formats/map.md).
struct LineMap {
  std::string file;
  MapSettings settings;
  std::vector<MapBlock> blocks;
  std::vector<RegularExpression> expressions;
  bool skips_other_lines = false;  ///< those that are not JSON objects

  [[nodiscard]] static Expected<LineMap> parse(std::string_view text, const std::string& file);
  [[nodiscard]] static Expected<LineMap> read(const std::string& path);
};

}  // namespace lightcone
