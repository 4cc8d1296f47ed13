// The values a variable of an observed program can have.
#pragma once

#include <lightcone/causal/names.h>

#include <cstdint>
#include <variant>

namespace lightcone {

/// A boolean, an integer, a real, or a string (as an index into the computation's names).
using Value = std::variant<bool, std::int64_t, double, NameIndex>;

/// `variable := value`, done by one event or by the initial state.
struct Assignment {
  NameIndex variable;
  Value value;
  friend bool operator==(const Assignment&, const Assignment&) = default;
};

}  // namespace lightcone
