// Mutual exclusion by a token that goes round; with --bug one process does not wait for it.
#include <algorithm>

#include "command_line.h"

namespace {

using lightcone::Actor;

constexpr int rounds = 3;

void use_the_resource(Actor& actor) {
  actor.event({.labels = {"enter"}});
  actor.event({.labels = {"leave"}});
}

void go_round(Actor& actor, bool bug) {
  const auto& names = actor.names();
  const auto self = std::find(names.begin(), names.end(), actor.name());
  const bool is_first = self == names.begin(), is_last = self + 1 == names.end();
  const std::string& next = is_last ? names.front() : self[1];
  for (int round = 0; round < rounds; ++round) {
    if (is_first && round == 0) {
      actor.event({.labels = {"token"}});  // someone has to make it
    } else {
      actor.receive({.labels = {"token"}});
    }
    use_the_resource(actor);
    if (is_last && round + 1 == rounds) break;  // the token ends here
    actor.send(next, "token");
    // The bug: this process takes the token for lost at once, and goes in without.
    if (bug && round == 0 && actor.name() == "carol") use_the_resource(actor);
  }
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::watched(count, words);
  const auto part = [&](Actor& actor) { go_round(actor, said.bug); };
  return examples::run({{"alice", "bob", "carol", "dave"}, part}, said);
}
