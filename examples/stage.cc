// Gives the parts of a program their networks: fibers and simulated delays, or sockets.
#include "stage.h"

#include <lightcone/network.h>
#include <lightcone/simulation.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "local_cluster.h"

namespace stage {
namespace {

using namespace lightcone;

constexpr unsigned longest_run = 10;  // seconds that a program has as processes

class SimulatedActor final : public Actor {
 public:
  SimulatedActor(SimulatedNetwork& network, Process& process) : Actor(process), network_(network) {}

  void send(const std::string& to, const std::string& text, const LiveState& state,
            const std::source_location& where) override {
    lightcone::send(network_, process(), to, text, state, where);
  }
  Parcel take(const std::source_location& where) override {
    auto parcel = lightcone::take(network_, process(), where);
    if (!parcel) throw std::runtime_error("no one sends any more");
    return std::move(*parcel);
  }

 private:
  SimulatedNetwork& network_;
};

/// Each message has two frames of the program: who sends it, and its text.
class SocketActor final : public Actor {
 public:
  explicit SocketActor(local_cluster::Node& node) : Actor(node.process()), node_(node) {}

  void send(const std::string& to, const std::string& text, const LiveState& state,
            const std::source_location& where) override {
    const auto sent = zeromq::send(node_.to(to), process(), to, {name(), text}, state,
                                   zmq::send_flags::none, where);
    if (!local_cluster::done(sent)) throw std::runtime_error("a message could not be sent");
  }
  Parcel take(const std::source_location&) override {
    zeromq::Message message;
    if (!local_cluster::done(zeromq::take(node_.inbox(), process(), message))) {
      throw std::runtime_error("no message came");
    }
    return {std::string(message.text(0)), std::string(message.text(1)), std::move(message.tag)};
  }

 private:
  local_cluster::Node& node_;
};

/// One process on the simulated network, from its beginning to its end.
void live(SimulatedNetwork& network, const Program& program, const std::string& traces) {
  const std::string name(network.self());
  ProcessOptions options;
  options.name = name;
  options.members = program.names;
  if (!traces.empty()) options.trace = traces + '/' + name + ".lct";
  options.on_error = [](const Error& error) { std::fputs((error.text() + '\n').c_str(), stderr); };
  auto process = Process::start(std::move(options));
  if (!process) throw std::runtime_error(process.error().text());
  std::exception_ptr thrown;
  try {
    SimulatedActor actor(network, **process);
    program.part(actor);
  } catch (const std::exception&) {
    thrown = std::current_exception();
  }
  process->reset();  // what it did is recorded to its end, however that was
  if (thrown) std::rethrow_exception(thrown);
}

[[nodiscard]] int simulate(const Program& program, const Arguments& arguments) {
  const SimulatedProgram explored{.set_up = [&](SimulatedNetwork& network) {
    for (const std::string& name : program.names) {
      network.spawn(name, [&] { live(network, program, arguments.traces); });
    }
  }};
  return run_simulated(explored, {.seed = arguments.seed});
}

[[nodiscard]] int fork_processes(const Program& program, const Arguments& arguments) {
  const local_cluster::Cluster cluster{
      .names = program.names, .traces = arguments.traces, .seconds = longest_run, .patience = -1};
  const bool well = local_cluster::run(cluster, [&](local_cluster::Node& node) {
    try {
      SocketActor actor(node);
      program.part(actor);
      return true;
    } catch (const std::exception& exception) {
      std::fputs((node.name() + " failed: " + exception.what() + '\n').c_str(), stderr);
      return false;
    }
  });
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

Parcel Actor::receive(const LiveState& state, const std::source_location& where) {
  Parcel parcel = take(where);
  process_.receive(parcel.tag, state, where);
  return parcel;
}

Arguments arguments_of(int count, char** words) {
  Arguments arguments{.valid = true};
  arguments.seed =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--bug") {
      arguments.bug = true;
    } else if (word == "--processes") {
      arguments.processes = true;
    } else if (word == "--seed" && i + 1 < count) {
      arguments.seed = std::strtoull(words[++i], nullptr, 10);
    } else if (arguments.traces.empty() && word[0] != '-') {
      arguments.traces = word;
    } else {
      arguments.valid = false;
    }
  }
  if (!arguments.valid) {
    std::fprintf(stderr, "usage: %s [--bug] [--processes] [--seed N] [TRACES]\n", words[0]);
  }
  return arguments;
}

int run(const Program& program, const Arguments& arguments) {
  if (!arguments.valid) return 2;
  return arguments.processes ? fork_processes(program, arguments) : simulate(program, arguments);
}

}  // namespace stage
