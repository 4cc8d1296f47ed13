// What a property file says: groups, labels and properties.
#pragma once

#include <lightcone/property.h>
#include <lightcone/property/language/expression.h>
#include <lightcone/property/language/flow.h>
#include <lightcone/property/language/logic.h>
#include <lightcone/property/language/token.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

struct Property {
  Verb verb = Verb::watch;
  std::string name;
  std::string text;  ///< the question as it was written, on one line
  TextPlace place = {};
  std::variant<Flow, Logic, Global> question;
  std::string each = {};  ///< the variable of `for each`; empty: the question is asked once
  TextPlace each_place = {};
};

/// Processes by name; `*` in a pattern stands for any run of characters.
struct Group {
  std::string name;
  std::vector<std::string> patterns;
  TextPlace place = {};
};

/// A local predicate with a name.
struct DeclaredLabel {
  std::string name;
  Expression predicate;
  TextPlace place = {};
};

/// All that a property file says.
struct Properties {
  std::string file;
  std::vector<Group> groups;
  std::vector<DeclaredLabel> labels;
  std::vector<Property> properties;
  /// `clocks within`: by how many seconds the clocks of two processes may differ.
  std::optional<double> clocks_within = {};

  [[nodiscard]] const Group* find_group(std::string_view name) const;
  /// The index of a declared label.
  [[nodiscard]] std::optional<std::uint32_t> find_label(std::string_view name) const;
};

/// Returns whether an answer is worth telling at once: where a `require` is missing, where others
/// are found.
[[nodiscard]] constexpr bool is_told(Verb verb, bool found) {
  return found != (verb == Verb::require);
}

}  // namespace lightcone
