// Blocks of LRDAG equations, as trees.
#pragma once

#include <lightcone/property/language/flow.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// One side of an LRDAG equation.
struct Formula {
  enum class Kind : std::uint8_t {
    constant,
    atom,
    initial,
    send,
    receive,  // of the state itself
    variable,
    previous,
    message,  // of a variable: here, in the local, the remote past
    negation,
    conjunction,
    disjunction,
    equivalence,
  };
  Kind kind = Kind::constant;
  bool value = false;          ///< of a constant
  std::uint32_t variable = 0;  ///< the index of its equation
  Atom atom = {};
  std::vector<Formula> parts = {};
};

/// `x := f`
struct Equation {
  std::string name;
  Formula formula;
  std::string text;  ///< the formula as it was written
};

/// A block of equations; the property is where one of them holds.
struct Logic {
  std::vector<Equation> equations;
  std::uint32_t detected = 0;
};

}  // namespace lightcone
