// A hub scatters parts of some work and collects them; with --bug it stops waiting too early.
#include "local_cluster.h"

namespace {

using namespace lightcone;
using local_cluster::done;
using local_cluster::Node;

bool scatter_and_collect(Node& node, bool bug) {
  Process& process = node.process();
  const std::size_t parts = node.names().size() - 1;
  for (std::size_t i = 1; i <= parts; ++i) {
    const std::string& worker = node.names()[i];
    if (!done(zeromq::send(node.to(worker), process, worker, {"part"}, {.labels = {"scatter"}}))) {
      return false;
    }
  }
  const std::size_t enough = bug ? parts - 1 : parts;
  zeromq::Message message;
  for (std::size_t i = 1; i <= parts; ++i) {
    if (!done(zeromq::receive(node.inbox(), process, message, {.labels = {"collect"}}))) {
      return false;
    }
    if (i == enough) process.event({.labels = {"done"}});
  }
  return true;
}

bool work(Node& node) {
  const std::string& hub = node.names()[0];
  zeromq::Message message;
  if (!done(zeromq::receive(node.inbox(), node.process(), message))) return false;
  node.process().event({.labels = {"part"}});
  return done(zeromq::send(node.to(hub), node.process(), hub, {"result"}));
}

}  // namespace

int main(int count, char** words) {
  const auto arguments = local_cluster::arguments_of(count, words);
  if (!arguments.valid) return 2;
  const local_cluster::Cluster cluster{.names = {"hub", "ada", "bob", "cy"},
                                       .properties_file = arguments.properties_file,
                                       .traces = arguments.traces};
  const bool well = local_cluster::run(cluster, [&](Node& node) {
    return node.index() == 0 ? scatter_and_collect(node, arguments.bug) : work(node);
  });
  return well ? 0 : 1;
}
