// Programs as processes of the operating system that reach each other over ZeroMQ, on one machine.
#pragma once

#include <lightcone/actor.h>
#include <lightcone/zeromq/messages.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lightcone::zeromq {

/// Runs the actors of a program as processes of their own, as `lightcone record`, `replay` or
/// `explore` says. No process lives longer than so many seconds, unless it is replayed or explored.
/// When one fails, the others are ended. Returns what `main` returns, and prints what goes wrong.
[[nodiscard]] int run_as_processes(const Program& program, unsigned seconds = 20);

/// Processes that use sockets themselves: what to start, and how.
struct Cluster {
  std::vector<std::string> names;
  ProcessOptions process = {};  ///< as in Program
  std::string traces = {};      ///< as in Program
  unsigned seconds = 20;        ///< no process lives longer, unless it is replayed or explored
  int patience = 10000;         ///< milliseconds that a process waits for a message; -1: forever
  bool stops_all = true;        ///< when one process fails, the others do not come to their end
};

/// One process of a cluster. What it receives comes in by one socket, and what it sends goes out by
/// one per receiver.
class Node {
 public:
  /// Listens at a port that the system chooses.
  Node(const Cluster& cluster, std::size_t index);

  [[nodiscard]] std::string address() const;
  /// Connects to all, whose addresses are given in the order of names, and starts the process.
  [[nodiscard]] bool start(const std::vector<std::string>& addresses);

  [[nodiscard]] const std::string& name() const { return cluster_.names[index_]; }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return cluster_.names; }
  [[nodiscard]] Process& process() { return *process_; }
  [[nodiscard]] zmq::socket_t& inbox() { return inbox_; }
  [[nodiscard]] zmq::socket_t& to(const std::string& name) { return outboxes_.at(name); }

 private:
  const Cluster& cluster_;
  std::size_t index_;
  zmq::context_t context_;
  zmq::socket_t inbox_;
  std::map<std::string, zmq::socket_t> outboxes_;
  std::unique_ptr<Process> process_;
};

/// Starts the processes, each of which does its part. Returns whether all of them say that it went
/// well. No process is left behind.
[[nodiscard]] bool run(const Cluster& cluster, const std::function<bool(Node&)>& part);

/// Returns whether a message was sent or received; if not, prints why.
[[nodiscard]] bool done(const Expected<Outcome>& outcome);

}  // namespace lightcone::zeromq
