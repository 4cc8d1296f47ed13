// Asks the controller, and lets the MPI move on while it waits for the answer.
#include "explored.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "rank.h"
#include "real.h"
#include "receives.h"

namespace lightcone::mpi {
namespace {

using What = ControlMessage::What;

/// Collective operations on a communicator do not mix with its messages.
[[nodiscard]] std::string context_of(const Collective& collective) {
  return collective.communicator->name() + "#";
}

[[nodiscard]] std::int32_t tag_of(const Collective& collective) {
  return static_cast<std::int32_t>(collective.number);
}

[[nodiscard]] int rank_named(const std::string& name) {
  int rank = 0;
  std::from_chars(name.data() + 4, name.data() + name.size(), rank);  // after `rank`
  return rank;
}

[[nodiscard]] bool accepts_all_of(const Receive& wide, const Receive& narrow) {
  return (wide.source == any || wide.source == narrow.source) &&
         (wide.tag == any || wide.tag == narrow.tag);
}

}  // namespace

Expected<Explored> Explored::begin(Rank& rank, const std::string& socket, int size) {
  auto channel = ControlChannel::connect(socket);
  if (!channel) return failure(channel.error());
  Explored explored(rank, std::move(*channel));
  ControlMessage greeting{.what = What::begins, .name = process_name(rank.number())};
  for (int i = 0; i < size; ++i) greeting.names.push_back(process_name(i));
  explored.channel_.say(greeting);
  static_cast<void>(explored.hear());
  return explored;
}

ControlMessage Explored::hear() {
  constexpr std::chrono::milliseconds step{1};
  rank_->flush();  // whoever started the processes may kill them while others move
  while (!channel_.has_news(step)) make_progress();
  auto answer = channel_.hear();
  if (!answer || answer->what == What::stop) {
    rank_->stand_still({Standstill::Why::stopped, "the exploration goes no further here"});
  }
  return std::move(*answer);
}

int Explored::send(std::string copy, const Communicator& communicator, int to, int tag,
                   MPI_Comm comm) {
  auto& [request, kept] = sends_.emplace_back(MPI_REQUEST_NULL, std::move(copy));
  const int result = LIGHTCONE_REAL(Isend)(kept.data(), static_cast<int>(kept.size()), MPI_PACKED,
                                           to, tag, comm, &request);
  channel_.say({.what = What::sends,
                .number = ++sent_,
                .names = {process_name(communicator.world_rank(to))},
                .context = communicator.name(),
                .tag = tag});
  return result;
}

/// Asks for a message that one of these accepts.
std::optional<Channel> Explored::ask(const char* call, Communicator& communicator,
                                     const std::vector<const Receive*>& wanted, bool polls) {
  ControlMessage question{.what = What::takes, .flag = polls};
  const Receive& first = *wanted.front();
  const bool same = std::ranges::all_of(wanted, [&](const Receive* receive) {
    return receive->source == first.source && receive->tag == first.tag;
  });
  question.name = describe(call, communicator, same ? first.source : any, same ? first.tag : any);
  for (const Receive* receive : wanted) {
    ControlPattern pattern{.context = communicator.name()};
    if (receive->source != any) {
      const auto& members = communicator.members();
      pattern.sender = process_name(members[static_cast<std::size_t>(receive->source)]);
    }
    if (receive->tag != any) pattern.tag = receive->tag;
    question.patterns.push_back(std::move(pattern));
  }
  channel_.say(question);
  const ControlMessage answer = hear();
  if (answer.what != What::take) return std::nullopt;
  const auto& members = communicator.members();
  const auto sender = std::ranges::find(members, rank_named(answer.name));
  return Channel{static_cast<int>(sender - members.begin()), answer.tag};
}

/// A posted receive that gets every message before this one that this one accepts.
Request* Explored::posted_before(const Request* request, const Receive& receive,
                                 const Communicator& communicator) const {
  for (Request* posted : posted_) {
    if (posted == request) return nullptr;
    if (posted->communicator == &communicator && accepts_all_of(*posted->receive, receive)) {
      return posted;
    }
  }
  return nullptr;
}

void Explored::receive(Request& request, const Channel& channel) {
  forget(request);
  request.receive->channel = channel;
  MPI_Status& status = request.status;
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

bool Explored::give_to_posted(Communicator& communicator, const Channel& channel) {
  const auto place = std::ranges::find_if(posted_, [&](const Request* posted) {
    return posted->communicator == &communicator && posted->receive->accepts(channel);
  });
  if (place == posted_.end()) return false;
  receive(**place, channel);
  return true;
}

void Explored::forget(const Request& request) { std::erase(posted_, &request); }

/// A receive from anyone need not take the message that a probe has found, unless another of the
/// same sender would have to overtake it.
std::optional<Channel> Explored::take_another(const char* call, Communicator& communicator,
                                              const Receive& wanted, const Channel& probed) {
  if (wanted.source != any || !posted_.empty()) return std::nullopt;
  std::vector<Receive> others;
  for (int source = 0; source < static_cast<int>(communicator.members().size()); ++source) {
    const bool is_self = communicator.world_rank(source) == number();
    if (source != probed.source && !is_self)
      others.push_back({.source = source, .tag = wanted.tag});
  }
  if (others.empty()) return std::nullopt;
  std::vector<const Receive*> pointers;
  for (const Receive& receive : others) pointers.push_back(&receive);
  return ask(call, communicator, pointers, true);
}

std::optional<Channel> Explored::take(const char* call, Communicator& communicator, int source,
                                      int tag, bool polls) {
  Receive wanted;
  if (source != MPI_ANY_SOURCE) wanted.source = source;
  if (tag != MPI_ANY_TAG) wanted.tag = tag;
  const auto there = std::ranges::find_if(probed_, [&](const auto& message) {
    return message.first == &communicator && wanted.accepts(message.second);
  });
  if (there != probed_.end()) {
    const Channel channel = there->second;
    if (const auto other = take_another(call, communicator, wanted, channel)) return other;
    probed_.erase(there);
    return channel;
  }
  while (Request* const before = posted_before(nullptr, wanted, communicator)) {
    if (!finish(call, *before, polls)) return std::nullopt;
  }
  for (;;) {
    const auto channel = ask(call, communicator, {&wanted}, polls);
    if (!channel || !give_to_posted(communicator, *channel)) return channel;
  }
}

void Explored::put_back(Communicator& communicator, const Channel& channel) {
  probed_.emplace_back(&communicator, channel);
}

/// What a probe has found goes to receives that were posted since.
void Explored::give_probed() {
  std::erase_if(
      probed_, [&](const auto& message) { return give_to_posted(*message.first, message.second); });
}

bool Explored::finish(const char* call, Request& request, bool polls) {
  Communicator& communicator = *request.communicator;
  give_probed();
  while (!request.done) {
    if (Request* const before = posted_before(&request, *request.receive, communicator)) {
      if (!finish(call, *before, polls)) return false;
    } else {
      const auto channel = ask(call, communicator, {request.receive.get()}, polls);
      if (!channel) return false;
      if (!give_to_posted(communicator, *channel)) receive(request, *channel);
    }
  }
  return true;
}

std::optional<std::size_t> Explored::finish_one(const char* call,
                                                const std::vector<Request*>& requests, bool polls) {
  give_probed();
  for (;;) {
    std::vector<std::size_t> over;
    std::vector<const Receive*> wanted;
    Communicator* communicator = nullptr;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Request* const request = requests[i];
      if (request == nullptr) continue;
      if (request->done || request->what != Request::What::receive) {
        over.push_back(i);
      } else if (communicator == nullptr || communicator == request->communicator) {
        communicator = request->communicator;
        wanted.push_back(request->receive.get());
      }
    }
    if (over.empty() && wanted.empty()) return std::nullopt;
    std::optional<Channel> channel;
    if (!wanted.empty()) channel = ask(call, *communicator, wanted, polls || !over.empty());
    if (channel) {
      if (!give_to_posted(*communicator, *channel)) put_back(*communicator, *channel);
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const bool is_new = std::ranges::find(over, i) == over.end();
        if (requests[i] != nullptr && requests[i]->done && is_new) return i;
      }
      continue;  // another receive has got it
    }
    if (over.empty()) return std::nullopt;
    if (over.size() == 1) return over.front();
    channel_.say({.what = What::branches, .number = over.size()});
    return over[hear().number];
  }
}

int Explored::number() const { return rank_->number(); }

std::vector<int> Explored::others(const Collective& collective) const {
  std::vector<int> all = collective.communicator->members();
  std::erase(all, number());
  return all;
}

void Explored::give(const Collective& collective, const std::vector<int>& to) {
  ControlMessage gift{.what = What::sends, .number = ++sent_};
  for (const int rank : to) gift.names.push_back(process_name(rank));
  gift.context = context_of(collective);
  gift.tag = tag_of(collective);
  channel_.say(gift);
}

void Explored::say_take(const Collective& collective, int from, bool polls) {
  ControlMessage question{.what = What::takes, .flag = polls};
  question.name =
      fmt::format("{} for rank{}, on {}", collective.call, from, collective.communicator->name());
  question.patterns.push_back({process_name(from), context_of(collective), tag_of(collective)});
  channel_.say(question);
}

void Explored::begin_meeting(const Collective& collective) {
  const std::vector<int> all = others(collective);
  if (!all.empty()) give(collective, all);
}

bool Explored::end_meeting(Collective& collective, bool polls) {
  const std::vector<int> all = others(collective);
  for (; collective.taken < all.size(); ++collective.taken) {
    say_take(collective, all[collective.taken], polls);
    if (hear().what != What::take) return false;
  }
  return true;
}

void Explored::end() {
  channel_ = ControlChannel(-1);
  for (auto& [request, copy] : sends_) {
    int is_over = 0;
    LIGHTCONE_REAL(Test)(&request, &is_over, MPI_STATUS_IGNORE);
    if (is_over == 0) LIGHTCONE_REAL(Request_free)(&request);
  }
}

}  // namespace lightcone::mpi
