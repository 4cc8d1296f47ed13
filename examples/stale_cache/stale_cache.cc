// A store behind a cache; with --bug the store does not wait until the cache has dropped its copy.
#include <cstdio>

#include "local_cluster.h"

namespace {

using namespace lightcone;
using local_cluster::done;
using local_cluster::Node;
using zeromq::Message;

bool say(Node& node, const std::string& to, std::string_view text) {
  return done(zeromq::send(node.to(to), node.process(), to, {text}));
}

/// Writes, and reads what it has written.
bool be_client(Node& node, bool bug) {
  Message message;
  if (!say(node, "store", "write")) return false;
  if (!done(zeromq::receive(node.inbox(), node.process(), message))) return false;
  if (!say(node, "cache", "read")) return false;
  if (!done(zeromq::receive(node.inbox(), node.process(), message))) return false;
  const bool fresh = message.text() == "new";
  std::printf("the client reads the %s value\n", fresh ? "new" : "old");
  std::fflush(stdout);
  return say(node, "cache", "stop") && (fresh || bug);
}

bool be_store(Node& node, bool bug) {
  Process& process = node.process();
  for (Message message; done(zeromq::take(node.inbox(), process, message));) {
    bool well = true;
    if (message.text() == "write") {
      process.receive(message.tag, {.labels = {"write"}});
      well = say(node, "cache", "drop");
      if (!bug) {
        well = well &&
               done(zeromq::receive(node.inbox(), process, message, {.labels = {"invalidate"}}));
      }
      well = well && say(node, "client", "written");
    } else if (message.text() == "dropped") {
      process.receive(message.tag, {.labels = {"invalidate"}});
    } else {
      process.receive(message.tag);
      if (message.text() == "stop") return true;
      well = say(node, "cache", "new");  // it was asked for the value
    }
    if (!well) return false;
  }
  return false;
}

bool be_cache(Node& node) {
  Process& process = node.process();
  std::string copy = "old";
  for (Message message; done(zeromq::take(node.inbox(), process, message));) {
    bool well = true;
    if (message.text() == "drop") {
      process.receive(message.tag, {.labels = {"invalidate"}});
      copy.clear();
      well = say(node, "store", "dropped");
    } else if (message.text() == "read") {
      process.receive(message.tag, {.labels = {"read"}});
      if (copy.empty()) {
        well = say(node, "store", "fetch") && done(zeromq::receive(node.inbox(), process, message));
        copy = message.text();
      }
      well = well && say(node, "client", copy);
    } else {
      process.receive(message.tag);
      return say(node, "store", "stop");
    }
    if (!well) return false;
  }
  return false;
}

}  // namespace

int main(int count, char** words) {
  const auto arguments = local_cluster::arguments_of(count, words);
  if (!arguments.valid) return 2;
  const local_cluster::Cluster cluster{.names = {"client", "store", "cache"},
                                       .properties_file = arguments.properties_file,
                                       .traces = arguments.traces};
  const bool well = local_cluster::run(cluster, [&](Node& node) {
    if (node.name() == "client") return be_client(node, arguments.bug);
    return node.name() == "store" ? be_store(node, arguments.bug) : be_cache(node);
  });
  return well ? 0 : 1;
}
