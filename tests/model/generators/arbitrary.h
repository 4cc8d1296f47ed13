// Random computations for RapidCheck, small enough for brute force, with everything a trace can
// have: multicasts, batches, redeliveries, messages to oneself, receives that also send, messages
// in transit, silent processes, sends that stand after their receives in the file, labels and
// variables at events and initial states.
#pragma once

#include <lightcone/causal/builder.h>
#include <lightcone/computation.h>
#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lightcone::arbitrary {

/// What a random computation is made from; it shrinks step by step.
struct Script {
  struct Step {
    std::uint8_t process, action, choice, decoration;
  };
  std::uint8_t processes = 1;
  std::vector<Step> steps;
  std::vector<std::uint8_t> starts;  ///< decorations of initial states; 0: not described
  std::uint64_t shuffle = 0;         ///< 0: lines in the order of the simulation
};

[[nodiscard]] rc::Gen<Script> script(std::size_t most_steps = 80);

/// Plays the script. The result is a valid computation by construction.
[[nodiscard]] Computation play(const Script& script);

/// Says what the event added last carries, given its process and two bytes of the script.
using Decorate =
    std::function<void(Builder&, ProcessIndex, std::uint8_t decoration, std::uint8_t choice)>;
/// The same with other labels and variables.
[[nodiscard]] Computation play(const Script& script, const Decorate& decorate);

/// Sanitizers look for other mistakes, which fewer cases show as well: this share of them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int one_in = 8;
#else
inline constexpr int one_in = 1;
#endif

/// Runs `property`, which draws what it needs, `cases / one_in` times and fails the test with a
/// small counterexample.
void for_all(const std::string& what, int cases, const std::function<void()>& property);

/// Runs `property` on `cases / one_in` random computations and fails the test with a small
/// counterexample.
void for_all_computations(const std::string& what, int cases,
                          const std::function<void(const Computation&)>& property);

std::ostream& operator<<(std::ostream& out, const Script& script);

}  // namespace lightcone::arbitrary
