// What clients send, as messages for the partitions of the stream.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accept/arrival.h"

namespace lightcone::service {

/// Writes messages that can be understood alone: each names its executions, and the ranks of its
/// events where the client counts them. A message is of one client and one partition.
class MessageWriter {
 public:
  using ProcessName = std::pair<std::string, std::string>;  ///< after its execution
  struct Message {
    std::uint32_t partition = 0;
    std::string client = {};
    std::string bytes = {};
    bool is_spans = false;
    /// Processes of which it has lines without ranks: they would count twice if it came twice.
    std::set<ProcessName> unranked = {};
  };

  MessageWriter(std::size_t partitions, std::size_t most_bytes)
      : partitions_(partitions), most_bytes_(most_bytes) {}

  void add(const Arrival& arrival);
  /// Those that were added, in the order of each client and partition.
  [[nodiscard]] std::vector<Message> take();
  /// Tells the clients that asked for it how many events of their processes were added. They must
  /// be stored.
  void tell_clients();

 private:
  struct OpenMessage {
    Message message;
    std::string execution = {};          // of the lines that come
    std::set<ProcessName> counted = {};  // whose ranks were said
  };
  /// Which events of a process a client has sent: all up to a rank, and some after it.
  struct Sent {
    std::uint64_t events = 0;
    std::set<std::uint64_t> ahead = {};
    void add(std::uint64_t rank);
  };
  struct Client {
    std::map<ProcessName, Sent> sent = {};
    std::set<ProcessName> unanswered = {};
    std::set<std::string> ended = {};  // executions whose end it told
    void forget(const std::string& execution);
    bool has_spans = false;  // that are not answered
  };

  void add_heading(const Arrival& arrival);
  void add_spans(const Arrival& arrival, const SpanTable& table);
  [[nodiscard]] bool add_spans(const Arrival& arrival, const SpanTable& table,
                               std::uint32_t partition, std::span<const std::uint32_t> spans);
  void add_line(const Arrival& arrival, const LinePiece& piece, const JsonlLine& line);
  [[nodiscard]] OpenMessage& message_for(const std::shared_ptr<LineSource>& source,
                                         const std::string& execution);
  void close(OpenMessage& open);

  std::size_t partitions_, most_bytes_;
  std::map<std::pair<std::shared_ptr<LineSource>, std::uint32_t>, OpenMessage> open_;
  std::vector<Message> closed_;
  std::map<std::weak_ptr<LineSource>, Client, std::owner_less<>> clients_;
};

}  // namespace lightcone::service
