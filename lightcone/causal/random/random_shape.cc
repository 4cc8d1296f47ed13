// Checks the shape of a random computation.
#include <lightcone/causal/random/random_computation.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] Expected<void> check_rate(const std::string& what, double value) {
  if (value >= 0 && value <= 1) return {};
  return failure(what + " is not between 0 and 1", {}, 0, "a rate is a share, as 0.25");
}

/// Labels or variables: each rate, and that no name comes twice.
template <class Rates>
[[nodiscard]] Expected<void> check_rates(const std::string& what, const Rates& rates) {
  for (auto it = rates.begin(); it != rates.end(); ++it) {
    const std::string whose = what + " `" + it->name + "`";
    if (auto fine = check_rate("the rate of " + whose, it->rate); !fine) return fine;
    const auto same = [&](const auto& other) { return other.name == it->name; };
    if (std::any_of(rates.begin(), it, same)) return failure(whose + " is given twice");
  }
  return {};
}

}  // namespace

Expected<void> check_shape(const RandomShape& shape) {
  if (shape.processes == 0) return failure("a computation needs at least one process");
  if (shape.processes > 1'000'000) return failure("more than 1000000 processes");
  if (shape.events > 4'000'000'000) return failure("more than 4000000000 events");
  if (!(shape.delay >= 0 && shape.delay <= 1e6)) {
    return failure("the delay is not between 0 and 1000000");
  }
  if (shape.phase_length == 0) return failure("a phase needs at least one event");
  if (shape.phase_length > 1'000'000'000) return failure("a phase of more than 1000000000 events");
  const std::pair<const char*, double> rates[] = {{"the message rate", shape.message_rate},
                                                  {"the multicast rate", shape.multicast_rate},
                                                  {"the batch rate", shape.batch_rate},
                                                  {"the duplicate rate", shape.duplicate_rate}};
  for (const auto& [what, rate] : rates) {
    if (auto fine = check_rate(what, rate); !fine) return fine;
  }
  if (auto fine = check_rates("label", shape.labels); !fine) return fine;
  return check_rates("variable", shape.variables);
}

}  // namespace lightcone
