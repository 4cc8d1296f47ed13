// Writes a lattice for Graphviz, which lays it out.
#include <fmt/format.h>

#include "draw/lattice/lattice_svg.h"
#include "draw/svg_text.h"

namespace lightcone::cli {
namespace {

/// Text in double quotes, in which Graphviz reads backslashes as escapes.
[[nodiscard]] std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : safe_text(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string lattice_dot(const LatticePicture& picture) {
  const LatticeGraph& graph = picture.graph;
  std::string out = fmt::format(
      "digraph states {{\n  label={};\n  rankdir=BT;\n  node [shape=box, style=rounded];\n",
      dot_string(picture.title));
  for (std::size_t row = 0; row < graph.rows(); ++row) {
    for (std::uint32_t i = graph.row_begin[row]; i < graph.row_begin[row + 1]; ++i) {
      out += fmt::format("  s{} [label={}{}];\n", i, dot_string(ranks_text(graph.cuts[i])),
                         graph.is_inevitable(row) ? ", style=\"rounded,bold,filled\"" : "");
    }
  }
  for (const LatticeGraph::Edge& edge : graph.edges) {
    const ProcessIndex process = picture.level.process(edge.chain);
    out += fmt::format("  s{} -> s{} [label={}];\n", edge.from, edge.to,
                       dot_string(picture.level.computation().process_name(process)));
  }
  return out + "}\n";
}

}  // namespace lightcone::cli
