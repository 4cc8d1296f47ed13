// Oslo transfers all it has to Rome, whose account is kept in three copies, and an auditor closes
// the books. With --bug Oslo does not wait for the copies: one order of eight loses the money.
#include <algorithm>
#include <stdexcept>

#include "command_line.h"

namespace {

using lightcone::Actor;

constexpr std::int64_t amount = 100;
const std::vector<std::string> copies = {"rome1", "rome2", "rome3"};

void be_oslo(Actor& actor, bool bug) {
  actor.event({.variables = {{"balance", amount}}});
  for (const std::string& copy : copies) {
    actor.send(copy, "deposit", {.variables = {{"balance", std::int64_t{0}}}});
    if (!bug) actor.receive();
  }
  actor.send("auditor", "transferred");
}

/// What comes after the books of the day are closed is not booked.
void be_copy(Actor& actor, bool bug) {
  std::int64_t balance = 0;
  bool closed = false;
  actor.event({.variables = {{"balance", balance}}});
  for (int messages = 0; messages < 2; ++messages) {
    auto message = actor.take();
    if (message.content == "deposit" && !closed) balance += amount;
    actor.receive(message, {.variables = {{"balance", balance}}});
    if (message.content == "close") {
      closed = true;
      actor.send("auditor", std::to_string(balance));
    } else if (!bug) {
      actor.send("oslo", "booked");
    }
  }
}

/// A copy may have missed something: the greatest balance of the three counts.
void be_auditor(Actor& actor) {
  actor.receive();
  std::int64_t balance = 0;
  for (const std::string& copy : copies) {
    actor.send(copy, "close");
    balance = std::max<std::int64_t>(balance, std::stoll(actor.receive().content));
  }
  actor.event({.labels = {"closed"}, .variables = {{"closed", true}}});
  if (balance != amount) throw std::runtime_error("the money is lost");
}

}  // namespace

int main(int count, char** words) {
  const auto said = examples::explored(count, words);
  const auto part = [&](Actor& actor) {
    if (actor.name() == "oslo") return be_oslo(actor, said.bug);
    if (actor.name() == "auditor") return be_auditor(actor);
    be_copy(actor, said.bug);
  };
  return examples::run({{"oslo", "rome1", "rome2", "rome3", "auditor"}, part}, said);
}
