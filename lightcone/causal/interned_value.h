// The values a variable of an observed program can have.
#pragma once

#include <lightcone/causal/names.h>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace lightcone {

/// A boolean, an integer, a real, or a string (as an index into the computation's names).
using Value = std::variant<bool, std::int64_t, double, NameIndex>;

/// The same before its strings have been interned.
using SpelledValue = std::variant<bool, std::int64_t, double, std::string_view>;

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

/// `variable := value`, done by one event or by the initial state.
struct Assignment {
  NameIndex variable;
  Value value;
  friend bool operator==(const Assignment&, const Assignment&) = default;
};

}  // namespace lightcone
