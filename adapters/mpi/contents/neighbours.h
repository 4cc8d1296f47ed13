// Whom a process exchanges data with in a neighbourhood collective, and what of a buffer is theirs.
#pragma once

#include <span>
#include <vector>

#include "calls/packed_message.h"
#include "process/communicator_facts.h"

namespace lightcone::mpi {

/// In the order of their blocks, by rank in the communicator. MPI_PROC_NULL stands beyond the edge
/// of a grid: its block is neither read nor written.
struct Neighbours {
  std::vector<int> sources = {}, destinations = {};

  [[nodiscard]] static Neighbours of(const CommunicatorFacts& facts);
};

/// Neighbours that are other processes, by rank in the world, each once.
[[nodiscard]] std::vector<int> others_among(const std::vector<int>& neighbours,
                                            const CommunicatorFacts& facts);

/// The blocks of neighbours that are there. A single buffer holds as many blocks as there are
/// neighbours, one after the other.
[[nodiscard]] std::vector<Buffer> blocks_of(const std::vector<int>& neighbours,
                                            std::span<const Buffer> buffers);

}  // namespace lightcone::mpi
