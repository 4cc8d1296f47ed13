// Values of variables, once their strings are names of a table.
#pragma once

#include <lightcone/computation.h>

#include <string_view>
#include <type_traits>
#include <variant>

namespace lightcone {

/// The value, with a string as what `intern` makes of it.
template <class Intern>
[[nodiscard]] Value interned(const SpelledValue& spelled, const Intern& intern) {
  return std::visit(
      [&](const auto& value) -> Value {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
          return intern(value);
        } else {
          return value;
        }
      },
      spelled);
}

/// The value, with a name of this table as its text.
[[nodiscard]] inline SpelledValue spelled_value(const Value& value, const Names& names) {
  return std::visit(
      [&](const auto& known) -> SpelledValue {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, NameIndex>) {
          return names[known];
        } else {
          return known;
        }
      },
      value);
}

}  // namespace lightcone
