// A hub scatters parts of some work and collects them; with --bug it stops waiting too early.
#include "command_line.h"

namespace {

using lightcone::Actor;

const std::vector<std::string> workers = {"ada", "bob", "cy"};

void scatter_and_collect(Actor& actor, bool bug) {
  for (const std::string& worker : workers) actor.send(worker, "part", {.labels = {"scatter"}});
  const std::size_t enough = bug ? workers.size() - 1 : workers.size();
  for (std::size_t i = 1; i <= workers.size(); ++i) {
    actor.receive({.labels = {"collect"}});
    if (i == enough) actor.event({.labels = {"done"}});
  }
}

void work(Actor& actor) {
  actor.receive();
  actor.event({.labels = {"part"}});
  actor.send("hub", "result");
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::watched(count, words);
  const auto part = [&](Actor& actor) {
    if (actor.name() == "hub") return scatter_and_collect(actor, said.bug);
    work(actor);
  };
  return examples::run({{"hub", "ada", "bob", "cy"}, part}, said);
}
