// The stage of the examples: processes of the operating system that reach each other over TCP.
#pragma once

#include <lightcone/zeromq/messages.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace local_cluster {

/// What to start, and what each process tells Lightcone.
struct Cluster {
  std::vector<std::string> names;
  std::string properties_file = {};
  std::string traces =
      {};  ///< the folder where each process leaves its trace, NAME.lct; empty: none
  lightcone::Channels channels = lightcone::Channels::any;
  unsigned seconds = 20;  ///< no process lives longer, unless it is replayed or explored
  int patience = 10000;   ///< milliseconds that a process waits for a message; -1: for ever
  bool stops_all = true;  ///< when one process fails, the others do not come to their end
  /// What each process does with what it detects; without it, it prints it.
  std::function<void(const lightcone::Detection&)> on_detection = {};
  /// How each process saves and restores its state, for checkpoints.
  std::function<std::string()> save = {};
  std::function<void(std::string_view)> restore = {};
};

/// One process: what it receives comes in by one socket, what it sends goes out by one a receiver.
class Node {
 public:
  /// Listens at a port that the system chooses.
  Node(const Cluster& cluster, std::size_t index);

  [[nodiscard]] std::string address() const;
  /// Connects to the others, whose addresses are given in the order of names, and starts to watch.
  [[nodiscard]] bool start(const std::vector<std::string>& addresses);

  [[nodiscard]] const std::string& name() const { return cluster_.names[index_]; }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return cluster_.names; }
  [[nodiscard]] lightcone::Process& process() { return *process_; }
  [[nodiscard]] zmq::socket_t& inbox() { return inbox_; }
  [[nodiscard]] zmq::socket_t& to(const std::string& name) { return outboxes_.at(name); }

 private:
  const Cluster& cluster_;
  std::size_t index_;
  zmq::context_t context_;
  zmq::socket_t inbox_;
  std::map<std::string, zmq::socket_t> outboxes_;
  std::unique_ptr<lightcone::Process> process_;
};

/// Whether a message was sent or received; if not, says why.
[[nodiscard]] bool done(const lightcone::Expected<lightcone::zeromq::Outcome>& outcome);

/// Starts the processes, each with its part. Returns whether all of them succeeded.
/// No process is left behind.
[[nodiscard]] bool run(const Cluster& cluster, const std::function<bool(Node&)>& part);

/// The command line of all examples: `[--bug] PROPERTIES FOLDER`.
struct Arguments {
  bool valid = false;
  bool bug = false;
  std::string properties_file;
  std::string traces;
};
[[nodiscard]] Arguments arguments_of(int count, char** words);

}  // namespace local_cluster
