// Asks the controller, and lets the MPI move on while it waits for the answer.
#include "process/explored_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "calls/mpi_functions.h"
#include "end/if_it_ends.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {
namespace {

/// So often a call that is left out may be made before others move.
constexpr std::uint32_t most_calls_left_out = 64;

[[nodiscard]] int rank_named(const std::string& name) {
  int rank = 0;
  std::from_chars(name.data() + 4, name.data() + name.size(), rank);  // after `rank`
  return rank;
}

[[nodiscard]] bool accepts_all_of(const Receive& wide, const Receive& narrow) {
  return (wide.source == any || wide.source == narrow.source) &&
         (wide.tag == any || wide.tag == narrow.tag);
}

[[nodiscard]] ControlPattern pattern_of(const Communicator& communicator, const Receive& receive) {
  ControlPattern pattern{.context = communicator.name()};
  if (receive.source != any) pattern.sender = process_name(communicator.world_rank(receive.source));
  if (receive.tag != any) pattern.tag = receive.tag;
  return pattern;
}

/// Acknowledgements do not mix with messages; the number is that of the message on its channel.
[[nodiscard]] std::string acknowledgements_of(const Communicator& communicator, int tag) {
  return fmt::format("{}!{}", communicator.name(), tag);
}

[[nodiscard]] ControlPattern pattern_of(const SentMessage& sent) {
  return {process_name(sent.communicator->world_rank(sent.to)),
          acknowledgements_of(*sent.communicator, sent.tag),
          static_cast<std::int32_t>(sent.number)};
}

[[nodiscard]] std::string describe(const char* call, const SentMessage& sent) {
  return fmt::format("{} for its receive by rank{}, tag {}, on {}", call,
                     sent.communicator->world_rank(sent.to), sent.tag, sent.communicator->name());
}

[[nodiscard]] bool accepts(const ControlPattern& pattern, const control::Take& message) {
  return pattern.context == message.context &&
         (pattern.sender.empty() || pattern.sender == message.sender) &&
         (!pattern.tag || *pattern.tag == message.tag);
}

[[nodiscard]] bool accepts_one(const std::vector<ControlPattern>& patterns,
                               const control::Take& message) {
  return std::ranges::any_of(patterns, [&](const auto& each) { return accepts(each, message); });
}

[[nodiscard]] Channel channel_of(const Communicator& communicator, const control::Take& message) {
  const auto& members = communicator.members();
  const auto sender = std::ranges::find(members, rank_named(message.sender));
  return {static_cast<int>(sender - members.begin()), message.tag};
}

}  // namespace

Expected<ExploredProcess> ExploredProcess::begin(MpiProcess& rank, const ExploreOrders& orders,
                                                 int size) {
  auto channel = ControlChannel::connect(orders.controller);
  if (!channel) return failure(channel.error());
  ExploredProcess explored(rank, std::move(*channel), {orders.acknowledges, orders.unbuffered});
  if (!orders.first.empty()) {
    auto recorded =
        RecordedWishes::read(Recording::journal_path(orders.first, process_name(rank.number())));
    if (recorded) explored.recorded_ = std::move(*recorded);  // there may have been fewer ranks
  }
  LIGHTCONE_REAL(Comm_dup)(MPI_COMM_SELF, &explored.own_);
  LIGHTCONE_REAL(Irecv)(nullptr, 0, MPI_BYTE, 0, 0, explored.own_, &explored.pending_);
  control::Begins greeting{process_name(rank.number())};
  for (int i = 0; i < size; ++i) greeting.members.push_back(process_name(i));
  explored.channel_.say(greeting);
  static_cast<void>(explored.hear());
  return explored;
}

ControlMessage ExploredProcess::hear() {
  constexpr std::chrono::milliseconds step{1};
  calls_left_out_ = 0;
  rank_->flush();  // the controller may kill the process while others move
  while (!channel_.has_news(step)) make_progress();
  auto answer = channel_.hear();
  if (!answer) std::_Exit(EXIT_FAILURE);  // nothing else would end this process
  if (std::holds_alternative<control::Stop>(*answer)) {
    rank_->stand_still({Standstill::Why::stopped, "the exploration goes no further here"});
  }
  return std::move(*answer);
}

/// Looks at a request that is never over: some MPIs move operations that have several steps, such
/// as collective ones, only when a request is asked for, not when messages are probed for.
void ExploredProcess::make_progress() {
  int flag = 0;
  LIGHTCONE_REAL(Test)(&pending_, &flag, MPI_STATUS_IGNORE);
}

int ExploredProcess::send(std::string copy, const Communicator& communicator, int to, int tag,
                          MPI_Comm comm) {
  auto& [request, kept] = sends_.emplace_back(MPI_REQUEST_NULL, std::move(copy));
  const int result = LIGHTCONE_REAL(Isend)(kept.data(), static_cast<int>(kept.size()), MPI_PACKED,
                                           to, tag, comm, &request);
  channel_.say(control::Sends{
      ++sent_, {process_name(communicator.world_rank(to))}, communicator.name(), tag});
  return result;
}

/// After `MPI_`: B or b for buffered ones, S or s that is not `Send` for synchronous ones. A ready
/// send may be either standard or synchronous.
bool ExploredProcess::waits_for_receive(const char* call) {
  std::string_view mode(call + std::strlen("MPI_"));
  if (mode.starts_with('I')) mode.remove_prefix(1);
  if (mode.starts_with("Bsend") || mode.starts_with("bsend")) return false;
  const bool standard = mode.starts_with("Send") || mode.starts_with("send");
  if (standard && !ways_.unbuffered) return false;
  if (ways_.acknowledges) return true;
  channel_.say(control::NeedsAcknowledgements{call});
  static_cast<void>(hear());  // which does not return
  return true;
}

SentMessage ExploredProcess::sent(const char* call, Communicator& communicator, int to, int tag) {
  if (!waits_for_receive(call)) return {};
  return {&communicator, to, tag, communicator.sent[{to, tag}]};
}

bool ExploredProcess::await_receive(const char* call, SentMessage& sent, bool polls) {
  if (sent.communicator == nullptr) return true;
  if (!ask(describe(call, sent), {pattern_of(sent)}, polls)) return false;
  sent = {};
  return true;
}

/// Asks for something that one of the patterns accepts. Messages for receives that are posted are
/// taken meanwhile, where that may let a sender go on.
std::optional<control::Take> ExploredProcess::ask(const std::string& in,
                                                  const std::vector<ControlPattern>& own,
                                                  bool polls,
                                                  const std::optional<control::Wish>& wish) {
  for (;;) {
    control::Takes question{polls, in, own, own.size(), wish};
    for (const Request* posted : posted_) {
      if (!ways_.acknowledges || posted->acknowledged || !posted->receive->is_wildcard()) continue;
      question.patterns.push_back(pattern_of(*posted->communicator, *posted->receive));
    }
    channel_.say(question);
    const ControlMessage answer = hear();
    const auto* const take = std::get_if<control::Take>(&answer);
    if (take == nullptr) return std::nullopt;
    if (accepts_one(own, *take)) return *take;
    const Communicator& communicator = *posted_on(take->context);
    static_cast<void>(give_to_posted(communicator, channel_of(communicator, *take)));
  }
}

Communicator* ExploredProcess::posted_on(const std::string& context) const {
  const auto place = std::ranges::find_if(
      posted_, [&](const Request* posted) { return posted->communicator->name() == context; });
  return place == posted_.end() ? nullptr : (*place)->communicator;
}

/// Asks for a message that one of these accepts.
std::optional<Channel> ExploredProcess::ask_message(const char* call, Communicator& communicator,
                                                    const std::vector<Receive>& wanted, bool polls,
                                                    const std::optional<control::Wish>& wish) {
  std::vector<ControlPattern> patterns;
  for (const Receive& receive : wanted) patterns.push_back(pattern_of(communicator, receive));
  const Receive& first = wanted.front();
  const bool one = wanted.size() == 1;
  const auto answer =
      ask(describe(call, communicator, one ? first.source : any, one ? first.tag : any), patterns,
          polls, wish);
  if (!answer) return std::nullopt;
  return channel_of(communicator, *answer);
}

bool ExploredProcess::found_nothing(bool polls) const {
  return polls && !recorded_->poll(rank_->polls()).value_or(true);
}

std::optional<control::Wish> ExploredProcess::wish_of(const Communicator& communicator,
                                                      const Receive& wanted, std::uint64_t wildcard,
                                                      bool polls) const {
  if (!recorded_) return std::nullopt;
  if (found_nothing(polls)) return control::Wish{};
  if (!wanted.is_wildcard()) return std::nullopt;
  const auto match = recorded_->match(wildcard);
  const int members = static_cast<int>(communicator.members().size());
  if (!match || match->source < 0 || match->source >= members) return std::nullopt;
  return control::Wish{pattern_of(communicator, {.source = match->source, .tag = match->tag})};
}

std::optional<control::Wish> ExploredProcess::wish_of(const std::vector<Request*>& requests,
                                                      bool polls) const {
  if (!recorded_) return std::nullopt;
  if (found_nothing(polls)) return control::Wish{};
  const auto which = recorded_->request(requests_chosen_);
  if (!which || *which >= requests.size() || requests[*which] == nullptr) return std::nullopt;
  const Request& request = *requests[*which];
  if (is_over(request)) return control::Wish{};
  const bool receives = request.receive != nullptr && request.collective.communicator == nullptr;
  if (receives && request.receive->choice) {
    return wish_of(*request.communicator, *request.receive, *request.receive->choice, false);
  }
  std::vector<ControlPattern> wishes;
  add_wishes(request, wishes);
  return control::Wish{wishes.front()};
}

std::uint64_t ExploredProcess::match(const Communicator& communicator, const Channel& channel) {
  return ++matched_[{&communicator, channel.key()}];
}

void ExploredProcess::acknowledge(const Communicator& communicator, const Channel& channel,
                                  std::uint64_t number) {
  if (!ways_.acknowledges) return;
  channel_.say(control::Sends{++sent_,
                              {process_name(communicator.world_rank(channel.source))},
                              acknowledgements_of(communicator, channel.tag),
                              static_cast<std::int32_t>(number)});
}

void ExploredProcess::post(Request& request) {
  request.acknowledged = false;
  posted_.push_back(&request);
  acknowledge_posted();
}

/// Receives without wildcards take the next message of their channel, if no receive before them may
/// take it.
void ExploredProcess::acknowledge_posted() {
  if (!ways_.acknowledges) return;
  for (Request* posted : posted_) {
    const Receive& receive = *posted->receive;
    if (posted->acknowledged || receive.is_wildcard()) continue;
    const Channel channel{receive.source, receive.tag};
    const auto in_the_way = std::ranges::find_if(posted_, [&](const Request* before) {
      return before == posted || (!before->acknowledged && before->receive->accepts(channel) &&
                                  before->communicator == posted->communicator);
    });
    if (*in_the_way != posted) continue;
    posted->acknowledged = true;
    acknowledge(*posted->communicator, channel, match(*posted->communicator, channel));
  }
}

/// A posted receive that gets every message before this one that this one accepts.
Request* ExploredProcess::posted_before(const Request* request, const Receive& receive,
                                        const Communicator& communicator) const {
  for (Request* posted : posted_) {
    if (posted == request) return nullptr;
    if (posted->communicator == &communicator && accepts_all_of(*posted->receive, receive)) {
      return posted;
    }
  }
  return nullptr;
}

void ExploredProcess::receive(Request& request, const Channel& channel) {
  if (!std::exchange(request.acknowledged, true)) {
    acknowledge(*request.communicator, channel, match(*request.communicator, channel));
  }
  forget(request);
  request.receive->channel = channel;
  MPI_Status& status = request.status;
  const auto enter = [&] { rank_->enter_match(request.receive.get(), status_of(channel)); };
  const IfItEnds if_it_ends(*rank_, enter);
#if MPI_VERSION >= 4
  const int result = LIGHTCONE_REAL(Recv_c)(request.buffer, request.count, request.type,
                                            channel.source, channel.tag, request.comm, &status);
#else
  const int result =
      LIGHTCONE_REAL(Recv)(request.buffer, static_cast<int>(request.count), request.type,
                           channel.source, channel.tag, request.comm, &status);
#endif
  status.MPI_ERROR = result;
  request.done = true;
}

bool ExploredProcess::give_to_posted(const Communicator& communicator, const Channel& channel) {
  const auto place = std::ranges::find_if(posted_, [&](const Request* posted) {
    return posted->communicator == &communicator && posted->receive->accepts(channel);
  });
  if (place == posted_.end()) return false;
  receive(**place, channel);
  return true;
}

void ExploredProcess::forget(const Request& request) {
  std::erase(posted_, &request);
  acknowledge_posted();
}

/// A receive from anyone need not take the message that a probe has found, unless another of the
/// same sender would have to overtake it.
std::optional<Channel> ExploredProcess::take_another(const char* call, Communicator& communicator,
                                                     const Receive& wanted, const Channel& probed,
                                                     std::optional<control::Wish> wish) {
  if (wanted.source != any || !posted_.empty()) return std::nullopt;
  std::vector<Receive> others;
  for (int source = 0; source < static_cast<int>(communicator.members().size()); ++source) {
    const bool is_self = communicator.world_rank(source) == number();
    if (source != probed.source && !is_self)
      others.push_back({.source = source, .tag = wanted.tag});
  }
  if (others.empty()) return std::nullopt;
  const Receive same{.source = probed.source, .tag = probed.tag};
  if (wish && wish->message == pattern_of(communicator, same)) wish = control::Wish{};
  return ask_message(call, communicator, others, true, wish);
}

std::optional<Channel> ExploredProcess::take(const char* call, Communicator& communicator,
                                             int source, int tag, bool polls) {
  Receive wanted;
  if (source != MPI_ANY_SOURCE) wanted.source = source;
  if (tag != MPI_ANY_TAG) wanted.tag = tag;
  const auto wish = wish_of(communicator, wanted, rank_->recorder()->next(), polls);
  const auto there = std::ranges::find_if(probed_, [&](const auto& message) {
    return message.first == &communicator && wanted.accepts(message.second);
  });
  if (there != probed_.end()) {
    const Channel channel = there->second;
    if (const auto other = take_another(call, communicator, wanted, channel, wish)) return other;
    probed_.erase(there);
    return channel;
  }
  while (Request* const before = posted_before(nullptr, wanted, communicator)) {
    if (!finish_receive(call, *before, polls)) return std::nullopt;
  }
  for (;;) {
    const auto channel = ask_message(call, communicator, {wanted}, polls, wish);
    if (!channel || !give_to_posted(communicator, *channel)) return channel;
  }
}

void ExploredProcess::put_back(Communicator& communicator, const Channel& channel) {
  probed_.emplace_back(&communicator, channel);
}

/// What a probe has found goes to receives that were posted since.
void ExploredProcess::give_probed() {
  std::erase_if(
      probed_, [&](const auto& message) { return give_to_posted(*message.first, message.second); });
}

bool ExploredProcess::finish(const char* call, Request& request, bool polls) {
  const bool meets = request.collective.communicator != nullptr;
  if (meets && !end_meeting(request.collective, polls)) return false;
  const bool receives = request.receive != nullptr && request.is_name && !request.never;
  if (receives && !finish_receive(call, request, polls)) return false;
  return await_receive(call, request.sent, polls);
}

bool ExploredProcess::finish_receive(const char* call, Request& request, bool polls) {
  Communicator& communicator = *request.communicator;
  give_probed();
  while (!request.done) {
    if (Request* const before = posted_before(&request, *request.receive, communicator)) {
      if (!finish_receive(call, *before, polls)) return false;
    } else {
      const auto wish =
          wish_of(communicator, *request.receive, request.receive->choice.value_or(0), polls);
      const auto channel = ask_message(call, communicator, {*request.receive}, polls, wish);
      if (!channel) return false;
      if (!give_to_posted(communicator, *channel)) receive(request, *channel);
    }
  }
  return true;
}

/// Returns whether a request is over as far as it is known.
bool ExploredProcess::is_over(const Request& request) const {
  const Collective& collective = request.collective;
  if (collective.communicator != nullptr &&
      collective.taken < meeting_of(collective).others.size()) {
    return false;
  }
  const bool receives = request.receive != nullptr && request.is_name && !request.never;
  return (!receives || request.done) && request.sent.communicator == nullptr;
}

/// What a request that is not over waits for.
void ExploredProcess::add_wishes(const Request& request, std::vector<ControlPattern>& to) const {
  if (request.collective.communicator != nullptr) {
    const Meeting meeting = meeting_of(request.collective);
    to.push_back(gift_of(meeting, meeting.others[request.collective.taken]));
    return;
  }
  const bool receives = request.receive != nullptr && request.is_name && !request.never;
  if (receives && !request.done) {
    to.push_back(pattern_of(*request.communicator, *request.receive));
  }
  if (request.sent.communicator != nullptr) to.push_back(pattern_of(request.sent));
}

/// Something came that one of the requests waits for.
void ExploredProcess::deliver(const control::Take& answer, const std::vector<Request*>& requests) {
  for (Request* const request : requests) {
    if (request == nullptr || is_over(*request)) continue;
    if (request->sent.communicator != nullptr && accepts(pattern_of(request->sent), answer)) {
      request->sent = {};
      return;
    }
    if (request->collective.communicator == nullptr) continue;
    std::vector<ControlPattern> wishes;
    add_wishes(*request, wishes);
    if (!accepts(wishes.front(), answer)) continue;
    ++request->collective.taken;
    return;
  }
  Communicator& communicator = *posted_on(answer.context);
  const Channel channel = channel_of(communicator, answer);
  if (!give_to_posted(communicator, channel)) put_back(communicator, channel);
}

std::string ExploredProcess::describe_wishes(const char* call,
                                             const std::vector<Request*>& requests) const {
  const Request* first = nullptr;
  bool same = true;
  for (const Request* const request : requests) {
    if (request == nullptr || is_over(*request)) continue;
    if (request->receive == nullptr || request->done) {
      return fmt::format("{} for one of its requests", call);
    }
    if (first == nullptr) first = request;
    same = same && request->receive->source == first->receive->source &&
           request->receive->tag == first->receive->tag;
  }
  return describe(call, *first->communicator, same ? first->receive->source : any,
                  same ? first->receive->tag : any);
}

std::optional<std::size_t> ExploredProcess::finish_one(const char* call,
                                                       const std::vector<Request*>& requests,
                                                       bool polls) {
  give_probed();
  for (;;) {
    std::vector<std::size_t> over;
    std::vector<ControlPattern> wishes;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (requests[i] == nullptr) continue;
      if (is_over(*requests[i])) {
        over.push_back(i);
      } else {
        add_wishes(*requests[i], wishes);
      }
    }
    if (over.empty() && wishes.empty()) return std::nullopt;
    if (!wishes.empty()) {
      const auto answer = ask(describe_wishes(call, requests), wishes, polls || !over.empty(),
                              wish_of(requests, polls));
      if (answer) {
        deliver(*answer, requests);
        for (std::size_t i = 0; i < requests.size(); ++i) {
          const bool is_new = std::ranges::find(over, i) == over.end();
          if (requests[i] == nullptr || !is_over(*requests[i]) || !is_new) continue;
          ++requests_chosen_;
          return i;
        }
        continue;  // another receive has got it, or more is to come
      }
    }
    if (over.empty()) return std::nullopt;
    const std::uint64_t number = requests_chosen_++;
    if (over.size() == 1) return over.front();
    const auto which = recorded_ ? recorded_->request(number) : std::nullopt;
    const auto place = which ? std::ranges::find(over, *which) : over.begin();
    channel_.say(control::Branches{
        over.size(),
        static_cast<std::uint64_t>((place == over.end() ? over.begin() : place) - over.begin())});
    return over[std::get<control::GoOn>(hear()).alternative];
  }
}

int ExploredProcess::number() const { return rank_->number(); }

Meeting ExploredProcess::meeting_of(const Collective& collective) const {
  Meeting meeting{collective.communicator->name() + collective.kind,
                  static_cast<std::int32_t>(collective.number), collective.communicator->members(),
                  collective.call, collective.communicator->name()};
  std::erase(meeting.others, number());
  return meeting;
}

ControlPattern ExploredProcess::gift_of(const Meeting& meeting, int from) {
  return {process_name(from), meeting.context, meeting.number};
}

std::string ExploredProcess::waits_for(const Meeting& meeting, int from) {
  return fmt::format("{} for rank{}, on {}", meeting.call, from, meeting.place);
}

void ExploredProcess::give(const Meeting& meeting, const std::vector<int>& to) {
  if (to.empty()) return;
  control::Sends gift{++sent_, {}, meeting.context, meeting.number};
  for (const int rank : to) gift.to.push_back(process_name(rank));
  channel_.say(gift);
}

void ExploredProcess::say_take(const Meeting& meeting, int from) {
  channel_.say(control::Takes{false, waits_for(meeting, from), {gift_of(meeting, from)}});
}

/// Waits until all have come. Meanwhile posted receives get their messages, because a process that
/// is in the call itself cannot take any.
void ExploredProcess::gather(Meeting meeting) {
  meeting.context += '?';
  const int first = *std::min_element(meeting.others.begin(), meeting.others.end());
  if (number() < first) {
    hear_all(meeting);
    return give(meeting, meeting.others);
  }
  give(meeting, {first});
  static_cast<void>(ask(waits_for(meeting, first), {gift_of(meeting, first)}, false));
}

void ExploredProcess::hear_all(const Meeting& meeting) {
  for (const int member : meeting.others) static_cast<void>(hear_from(meeting, member, false));
}

bool ExploredProcess::hear_from(const Meeting& meeting, int member, bool polls) {
  return ask(waits_for(meeting, member), {gift_of(meeting, member)}, polls).has_value();
}

void ExploredProcess::begin_meeting(const Collective& collective) {
  const Meeting meeting = meeting_of(collective);
  give(meeting, meeting.others);
}

bool ExploredProcess::end_meeting(Collective& collective, bool polls) {
  const Meeting meeting = meeting_of(collective);
  for (; collective.taken < meeting.others.size(); ++collective.taken) {
    if (!hear_from(meeting, meeting.others[collective.taken], polls)) return false;
  }
  return true;
}

void ExploredProcess::leave_out(const std::string& what) {
  if (std::ranges::find(left_out_, what) != left_out_.end()) return;
  left_out_.push_back(what);
  channel_.say(control::LeavesOut{what});
}

/// A poll for a message that is never sent finds nothing, after others have moved.
void ExploredProcess::leave_out_and_yield(const std::string& what) {
  leave_out(what);
  if (++calls_left_out_ < most_calls_left_out) return;
  static_cast<void>(ask(what, {{process_name(number()), "nothing", 0}}, true));
}

void ExploredProcess::ends_before_its_end(const std::string& how, bool fails) {
  if (!channel_.say(control::Ends{how, fails})) return;
  for (auto answer = channel_.hear(); answer; answer = channel_.hear()) {
    if (std::holds_alternative<control::Stop>(*answer)) return;  // else to what it asked before
  }
}

void ExploredProcess::end() {
  channel_.say(control::Ends{});
  channel_ = ControlChannel(-1);
  LIGHTCONE_REAL(Cancel)(&pending_);
  LIGHTCONE_REAL(Wait)(&pending_, MPI_STATUS_IGNORE);
  LIGHTCONE_REAL(Comm_free)(&own_);
  for (auto& [request, copy] : sends_) {
    int is_over = 0;
    LIGHTCONE_REAL(Test)(&request, &is_over, MPI_STATUS_IGNORE);
    if (is_over == 0) LIGHTCONE_REAL(Request_free)(&request);
  }
}

}  // namespace lightcone::mpi
