// Two clients add one to a counter, and an addition may be lost; the example of docs/actors.md.
#include <lightcone/actor.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

using lightcone::Actor;

void be_store(Actor& actor) {
  std::int64_t counter = 0;
  for (int messages = 0; messages < 4; ++messages) {
    const auto message = actor.receive();
    if (message.content == "get") {
      actor.send(message.from, std::to_string(counter), {.labels = {"read"}});
    } else {
      counter = std::stoi(message.content);
      actor.event({.labels = {"write"}, .variables = {{"counter", counter}}});
    }
  }
  if (counter != 2) throw std::runtime_error("an addition is lost");
}

void be_client(Actor& actor) {
  actor.send("store", "get");
  const int counter = std::stoi(actor.receive().content);
  actor.send("store", std::to_string(counter + 1));
}

void act(Actor& actor) {
  if (actor.name() == "store") return be_store(actor);
  be_client(actor);
}

}  // namespace

int main() { return lightcone::run_simulated({{"store", "alice", "bob"}, act}); }
