// Random computations of a given shape: input for tests, benchmarks and `lightcone generate`.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/progress.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone {

/// Which processes send to which.
enum class Topology {
  uniform,  ///< anyone to anyone
  ring,     ///< each to the process before it and the one after it
  star,     ///< the first process to everyone, everyone to the first
  pairs,    ///< the first with the second, the third with the fourth, ...
  phases    ///< anyone to anyone, until all report to the first process, which releases them
};

/// How the delays of messages lie around their mean.
enum class Spread { fixed, uniform, exponential };

/// A label, and the share of events that carry it.
struct LabelRate {
  std::string name;
  double rate = 0;
};

/// A variable that walks at random, and the share of events that change it.
struct VariableRate {
  enum class Type { boolean, integer, real };
  std::string name;
  double rate = 0;
  Type type = Type::integer;
};

/// What a random computation looks like. All rates lie between 0 and 1.
struct RandomShape {
  std::uint64_t seed = 1;
  std::uint32_t processes = 4;
  std::uint32_t events = 100;  ///< of all processes together, exactly
  Topology topology = Topology::uniform;
  double message_rate = 0.5;  ///< of the events that receive nothing: the share that send
  double multicast_rate = 0;  ///< of the sends: the share with several receivers
  double batch_rate = 0;      ///< of the receives: the share that take all that has arrived
  double duplicate_rate = 0;  ///< of the receptions: the share that are delivered once more
  double delay = 3;           ///< mean, in the time that a process needs for one event
  Spread spread = Spread::exponential;
  bool fifo = false;  ///< no message overtakes another of the same sender and receiver
  std::uint32_t phase_length = 20;  ///< phases: events of a process from barrier to barrier
  std::vector<LabelRate> labels = {};
  std::vector<VariableRate> variables = {};
  bool times = false;  ///< events say when they happened, at a thousand a second in each process
};

/// Checks that there is such a computation. The error says what is impossible in the shape.
[[nodiscard]] Expected<void> check_shape(const RandomShape& shape);

/// The same computation for the same shape, on every machine; an error for a shape that cannot be.
[[nodiscard]] Expected<Computation> random_computation(const RandomShape& shape,
                                                       const Progress& progress = {});

}  // namespace lightcone
