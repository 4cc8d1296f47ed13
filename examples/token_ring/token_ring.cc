// Mutual exclusion by a token that goes round; with --bug one process does not wait for it.
#include "local_cluster.h"

namespace {

using namespace lightcone;
using local_cluster::done;
using local_cluster::Node;

constexpr int rounds = 3;

void use_the_resource(Process& process) {
  process.event({.labels = {"enter"}});
  process.event({.labels = {"leave"}});
}

bool go_round(Node& node, bool bug) {
  const bool is_first = node.index() == 0;
  const bool is_last = node.index() + 1 == node.names().size();
  const std::string& next = node.names()[is_last ? 0 : node.index() + 1];
  Process& process = node.process();
  zeromq::Message message;
  for (int round = 0; round < rounds; ++round) {
    if (is_first && round == 0) {
      process.event({.labels = {"token"}});  // someone has to make it
    } else if (!done(zeromq::receive(node.inbox(), process, message, {.labels = {"token"}}))) {
      return false;
    }
    use_the_resource(process);
    if (is_last && round + 1 == rounds) break;  // the token ends here
    if (!done(zeromq::send(node.to(next), process, next, {"token"}))) return false;
    // The bug: this process takes the token for lost at once, and goes in without.
    if (bug && round == 0 && node.name() == "carol") use_the_resource(process);
  }
  return true;
}

}  // namespace

int main(int count, char** words) {
  const auto arguments = local_cluster::arguments_of(count, words);
  if (!arguments.valid) return 2;
  const local_cluster::Cluster ring{.names = {"alice", "bob", "carol", "dave"},
                                    .properties_file = arguments.properties_file,
                                    .traces = arguments.traces};
  return local_cluster::run(ring, [&](Node& node) { return go_round(node, arguments.bug); }) ? 0
                                                                                             : 1;
}
