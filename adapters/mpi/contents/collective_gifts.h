// What a process gives to a collective operation, from the arguments of the call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include "calls/collective_results.h"

namespace lightcone::mpi {

/// Returns whether a call of the shape `allgather` gives all others the same, unlike MPI_Alltoall.
[[nodiscard]] inline bool is_same_for_all(std::string_view call) {
  return call.find("lltoall") == std::string_view::npos;
}

/// The places that the process gives something from. `call` tells apart what has the same results:
/// MPI_Alltoall from MPI_Allgather, and MPI_Reduce_scatter_block from MPI_Allreduce.
template <Shape shape, class... Arguments>
[[nodiscard]] std::vector<Buffer> gifts_of(const PlaceInOperation& place, std::string_view call,
                                           const std::tuple<Arguments...>& all) {
  const auto at = [](const void* buffer) { return const_cast<void*>(buffer); };
  const auto one = [&]<std::size_t i>(MPI_Count times) -> std::vector<Buffer> {
    return {{at(std::get<i>(all)), static_cast<MPI_Count>(std::get<i + 1>(all)) * times,
             std::get<i + 2>(all)}};
  };
  if constexpr (shape == Shape::nothing) {
    return {};
  } else {
    const bool in_place = std::get<0>(all) == MPI_IN_PLACE;
    if constexpr (shape == Shape::bcast) {
      if (place.is_root) return one.template operator()<0>(1);
    } else if constexpr (shape == Shape::gather || shape == Shape::gatherv) {
      if (!in_place) return one.template operator()<0>(1);
    } else if constexpr (shape == Shape::scatter) {
      if (place.is_root) return one.template operator()<0>(place.blocks);
    } else if constexpr (shape == Shape::scatterv) {
      if (place.is_root) {
        return blocks_at(at(std::get<0>(all)), place.blocks, std::get<1>(all), std::get<2>(all),
                         std::get<3>(all));
      }
    } else if constexpr (shape == Shape::allgather) {
      const bool to_each = !is_same_for_all(call);
      if (!in_place) return one.template operator()<0>(to_each ? place.blocks : 1);
      auto whole = one.template operator()<3>(place.blocks);
      if (to_each) return whole;
      const auto count = static_cast<MPI_Count>(std::get<4>(all));
      MPI_Aint lower = 0, extent = 0;
      LIGHTCONE_REAL(Type_get_extent)(std::get<5>(all), &lower, &extent);
      return {{static_cast<char*>(whole.front().at) + place.rank * count * extent, count,
               std::get<5>(all)}};
    } else if constexpr (shape == Shape::allgatherv) {
      if (!in_place) return one.template operator()<0>(1);
      const auto blocks = blocks_at(at(std::get<3>(all)), place.blocks, std::get<4>(all),
                                    std::get<5>(all), std::get<6>(all));
      return {blocks[static_cast<std::size_t>(place.rank)]};
    } else if constexpr (shape == Shape::alltoallv || shape == Shape::alltoallw) {
      if (in_place) return results_of<shape>(place, all);
      if constexpr (shape == Shape::alltoallv) {
        return blocks_at(at(std::get<0>(all)), place.blocks, std::get<1>(all), std::get<2>(all),
                         std::get<3>(all));
      } else {
        std::vector<Buffer> blocks;
        for (int i = 0; i < place.blocks; ++i) {
          blocks.push_back({static_cast<char*>(at(std::get<0>(all))) + std::get<2>(all)[i],
                            static_cast<MPI_Count>(std::get<1>(all)[i]), std::get<3>(all)[i]});
        }
        return blocks;
      }
    } else if constexpr (shape == Shape::reduce_scatter) {
      MPI_Count count = 0;
      for (int i = 0; i < place.blocks; ++i) count += std::get<2>(all)[i];
      return {{in_place ? std::get<1>(all) : at(std::get<0>(all)), count, std::get<3>(all)}};
    } else {
      const bool blocks = call.find("scatter_block") != std::string_view::npos;
      return {{in_place ? std::get<1>(all) : at(std::get<0>(all)),
               static_cast<MPI_Count>(std::get<2>(all)) * (blocks ? place.blocks : 1),
               std::get<3>(all)}};
    }
    return {};
  }
}

}  // namespace lightcone::mpi
