// Forks the processes of a program, lets them find each other, and waits for them.
#include <lightcone/zeromq/cluster.h>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace lightcone::zeromq {
namespace {

constexpr int longest_sending = 10000;  // milliseconds
constexpr int last_words = 5000;        // milliseconds in which messages may leave at the end

/// One line with one write, so that the lines of several processes do not mix.
void print(std::FILE* file, const std::string& line) {
  std::fputs((line + '\n').c_str(), file);
  std::fflush(file);
}

/// How `lightcone record`, `replay` or `explore` want the program to run.
[[nodiscard]] std::optional<RunOrders> orders() {
  return RunOrders::from_environment().value_or(std::nullopt);
}

/// Whoever replays or explores the program ends it, and its processes.
[[nodiscard]] bool is_ended_by_others() {
  const auto run = orders();
  return run && run->record() == nullptr;
}

/// Who looks at it with a debugger takes long.
[[nodiscard]] unsigned longest_life(const Cluster& cluster) {
  return is_ended_by_others() ? 0 : cluster.seconds;
}

/// A child as its parent sees it: they talk while the addresses are exchanged.
struct Child {
  pid_t id = -1;
  int channel = -1;
};

[[nodiscard]] bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Lines up to this many, or to the end.
[[nodiscard]] std::vector<std::string> read_lines(int descriptor, std::size_t count) {
  std::vector<std::string> lines(1);
  char c = 0;
  while (lines.size() <= count && ::read(descriptor, &c, 1) == 1) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

[[nodiscard]] bool live(const Cluster& cluster, std::size_t index, int channel,
                        const std::function<bool(Node&)>& part) {
  try {
    Node node(cluster, index);
    if (!write_all(channel, node.address() + '\n')) return false;
    const auto addresses = read_lines(channel, cluster.names.size());
    ::close(channel);
    return addresses.size() == cluster.names.size() && node.start(addresses) && part(node);
  } catch (const std::exception& exception) {
    print(stderr, cluster.names[index] + ": " + exception.what());
    return false;
  }
}

/// Forks before there is any ZeroMQ context: its threads would not come along.
[[nodiscard]] std::vector<Child> fork_all(const Cluster& cluster,
                                          const std::function<bool(Node&)>& part) {
  std::vector<Child> children;
  const pid_t parent = ::getpid();
  for (std::size_t i = 0; i < cluster.names.size(); ++i) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) break;
    const pid_t id = ::fork();
    if (id == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // we end when the parent ends
      if (::getppid() != parent) ::_exit(1);
      ::alarm(longest_life(cluster));
      for (const Child& elder : children) ::close(elder.channel);
      ::close(ends[0]);
      const bool well = live(cluster, i, ends[1], part);
      ::_exit(well ? 0 : 1);
    }
    ::close(ends[1]);
    children.push_back({id, ends[0]});
    if (id < 0) break;
  }
  return children;
}

/// Collects everyone's address and tells all to everyone.
[[nodiscard]] bool introduce(const std::vector<Child>& children, std::size_t count) {
  if (children.size() < count || children.back().id < 0) return false;
  std::string addresses;
  for (const Child& child : children) {
    const auto lines = read_lines(child.channel, 1);
    if (lines.empty()) return false;
    addresses += lines[0] + '\n';
  }
  bool told = true;
  for (const Child& child : children) told = write_all(child.channel, addresses) && told;
  return told;
}

void stop(const std::vector<Child>& children) {
  for (const Child& child : children) {
    if (child.id > 0) ::kill(child.id, SIGKILL);
  }
}

/// Waits for all.
[[nodiscard]] bool wait_for(std::vector<Child> children, const Cluster& cluster) {
  bool well = true;
  int status = 0;
  for (pid_t id = ::wait(&status); id > 0; id = ::wait(&status)) {
    std::size_t index = 0;
    while (index < children.size() && children[index].id != id) ++index;
    if (index < children.size()) children[index].id = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && index < children.size()) {
      print(stderr, cluster.names[index] + " has not ended in time");
    }
    well = false;
    if (cluster.stops_all && !is_ended_by_others()) stop(children);
  }
  return well;
}

/// Each message has two frames of the program: who sends it, and its text.
class SocketActor final : public Actor {
 public:
  SocketActor(Node& node, const Program& program) : Actor(node.process(), program), node_(node) {}

 private:
  void send_text(std::string_view to, std::string_view text, const LiveState& state,
                 const std::source_location& where) override {
    const auto sent = zeromq::send(node_.to(std::string(to)), process(), to, {name(), text}, state,
                                   zmq::send_flags::none, where);
    if (!done(sent)) throw std::runtime_error("a message could not be sent");
  }
  [[nodiscard]] TakenParcel take_next(const std::source_location&) override {
    Message message;
    if (!done(zeromq::take(node_.inbox(), process(), message))) {
      throw std::runtime_error("no message came");
    }
    return {std::string(message.text(0)), std::string(message.text(1)), std::move(message.taken)};
  }

  Node& node_;
};

}  // namespace

Node::Node(const Cluster& cluster, std::size_t index)
    : cluster_(cluster), index_(index), inbox_(context_, zmq::socket_type::pull) {
  inbox_.set(zmq::sockopt::rcvtimeo, cluster.patience);
  inbox_.bind("tcp://127.0.0.1:*");
}

std::string Node::address() const { return inbox_.get(zmq::sockopt::last_endpoint); }

bool Node::start(const std::vector<std::string>& addresses) {
  const auto run = orders();
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    // Messages that nothing takes any more are not waited for.
    const bool is_there = i != index_ && (!run || run->runs(names()[i]));
    zmq::socket_t outbox(context_, zmq::socket_type::push);
    outbox.set(zmq::sockopt::sndtimeo, longest_sending);
    outbox.set(zmq::sockopt::linger, is_there ? last_words : 0);
    outbox.connect(addresses[i]);
    outboxes_.emplace(names()[i], std::move(outbox));
  }
  const Program program{names(), {}, cluster_.process, cluster_.traces};
  auto started = Process::start(program.options_of(name()));
  if (!started) {
    print(stderr, started.error().text());
    return false;
  }
  process_ = std::move(*started);
  return true;
}

bool done(const Expected<Outcome>& outcome) {
  if (!outcome) {
    print(stderr, outcome.error().text());
  } else if (*outcome != Outcome::done) {
    print(stderr, "no message came or went in time");
  }
  return outcome && *outcome == Outcome::done;
}

bool run(const Cluster& cluster, const std::function<bool(Node&)>& part) {
  const std::vector<Child> children = fork_all(cluster, part);
  const bool introduced = introduce(children, cluster.names.size());
  if (!introduced) stop(children);
  for (const Child& child : children) ::close(child.channel);
  return wait_for(children, cluster) && introduced;
}

int run_as_processes(const Program& program, unsigned seconds) {
  const Cluster cluster{.names = program.names,
                        .process = program.process,
                        .traces = program.traces,
                        .seconds = seconds,
                        .patience = -1};
  const bool well = run(cluster, [&](Node& node) {
    try {
      SocketActor actor(node, program);
      program.part(actor);
      return true;
    } catch (const std::exception& exception) {
      print(stderr, node.name() + " failed: " + exception.what());
      return false;
    }
  });
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace lightcone::zeromq
