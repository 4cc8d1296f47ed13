// An MPI process that is explored: a controller says which message each receive takes.
#pragma once

#include <lightcone/explore/control_channel.h>
#include <lightcone/explore/recorded_wishes.h>
#include <lightcone/recording.h>
#include <mpi.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calls/requests.h"

namespace lightcone::mpi {

class MpiProcess;

/// Processes that come together, in their ranks in the world: none goes on before all have come.
struct Meeting {
  std::string context;  ///< no other meeting of the same number has it
  std::int32_t number = 0;
  std::vector<int> others = {};       ///< the processes that are awaited
  std::string call = {}, place = {};  ///< in words: what the process is in, and where
};

/// The conversation of one process with the controller. One process moves at a time, from one
/// question to the next, so nothing may block in between: sends are copied and begun, and a receive
/// is made when its message is known to be there. A message that is taken goes to the receive that
/// was posted first of those that accept it, as the MPI would do it.
///
/// A sender can wait for the receive of its message where receivers acknowledge: a receive tells
/// the sender, by a message of another kind, as soon as it is known which message it takes. Of a
/// receive without wildcards that is known when it is posted, unless one with wildcards is before
/// it. One with wildcards is offered whatever comes while its process waits for anything at all,
/// since the MPI would match it then.
class ExploredProcess {
 public:
  /// How receives and sends are explored.
  struct Ways {
    bool acknowledges = false;  ///< receivers tell senders which messages they take
    bool unbuffered = false;    ///< standard sends wait for their receive
  };
  [[nodiscard]] static Expected<ExploredProcess> begin(MpiProcess& rank,
                                                       const ExploreOrders& orders, int size);

  /// Sends a packed copy of a message, and says so.
  int send(std::string copy, const Communicator& communicator, int to, int tag, MPI_Comm comm);
  /// The message that was sent last on a channel, if the call waits for its receive; else nothing.
  [[nodiscard]] SentMessage sent(const char* call, Communicator& communicator, int to, int tag);
  /// Waits until a message is taken; a poll may find that it is not. Nothing to wait for is over.
  [[nodiscard]] bool await_receive(const char* call, SentMessage& sent, bool polls);

  /// The message that a receive or probe takes at once; a poll may find none.
  [[nodiscard]] std::optional<Channel> take(const char* call, Communicator& communicator,
                                            int source, int tag, bool polls);
  /// A probe has looked at a message, and left it there.
  void put_back(Communicator& communicator, const Channel& channel);
  /// A message has got a receive, which is number so many of its channel;
  [[nodiscard]] std::uint64_t match(const Communicator& communicator, const Channel& channel);
  /// its sender is told, if that is wanted.
  void acknowledge(const Communicator& communicator, const Channel& channel, std::uint64_t number);

  /// A receive that was begun.
  void post(Request& request);
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
  int meet(const Meeting& meeting, Call call);
  template <class Call>
  int meet(const Collective& collective, Call call) {
    return meet(meeting_of(collective), call);
  }
  /// Begins a collective operation that the process does not wait for yet.
  void begin_meeting(const Collective& collective);
  /// Tells others something, or waits until all of them have told it.
  void tell(const Meeting& meeting) { give(meeting, meeting.others); }
  void hear_all(const Meeting& meeting);
  /// Waits until one of them has; a poll may find that it has not.
  [[nodiscard]] bool hear_from(const Meeting& meeting, int member, bool polls);

  /// What the process does now depends on more than answers, and is not explored.
  void leave_out(const std::string& what);
  /// The same of a call that may be made again and again until another process does something: once
  /// in a while others move before it goes on.
  void leave_out_and_yield(const std::string& what);

  /// The process comes to its end.
  void end();
  /// It ends before, as `how` says: not until no other can move. From any thread, while the program
  /// stands.
  void ends_before_its_end(const std::string& how, bool fails);

 private:
  ExploredProcess(MpiProcess& rank, ControlChannel channel, Ways ways)
      : rank_(&rank), channel_(std::move(channel)), ways_(ways) {}
  [[nodiscard]] int number() const;
  [[nodiscard]] bool waits_for_receive(const char* call);
  [[nodiscard]] ControlMessage hear();
  void make_progress();

  /// Asks for something that one of the patterns accepts; a poll may get nothing.
  [[nodiscard]] std::optional<control::Take> ask(const std::string& in,
                                                 const std::vector<ControlPattern>& own, bool polls,
                                                 const std::optional<control::Wish>& wish = {});
  /// What was recorded: of a poll that it found nothing, or what a wildcard got.
  [[nodiscard]] std::optional<control::Wish> wish_of(const Communicator& communicator,
                                                     const Receive& wanted, std::uint64_t wildcard,
                                                     bool polls) const;
  [[nodiscard]] bool found_nothing(bool polls) const;
  /// Which of several requests was recorded to be complete first.
  [[nodiscard]] std::optional<control::Wish> wish_of(const std::vector<Request*>& requests,
                                                     bool polls) const;
  [[nodiscard]] std::optional<Channel> ask_message(const char* call, Communicator& communicator,
                                                   const std::vector<Receive>& wanted, bool polls,
                                                   const std::optional<control::Wish>& wish = {});
  [[nodiscard]] std::optional<Channel> take_another(const char* call, Communicator& communicator,
                                                    const Receive& wanted, const Channel& probed,
                                                    std::optional<control::Wish> wish);
  void give_probed();
  [[nodiscard]] bool give_to_posted(const Communicator& communicator, const Channel& channel);
  void receive(Request& request, const Channel& channel);
  [[nodiscard]] bool finish_receive(const char* call, Request& request, bool polls);
  [[nodiscard]] Request* posted_before(const Request* request, const Receive& receive,
                                       const Communicator& communicator) const;
  void acknowledge_posted();
  [[nodiscard]] Communicator* posted_on(const std::string& context) const;

  [[nodiscard]] Meeting meeting_of(const Collective& collective) const;
  [[nodiscard]] static ControlPattern gift_of(const Meeting& meeting, int from);
  [[nodiscard]] static std::string waits_for(const Meeting& meeting, int from);
  void give(const Meeting& meeting, const std::vector<int>& to);
  void say_take(const Meeting& meeting, int from);
  void gather(Meeting meeting);
  [[nodiscard]] bool end_meeting(Collective& collective, bool polls);

  [[nodiscard]] bool is_over(const Request& request) const;
  void add_wishes(const Request& request, std::vector<ControlPattern>& to) const;
  [[nodiscard]] std::string describe_wishes(const char* call,
                                            const std::vector<Request*>& requests) const;
  void deliver(const control::Take& answer, const std::vector<Request*>& requests);

  MpiProcess* rank_;
  ControlChannel channel_;
  Ways ways_;
  std::uint64_t sent_ = 0;
  std::deque<Request*> posted_;  // that have no message yet, in their order
  std::deque<std::pair<Communicator*, Channel>> probed_;  // messages that are still there
  std::deque<std::pair<MPI_Request, std::string>> sends_;
  std::map<std::pair<const Communicator*, std::uint64_t>, std::uint64_t> matched_;  // by channel
  std::vector<std::string> left_out_;
  std::uint32_t calls_left_out_ = 0;        // since the last question
  std::optional<RecordedWishes> recorded_;  // of the first execution
  std::uint64_t requests_chosen_ = 0;
  MPI_Comm own_ = MPI_COMM_NULL;  // nothing is sent here
  MPI_Request pending_ = MPI_REQUEST_NULL;
};

/// One member learns that all others have come, and tells them. They are in the call by then: they
/// make it while their question is open.
template <class Call>
int ExploredProcess::meet(const Meeting& meeting, Call call) {
  if (meeting.others.empty()) return call();
  if (ways_.acknowledges) gather(meeting);
  const int first = *std::min_element(meeting.others.begin(), meeting.others.end());
  if (number() < first) {
    for (const int member : meeting.others) {
      say_take(meeting, member);
      static_cast<void>(hear());
    }
    give(meeting, meeting.others);
    return call();
  }
  give(meeting, {first});
  say_take(meeting, first);
  const int result = call();
  static_cast<void>(hear());
  return result;
}

}  // namespace lightcone::mpi
