// The past of an event as a graph, along which flows are found.
#pragma once

#include <lightcone/riders/inspection.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// The past of an event as a graph of states, in causal order; the event itself comes last.
struct PastGraph {
  std::vector<Row> rows;
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> predecessors;  ///< by their places in `rows`; the local one first

  [[nodiscard]] std::span<const std::uint32_t> before(std::size_t vertex) const {
    return {predecessors.data() + begin[vertex], begin[vertex + 1] - begin[vertex]};
  }
};

/// The graph of which a flow to `row` is a path: of states along local steps and messages, or of a
/// longest flow, of letters along the covering relation.
[[nodiscard]] PastGraph past_of(const Inspection& inspection, const CompiledFlow& flow, Row row);

/// How many paths lead to the last vertex; UINT64_MAX: at least as many.
[[nodiscard]] std::uint64_t count_paths(const PastGraph& graph);

[[nodiscard]] ProcessIndex process_of(const Computation& computation, Row row);

}  // namespace lightcone
