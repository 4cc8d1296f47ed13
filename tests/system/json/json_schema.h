// Says what is wrong with a JSON document, by a schema of docs/schema.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lightcone {

/// A JSON Schema, as far as those of docs/schema use it. A word that is not known here is a problem
/// of every document: nothing in a schema goes unchecked.
class JsonSchema {
 public:
  /// The schema of a command: `check` for docs/schema/check.json.
  explicit JsonSchema(const std::string& command);

  /// Returns the first thing that is wrong, with where it is; empty if nothing is.
  [[nodiscard]] std::string problem(const nlohmann::json& document) const {
    return problem(document, schema_, "");
  }

 private:
  using Json = nlohmann::json;
  [[nodiscard]] std::string problem(const Json& value, const Json& schema,
                                    const std::string& where) const;
  [[nodiscard]] std::string problem_of_word(const Json& value, const Json& schema,
                                            const std::string& word,
                                            const std::string& where) const;
  [[nodiscard]] std::string problem_of_members(const Json& value, const Json& schema,
                                               const std::string& where) const;

  Json schema_;
};

}  // namespace lightcone
