// Three nodes tell each other their numbers, and the lowest leads. With --bug a node decides as
// soon as it has heard from a majority: if the lowest is late, another one leads too.
#include <algorithm>
#include <stdexcept>

#include "command_line.h"

namespace {

using lightcone::Actor;

const std::vector<std::string> nodes = {"n1", "n2", "n3"};

/// Who leads writes to the store; the others leave it alone.
void be_node(Actor& actor, bool bug) {
  for (const std::string& other : nodes) {
    if (other != actor.name()) actor.send(other, "I am here");
  }
  const std::size_t enough = bug ? nodes.size() / 2 + 1 : nodes.size();
  bool leader = true;
  for (std::size_t heard = 2; heard <= nodes.size(); ++heard) {
    auto message = actor.take();
    if (message.from < actor.name()) leader = false;
    actor.receive(message, {.variables = {{"leader", leader && heard >= enough}}});
    if (heard == enough) actor.send("store", leader ? "write" : "leave");
  }
}

void be_store(Actor& actor) {
  std::string writer;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto message = actor.receive();
    if (message.content == "leave") continue;
    if (!writer.empty()) {
      const auto [first, second] = std::minmax(writer, message.from);
      throw std::runtime_error("both " + first + " and " + second + " lead");
    }
    writer = message.from;
  }
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::explored(count, words);
  const auto part = [&](Actor& actor) {
    if (actor.name() == "store") return be_store(actor);
    be_node(actor, said.bug);
  };
  return examples::run({{"n1", "n2", "n3", "store"}, part}, said);
}
