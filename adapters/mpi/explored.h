// An MPI process that is explored: a controller says which message each receive takes.
#pragma once

#include <lightcone/live/control_channel.h>
#include <mpi.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "requests.h"

namespace lightcone::mpi {

class Rank;

/// The conversation of one process with the controller. One process moves at a time, from one
/// question to the next, so nothing may block in between: sends are copied and begun, and a receive
/// is made when its message is known to be there. A message that is taken goes to the receive that
/// was posted first of those that accept it, as the MPI would do it.
class Explored {
 public:
  [[nodiscard]] static Expected<Explored> begin(Rank& rank, const std::string& socket, int size);

  /// Sends a packed copy of a message, and says so.
  int send(std::string copy, const Communicator& communicator, int to, int tag, MPI_Comm comm);

  /// The message that a receive or probe takes at once; a poll may find none.
  [[nodiscard]] std::optional<Channel> take(const char* call, Communicator& communicator,
                                            int source, int tag, bool polls);
  /// A probe has looked at a message, and left it there.
  void put_back(Communicator& communicator, const Channel& channel);

  /// A receive that was begun.
  void post(Request& request) { posted_.push_back(&request); }
  void forget(const Request& request);
  /// Goes on until the request is over; a poll gives up where that may take longer.
  [[nodiscard]] bool finish(const char* call, Request& request, bool polls);
  /// One of several that is over; a poll may find none. Where there is none that could be, nothing.
  [[nodiscard]] std::optional<std::size_t> finish_one(const char* call,
                                                      const std::vector<Request*>& requests,
                                                      bool polls);

  /// Makes a call that ends when all members of a communicator make it. Rooted operations count as
  /// such, since any member may pass on what others wait for.
  template <class Call>
  int meet(const Collective& collective, Call call);
  /// Begins a collective operation that the process does not wait for yet,
  void begin_meeting(const Collective& collective);
  /// and learns that all others have begun it, too; a poll may find that some have not.
  [[nodiscard]] bool end_meeting(Collective& collective, bool polls);

  /// The process comes to its end.
  void end();

 private:
  Explored(Rank& rank, ControlChannel channel) : rank_(&rank), channel_(std::move(channel)) {}
  [[nodiscard]] ControlMessage hear();
  [[nodiscard]] std::optional<Channel> ask(const char* call, Communicator& communicator,
                                           const std::vector<const Receive*>& wanted, bool polls);
  [[nodiscard]] std::optional<Channel> take_another(const char* call, Communicator& communicator,
                                                    const Receive& wanted, const Channel& probed);
  [[nodiscard]] std::vector<int> others(const Collective& collective) const;
  void give(const Collective& collective, const std::vector<int>& to);
  void say_take(const Collective& collective, int from, bool polls);
  void give_probed();
  [[nodiscard]] bool give_to_posted(Communicator& communicator, const Channel& channel);
  void receive(Request& request, const Channel& channel);
  [[nodiscard]] Request* posted_before(const Request* request, const Receive& receive,
                                       const Communicator& communicator) const;

  [[nodiscard]] int number() const;

  Rank* rank_;
  ControlChannel channel_;
  std::uint64_t sent_ = 0;
  std::deque<Request*> posted_;  // that have no message yet, in their order
  std::deque<std::pair<Communicator*, Channel>> probed_;  // messages that are still there
  std::deque<std::pair<MPI_Request, std::string>> sends_;
};

/// One member learns that all others have come, and tells them. They are in the call by then: they
/// make it while their question is open.
template <class Call>
int Explored::meet(const Collective& collective, Call call) {
  const std::vector<int> all = others(collective);
  if (all.empty()) return call();
  const bool leads = number() < *std::min_element(all.begin(), all.end());
  if (leads) {
    for (const int member : all) {
      say_take(collective, member, false);
      static_cast<void>(hear());
    }
    give(collective, all);
    return call();
  }
  const int leader = *std::min_element(all.begin(), all.end());
  give(collective, {leader});
  say_take(collective, leader, false);
  const int result = call();
  static_cast<void>(hear());
  return result;
}

}  // namespace lightcone::mpi
