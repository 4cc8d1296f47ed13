// A store behind a cache; with --bug the store does not wait until the cache has dropped its copy.
#include <cstdio>
#include <stdexcept>

#include "command_line.h"

namespace {

using lightcone::Actor;

/// Writes, and reads what it has written.
void be_client(Actor& actor, bool bug) {
  actor.send("store", "write");
  actor.receive();
  actor.send("cache", "read");
  const bool fresh = actor.receive().content == "new";
  std::printf("the client reads the %s value\n", fresh ? "new" : "old");
  std::fflush(stdout);
  actor.send("cache", "stop");
  if (!fresh && !bug) throw std::runtime_error("it has written another value");
}

void be_store(Actor& actor, bool bug) {
  for (;;) {
    auto message = actor.take();
    if (message.content == "write") {
      actor.receive(message, {.labels = {"write"}});
      actor.send("cache", "drop");
      if (!bug) actor.receive({.labels = {"invalidate"}});
      actor.send("client", "written");
    } else if (message.content == "dropped") {
      actor.receive(message, {.labels = {"invalidate"}});
    } else {
      actor.receive(message);
      if (message.content == "stop") return;
      actor.send("cache", "new");  // it was asked for the value
    }
  }
}

void be_cache(Actor& actor) {
  for (std::string copy = "old";;) {
    auto message = actor.take();
    if (message.content == "drop") {
      actor.receive(message, {.labels = {"invalidate"}});
      copy.clear();
      actor.send("store", "dropped");
    } else if (message.content == "read") {
      actor.receive(message, {.labels = {"read"}});
      if (copy.empty()) {
        actor.send("store", "fetch");
        copy = actor.receive().content;
      }
      actor.send("client", copy);
    } else {
      actor.receive(message);
      return actor.send("store", "stop");
    }
  }
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::watched(count, words);
  const auto part = [&](Actor& actor) {
    if (actor.name() == "client") return be_client(actor, said.bug);
    if (actor.name() == "store") return be_store(actor, said.bug);
    be_cache(actor);
  };
  return examples::run({{"client", "store", "cache"}, part}, said);
}
