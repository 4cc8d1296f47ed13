// Two-phase commit of one transaction; with --bug one participant votes without having prepared.
#include <stdexcept>

#include "command_line.h"

namespace {

using lightcone::Actor;

const std::vector<std::string> participants = {"anna", "ben", "carl"};

void coordinate(Actor& actor) {
  for (const std::string& participant : participants) actor.send(participant, "prepare");
  for (std::size_t i = 0; i < participants.size(); ++i) {
    if (actor.receive().content != "yes") throw std::runtime_error("a participant refuses");
  }
  // A vote without preparation is detected here: at the decision, before anyone acts on it.
  actor.event({.labels = {"commit"}});
  for (const std::string& participant : participants) actor.send(participant, "commit");
}

void take_part(Actor& actor, bool prepares) {
  actor.receive();
  if (prepares) actor.event({.labels = {"prepare"}});
  actor.send("coordinator", "yes", {.labels = {"vote"}});
  actor.receive({.labels = {"commit"}});
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::watched(count, words);
  const auto part = [&](Actor& actor) {
    if (actor.name() == "coordinator") return coordinate(actor);
    take_part(actor, !(said.bug && actor.name() == "ben"));
  };
  return examples::run({{"coordinator", "anna", "ben", "carl"}, part}, said);
}
