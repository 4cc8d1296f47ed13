// Where a process gets the results of a collective operation, from the arguments of the call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <tuple>
#include <vector>

#include "calls/mpi_functions.h"
#include "calls/packed_message.h"

namespace lightcone::mpi {

/// How the results of an operation lie in memory.
enum class Shape : std::uint8_t {
  nothing,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,  ///< also of MPI_Alltoall
  allgatherv,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,  ///< also of scans
  exscan,
  reduce_scatter,
};

/// What a process is in an operation.
struct PlaceInOperation {
  int blocks = 0;        ///< processes that send it something, itself among them
  int rank = 0;          ///< in its group
  bool is_root = false;  ///< of an operation with a root
  bool receives = true;  ///< false: on the side of the root of an intercommunicator
};

/// One block per process, each with a place of its own.
template <class Counts, class Displacements>
[[nodiscard]] std::vector<Buffer> blocks_at(void* at, int blocks, Counts counts,
                                            Displacements displacements, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  LIGHTCONE_REAL(Type_get_extent)(type, &lower, &extent);
  std::vector<Buffer> all;
  for (int i = 0; i < blocks; ++i) {
    all.push_back({static_cast<char*>(at) + static_cast<MPI_Aint>(displacements[i]) * extent,
                   static_cast<MPI_Count>(counts[i]), type});
  }
  return all;
}

/// The places that the process gets something in, if the operation succeeds.
template <Shape shape, class... Arguments>
[[nodiscard]] std::vector<Buffer> results_of(const PlaceInOperation& place,
                                             const std::tuple<Arguments...>& all) {
  const auto one = [&]<std::size_t at>(MPI_Count times) -> std::vector<Buffer> {
    void* const buffer = std::get<at>(all);
    if (buffer == MPI_IN_PLACE) return {};
    return {{buffer, static_cast<MPI_Count>(std::get<at + 1>(all)) * times, std::get<at + 2>(all)}};
  };
  if constexpr (shape == Shape::bcast) {
    if (!place.is_root && place.receives) return one.template operator()<0>(1);
  } else if constexpr (shape == Shape::gather) {
    if (place.is_root) return one.template operator()<3>(place.blocks);
  } else if constexpr (shape == Shape::scatter) {
    if (place.receives) return one.template operator()<3>(1);
  } else if constexpr (shape == Shape::scatterv) {
    if (place.receives) return one.template operator()<4>(1);
  } else if constexpr (shape == Shape::allgather) {
    return one.template operator()<3>(place.blocks);
  } else if constexpr (shape == Shape::reduce) {
    if (place.is_root) return one.template operator()<1>(1);
  } else if constexpr (shape == Shape::allreduce) {
    return one.template operator()<1>(1);
  } else if constexpr (shape == Shape::exscan) {
    if (place.rank > 0) return one.template operator()<1>(1);
  } else if constexpr (shape == Shape::reduce_scatter) {
    return {
        {std::get<1>(all), static_cast<MPI_Count>(std::get<2>(all)[place.rank]), std::get<3>(all)}};
  } else if constexpr (shape == Shape::gatherv || shape == Shape::allgatherv) {
    if (shape == Shape::gatherv && !place.is_root) return {};
    return blocks_at(std::get<3>(all), place.blocks, std::get<4>(all), std::get<5>(all),
                     std::get<6>(all));
  } else if constexpr (shape == Shape::alltoallv) {
    return blocks_at(std::get<4>(all), place.blocks, std::get<5>(all), std::get<6>(all),
                     std::get<7>(all));
  } else if constexpr (shape == Shape::alltoallw) {
    std::vector<Buffer> blocks;
    for (int i = 0; i < place.blocks; ++i) {
      blocks.push_back({static_cast<char*>(std::get<4>(all)) + std::get<6>(all)[i],
                        static_cast<MPI_Count>(std::get<5>(all)[i]), std::get<7>(all)[i]});
    }
    return blocks;
  }
  return {};
}

}  // namespace lightcone::mpi
