// What is true of a communicator: its members, and how they are arranged. It can be kept in a
// journal.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::mpi {

/// How the members of a communicator are arranged.
struct Topology {
  enum class Kind : std::uint8_t { none, grid, graph, neighbours };
  Kind kind = Kind::none;
  /// grid: sizes and whether they are periodic; graph: as MPI_Graph_get; neighbours: sources,
  /// their weights, destinations, their weights. No weights are an empty list.
  std::vector<std::vector<int>> lists = {};

  [[nodiscard]] const std::vector<int>& list(std::size_t index) const {
    static const std::vector<int> none;
    return index < lists.size() ? lists[index] : none;
  }
};

/// One communicator as one of its processes sees it.
struct CommunicatorFacts {
  bool is_null = false;  ///< this process is no member: it got MPI_COMM_NULL
  bool is_inter = false;
  int rank = 0;                   ///< of this process in its group
  std::vector<int> members = {};  ///< of its group, by their ranks in the world
  std::vector<int> others = {};   ///< of the other group, if it is an intercommunicator
  Topology topology = {};

  /// What the MPI says of a communicator; `world` is the group of all processes.
  [[nodiscard]] static CommunicatorFacts of(MPI_Comm handle, MPI_Group world);
  /// Returns how many neighbours a process gets something from.
  [[nodiscard]] int sources() const;

  /// As a journal keeps them.
  [[nodiscard]] std::string bytes() const;
  [[nodiscard]] static std::optional<CommunicatorFacts> read(std::string_view bytes);
};

/// The ranks in the world of a group's members.
[[nodiscard]] std::vector<int> world_ranks(MPI_Group group, MPI_Group world);

}  // namespace lightcone::mpi
