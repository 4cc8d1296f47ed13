// A program to record and to replay: processes over TCP whose every step is left to chance.
//
// courier FOLDER [--steps N] [--exit STATUS] [--detour] [--without NAME] [--crash] [--kill MS]
// [--kill-one MS] [--die STEP] [--last EVENTS] [--slow MS]
#include <lightcone/zeromq/cluster.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>

namespace {

using namespace lightcone;
using zeromq::done;
using zeromq::Message;
using zeromq::Node;
using zeromq::Outcome;

struct Options {
  std::string folder;
  int steps = 60;
  int exit = 0;
  bool detour = false;  // b does something that it did not do without this
  bool crash = false;   // b dies half-way
  int die = -1;         // the step at which b kills itself
  int last = 0;         // events that each makes in the end
  int slow = 0;         // milliseconds that each step takes
  std::string without;  // who is not started
  int kill = -1;        // milliseconds after which everyone is killed
  int kill_one = -1;    // the same for b alone
};

/// All that a process is where it waits for a message.
struct Memory {
  int step = 0;
  std::uint64_t state = 1;
  std::size_t byes = 0;

  [[nodiscard]] std::string text() const {
    return std::to_string(step) + ' ' + std::to_string(state) + ' ' + std::to_string(byes);
  }
  void restore(std::string_view text) {
    std::istringstream(std::string(text)) >> step >> state >> byes;
  }
};

/// One of the processes. It sends, waits a little for messages and makes events of its own, as its
/// random numbers and what it has received say.
class Courier {
 public:
  Courier(Node& node, const Options& options, Memory& memory)
      : node_(node), options_(options), memory_(memory) {}

  [[nodiscard]] bool run() {
    node_.inbox().set(zmq::sockopt::rcvtimeo, 2);
    int& step = memory_.step;
    if (process().restored()) {
      if (step == options_.steps) return take_byes();
      if (!take()) return false;
      ++step;
    }
    for (; step < options_.steps; ++step) {
      if (options_.crash && is_b() && step == options_.steps / 2) std::abort();
      if (options_.die == step && is_b()) ::kill(::getpid(), SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(options_.slow));
      if (options_.detour && is_b() && step == options_.steps / 2) process().event();
      if (!make_step()) return false;
    }
    if (!take_leave()) return false;
    for (int i = 0; i < options_.last; ++i) process().event({.labels = {"last"}});
    return true;
  }

 private:
  [[nodiscard]] Process& process() { return node_.process(); }
  [[nodiscard]] bool is_b() const { return node_.name() == "b"; }

  [[nodiscard]] bool make_step() {
    switch ((process().random() + memory_.state) % 8) {
      case 0: return make_event();
      case 1: return process().flush().has_value();
      case 2:
      case 3:
      case 4: return send_on();
      default: return take();
    }
  }
  [[nodiscard]] bool make_event() {
    memory_.state = memory_.state * 31 + process().choose(3);
    const std::string read = process().read([] { return std::to_string(std::rand() % 7); });
    const auto time = static_cast<std::int64_t>(process().time() % 1000);
    process().event({.labels = {"rest"}, .variables = {{"time", time}, {"read", read}}});
    std::this_thread::sleep_for(std::chrono::microseconds(std::rand() % 500));
    return true;
  }
  [[nodiscard]] bool send_on() {
    const auto& names = node_.names();
    const std::size_t other =
        (node_.index() + 1 + process().random() % (names.size() - 1)) % names.size();
    const std::string letter = std::to_string(memory_.state % 1000);
    const auto number = static_cast<std::int64_t>(memory_.state % 1000);
    return send(names[other], letter, {.variables = {{"letter", number}}});
  }
  [[nodiscard]] bool send(const std::string& to, std::string_view letter,
                          const LiveState& state = {}) {
    return done(zeromq::send(node_.to(to), process(), to, {letter}, state));
  }
  [[nodiscard]] bool take() {
    Message message;
    const auto outcome = zeromq::receive(node_.inbox(), process(), message, {.labels = {"got"}});
    if (!outcome) return false;
    if (*outcome != Outcome::done) return true;
    if (message.text() == "bye") ++memory_.byes;
    for (const char c : message.text())
      memory_.state = memory_.state * 31 + static_cast<unsigned char>(c);
    return true;
  }
  /// Until no one sends any more, so that nothing is left under way.
  [[nodiscard]] bool take_leave() {
    for (const std::string& name : node_.names()) {
      if (name != node_.name() && !send(name, "bye")) return false;
    }
    return take_byes();
  }
  [[nodiscard]] bool take_byes() {
    while (memory_.byes + 1 < node_.names().size()) {
      if (!take()) return false;
    }
    return true;
  }

  Node& node_;
  const Options& options_;
  Memory& memory_;
};

[[nodiscard]] Options options_of(int count, char** words) {
  Options options;
  if (count > 1) options.folder = words[1];
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i];
    const auto number = [&] { return ++i < count ? std::atoi(words[i]) : 0; };
    if (word == "--steps") options.steps = number();
    if (word == "--exit") options.exit = number();
    if (word == "--detour") options.detour = true;
    if (word == "--crash") options.crash = true;
    if (word == "--without" && ++i < count) options.without = words[i];
    if (word == "--die") options.die = number();
    if (word == "--last") options.last = number();
    if (word == "--slow") options.slow = number();
    if (word == "--kill") options.kill = number();
    if (word == "--kill-one") options.kill_one = number();
  }
  return options;
}

/// Lets the process be killed at some moment.
void kill_after(int milliseconds, pid_t whom) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(whom, SIGKILL);
  }).detach();
}

}  // namespace

int main(int count, char** words) {
  const Options options = options_of(count, words);
  zeromq::Cluster cluster{.names = {}, .traces = options.folder, .seconds = 60};
  for (const char* name : {"a", "b", "c"}) {
    if (name != options.without) cluster.names.emplace_back(name);
  }
  Memory memory;  // of each process its own
  cluster.process.save = [&] { return memory.text(); };
  cluster.process.restore = [&](std::string_view text) { memory.restore(text); };
  const bool well = zeromq::run(cluster, [&](Node& node) {
    std::srand(static_cast<unsigned>(::getpid()));
    if (options.kill >= 0 && node.index() == 0) kill_after(options.kill, 0);
    if (options.kill_one >= 0 && node.name() == "b") kill_after(options.kill_one, ::getpid());
    return Courier(node, options, memory).run();
  });
  std::puts("delivered");
  return well ? options.exit : 1;
}
