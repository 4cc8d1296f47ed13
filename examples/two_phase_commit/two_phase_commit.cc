// Two-phase commit of one transaction; with --bug one participant votes without having prepared.
#include "local_cluster.h"

namespace {

using namespace lightcone;
using local_cluster::done;
using local_cluster::Node;

/// Sends the same to all participants, who are all but the first.
bool tell_all(Node& node, std::string_view text) {
  for (std::size_t i = 1; i < node.names().size(); ++i) {
    const std::string& participant = node.names()[i];
    if (!done(zeromq::send(node.to(participant), node.process(), participant, {text}))) {
      return false;
    }
  }
  return true;
}

bool coordinate(Node& node) {
  if (!tell_all(node, "prepare")) return false;
  zeromq::Message vote;
  for (std::size_t i = 1; i < node.names().size(); ++i) {
    if (!done(zeromq::receive(node.inbox(), node.process(), vote))) return false;
    if (vote.text() != "yes") return false;
  }
  // A vote without preparation is detected here: at the decision, before anyone acts on it.
  node.process().event({.labels = {"commit"}});
  return tell_all(node, "commit");
}

bool take_part(Node& node, bool prepares) {
  zeromq::Message message;
  const std::string& coordinator = node.names()[0];
  if (!done(zeromq::receive(node.inbox(), node.process(), message))) return false;
  if (prepares) node.process().event({.labels = {"prepare"}});
  if (!done(zeromq::send(node.to(coordinator), node.process(), coordinator, {"yes"},
                         {.labels = {"vote"}}))) {
    return false;
  }
  return done(zeromq::receive(node.inbox(), node.process(), message, {.labels = {"commit"}}));
}

}  // namespace

int main(int count, char** words) {
  const auto arguments = local_cluster::arguments_of(count, words);
  if (!arguments.valid) return 2;
  const local_cluster::Cluster cluster{.names = {"coordinator", "anna", "ben", "carl"},
                                       .properties_file = arguments.properties_file,
                                       .traces = arguments.traces};
  const bool well = local_cluster::run(cluster, [&](Node& node) {
    if (node.index() == 0) return coordinate(node);
    return take_part(node, !(arguments.bug && node.name() == "ben"));
  });
  return well ? 0 : 1;
}
