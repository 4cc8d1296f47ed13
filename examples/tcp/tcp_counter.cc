// Two clients add to the counter of a store, over a transport that Lightcone does not know: each
// process is one of the operating system, and their messages go over TCP.
//
// tcp_counter [--bug]     with --bug, clients read the counter and write it back
#include <lightcone/actor.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tcp/tcp_mailbox.h"

namespace {

using lightcone::Actor;
using lightcone::Program;

/// The mailboxes of all processes. They are there before the processes, so that all ports are
/// known.
using Mailboxes = std::vector<tcp::Mailbox>;

/// An actor whose messages go over TCP.
class TcpActor final : public Actor {
 public:
  TcpActor(lightcone::Process& process, const Program& program, tcp::Mailbox& mailbox)
      : Actor(process, program), mailbox_(mailbox) {}

 private:
  void send_text(std::string_view to, std::string_view text, const lightcone::LiveState& state,
                 const std::source_location& where) override {
    const auto sent = mailbox_.send(process(), to, text, state, where);
    if (!sent) throw std::runtime_error(sent.error().text());
  }
  [[nodiscard]] lightcone::TakenParcel take_next(const std::source_location&) override {
    auto message = mailbox_.take(process());
    if (!message) throw std::runtime_error("no one sends any more");
    return std::move(*message);
  }

  tcp::Mailbox& mailbox_;
};

void be_store(Actor& actor, bool bug) {
  std::int64_t counter = 0;
  for (int messages = bug ? 4 : 2; messages > 0; --messages) {
    auto message = actor.take();
    if (message.content == "get") {
      actor.receive(message);
      actor.send(message.from, std::to_string(counter));
    } else {
      counter = message.content == "add" ? counter + 1 : std::stoll(message.content);
      actor.receive(message, {.labels = {"put"}, .variables = {{"counter", counter}}});
    }
  }
  if (counter != 2) throw std::runtime_error("an addition is lost");
}

void be_client(Actor& actor, bool bug) {
  if (!bug) return actor.send("store", "add");
  actor.send("store", "get");
  const auto counter = std::stoll(actor.receive().content);
  actor.send("store", std::to_string(counter + 1));
}

/// One process, in its own process of the operating system.
void live(const Program& program, Mailboxes& mailboxes, std::size_t index) {
  tcp::Mailbox own = std::move(mailboxes[index]);
  own.on_bad_peer = [](const std::string& what) { std::fprintf(stderr, "%s\n", what.c_str()); };
  own.expect_peers(program.names.size() - 1);
  for (std::size_t i = 0; i < program.names.size(); ++i) {
    if (i == index) continue;
    const auto connected = own.connect(program.names[i], mailboxes[i].port());
    if (!connected) throw std::runtime_error(connected.error().text());
  }
  mailboxes.clear();  // those of the others are theirs
  auto process = lightcone::Process::start(program.options_of(program.names[index]));
  if (!process) throw std::runtime_error(process.error().text());
  TcpActor actor(**process, program, own);
  program.part(actor);
}

/// Starts all processes and waits for them. Returns whether all went well.
[[nodiscard]] bool run(const Program& program) {
  Mailboxes mailboxes;
  for (std::size_t i = 0; i < program.names.size(); ++i) {
    auto mailbox = tcp::Mailbox::listen();
    if (!mailbox) throw std::runtime_error(mailbox.error().text());
    mailboxes.push_back(std::move(*mailbox));
  }
  for (std::size_t i = 0; i < program.names.size(); ++i) {
    const pid_t id = ::fork();
    if (id < 0) throw std::runtime_error("cannot start a process");
    if (id > 0) continue;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with the program
    int status = EXIT_SUCCESS;
    try {
      live(program, mailboxes, i);
    } catch (const std::exception& exception) {
      std::fprintf(stderr, "%s failed: %s\n", program.names[i].c_str(), exception.what());
      status = EXIT_FAILURE;
    }
    ::_exit(status);
  }
  mailboxes.clear();
  bool well = true;
  for (int status = 0; ::wait(&status) > 0;) well = well && status == 0;
  return well;
}

}  // namespace

int main(int count, char** words) {
  const bool bug = count > 1 && std::string_view(words[1]) == "--bug";
  const Program program{{"store", "alice", "bob"}, [bug](Actor& actor) {
                          actor.name() == "store" ? be_store(actor, bug) : be_client(actor, bug);
                        }};
  try {
    return run(program) ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return EXIT_FAILURE;
  }
}
