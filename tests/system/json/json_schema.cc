// Looks at a document word by word of its schema.
#include "system/json/json_schema.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace lightcone {
namespace {

[[nodiscard]] bool is_of_type(const nlohmann::json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

}  // namespace

JsonSchema::JsonSchema(const std::string& command) {
  std::ifstream file(std::string(LIGHTCONE_SOURCE_DIR "/docs/schema/") + command + ".json");
  schema_ = Json::parse(file, nullptr, /*allow_exceptions=*/false);
}

std::string JsonSchema::problem(const Json& value, const Json& schema,
                                const std::string& where) const {
  if (schema.is_boolean()) return schema.get<bool>() ? "" : where + ": must not be there";
  if (!schema.is_object()) return where + ": the schema is none";
  for (const auto& [word, rest] : schema.items()) {
    if (std::string found = problem_of_word(value, schema, word, where); !found.empty()) {
      return found;
    }
  }
  return "";
}

std::string JsonSchema::problem_of_word(const Json& value, const Json& schema,
                                        const std::string& word, const std::string& where) const {
  static const std::set<std::string> said_elsewhere{"$schema", "title", "description", "$defs",
                                                    "additionalProperties"};
  if (said_elsewhere.contains(word)) return "";
  const Json& rest = schema[word];
  const std::string shown = where + ": " + value.dump().substr(0, 200);
  if (word == "$ref") {
    return problem(value, schema_.at(Json::json_pointer(rest.get<std::string>().substr(1))), where);
  }
  if (word == "type") {
    const Json types = rest.is_array() ? rest : Json::array({rest});
    const bool fits = std::ranges::any_of(
        types, [&](const Json& type) { return is_of_type(value, type.get<std::string>()); });
    return fits ? "" : shown + " is not of type " + rest.dump();
  }
  if (word == "const") return value == rest ? "" : shown + " is not " + rest.dump();
  if (word == "enum") {
    return std::ranges::find(rest, value) != rest.end() ? "" : shown + " is not in " + rest.dump();
  }
  if (word == "minimum") return !value.is_number() || value >= rest ? "" : shown + " is too small";
  if (word == "maximum") return !value.is_number() || value <= rest ? "" : shown + " is too large";
  if (word == "minItems") return value.size() >= rest ? "" : shown + " has too few items";
  if (word == "maxItems") return value.size() <= rest ? "" : shown + " has too many items";
  if (word == "anyOf") {
    std::string all;
    for (const Json& one : rest) {
      const std::string found = problem(value, one, where);
      if (found.empty()) return "";
      all += found + '\n';
    }
    return all;
  }
  if (word == "items") {
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
      std::string found = problem(value[i], rest, where + "/" + std::to_string(i));
      if (!found.empty()) return found;
    }
    return "";
  }
  if (word == "required") {
    for (const Json& name : rest) {
      const std::string member = name.get<std::string>();
      if (value.is_object() && !value.contains(member)) return where + ": lacks " + member;
    }
    return "";
  }
  if (word == "properties") return problem_of_members(value, schema, where);
  return where + ": the schema has an unknown word, " + word;
}

std::string JsonSchema::problem_of_members(const Json& value, const Json& schema,
                                           const std::string& where) const {
  if (!value.is_object()) return "";
  const Json& known = schema["properties"];
  for (const auto& [name, member] : value.items()) {
    const bool is_known = known.contains(name);
    const Json others = schema.value("additionalProperties", Json(true));
    std::string found = problem(member, is_known ? known[name] : others, where + "/" + name);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace lightcone
