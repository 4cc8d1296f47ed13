// Random global predicates as text, and computations in which they are worth asking.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <random>
#include <string>

#include "model/generators/arbitrary.h"

namespace lightcone::arbitrary {

/// How the integers of a random computation go on.
enum class Manner : std::uint8_t {
  any,      ///< small integers
  growing,  ///< counters that only grow
  steps,    ///< up and down by 1
  mixed,    ///< integers, reals and texts, also at the end of what has 64 bits
};

/// What such a computation is made from; it shrinks step by step.
struct GlobalScript {
  Script script;
  Manner manner = Manner::any;
};

/// 2 to 4 processes with at most this many events; variables `x` and `y` (numbers, see Manner),
/// `flag` (a boolean), `name` (a text), labels `a`, `b`. All variables occur; where a process has
/// not assigned one yet, it is null.
[[nodiscard]] rc::Gen<GlobalScript> global_script(std::size_t most_steps = 36);
[[nodiscard]] Computation play(const GlobalScript& script);

/// Groups, declared labels, and one property a modality, with different expressions. It has no
/// errors.
[[nodiscard]] std::string random_globals(std::mt19937_64& random, const Computation& computation);

/// Runs `property` on `cases / one_in` random computations, each with such a property file; fails
/// the test with a small computation.
void for_all_globals(const std::string& what, int cases,
                     const std::function<void(const Computation&, const Properties&)>& property);

std::ostream& operator<<(std::ostream& out, const GlobalScript& script);

}  // namespace lightcone::arbitrary
