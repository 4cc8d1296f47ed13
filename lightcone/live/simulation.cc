// What is under way and what happens next. Processes run one at a time, each until it waits; when
// all wait, what happens next is chosen from all that may: that loses no execution. For take the
// first reception of an execution that has not happened yet. Everything before it has, so its
// parcel has been sent, and its process waits for it: it is one of the alternatives.
#include <lightcone/live/simulation.h>

#include <lightcone/causal/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lightcone {
namespace {

/// `time * factor / 2^16`, without losing the high bits.
[[nodiscard]] SimulatedTime scaled(SimulatedTime time, std::uint64_t factor) {
  const auto count = static_cast<std::uint64_t>(time.count());
  return SimulatedTime((count >> 16) * factor + (((count & 0xffff) * factor) >> 16));
}

}  // namespace

SimulatedNetwork::Simulation::Mailbox& SimulatedNetwork::Simulation::mailbox(
    std::string_view name) {
  const auto known = mailboxes_.find(name);
  if (known != mailboxes_.end()) return known->second;
  return mailboxes_.try_emplace(std::string(name), Mailbox{std::string(name)}).first->second;
}

SimulatedMoment SimulatedNetwork::Simulation::moment(SimulatedTime time) {
  return {time, random_.word(), ++numbers_};
}

SimulatedTime SimulatedNetwork::Simulation::draw_delay() {
  switch (options_.spread) {
    case Spread::fixed: break;
    case Spread::uniform: return scaled(options_.delay, random_.word() >> 15);
    case Spread::exponential: return scaled(options_.delay, random_.exponential());
  }
  return options_.delay;
}

void SimulatedNetwork::Simulation::send(std::string_view to, Parcel parcel) {
  Member* const sender = running_;
  if (sender != nullptr && !begin_action(*sender)) return;
  const std::uint64_t number = ++(sender != nullptr ? sender->sent : outside_sent_);
  ++outcome_.sent;
  const Fate what = fate(parcel, number);
  if (what == Fate::lost) {
    ++outcome_.lost;
    return;
  }
  Mailbox& box = mailbox(to);
  if (what == Fate::doubled) {
    ++outcome_.doubled;
    post(box, {parcel, sender, number, false});
  }
  post(box, {std::move(parcel), sender, number, what == Fate::doubled});
}

SimulatedNetwork::Simulation::Fate SimulatedNetwork::Simulation::fate(const Parcel& parcel,
                                                                      std::uint64_t number) {
  if (loss_or_doubling_ == 0) return Fate::arrives;
  if (options_.chooser != nullptr) return choose_fate(parcel, number);
  const std::uint32_t word = random_.word();
  if (word < loss_) return Fate::lost;
  return word < loss_or_doubling_ ? Fate::doubled : Fate::arrives;
}

/// Of the faults only those that have a rate are among the alternatives.
SimulatedNetwork::Simulation::Fate SimulatedNetwork::Simulation::choose_fate(const Parcel& parcel,
                                                                             std::uint64_t number) {
  const std::string_view sender = running_ != nullptr ? running_->name : std::string_view();
  std::vector<Alternative> alternatives;
  const auto add = [&](Alternative::What what) {
    alternatives.push_back({what, sender, now_, &parcel, sender, number});
  };
  add(Alternative::What::arrives);
  if (loss_ != 0) add(Alternative::What::is_lost);
  if (loss_or_doubling_ != loss_) add(Alternative::What::doubled);
  const auto chosen = options_.chooser->choose({Choice::Kind::fate, sender, alternatives});
  if (!chosen) {
    end_with(SimulationOutcome::End::stopped);
    if (running_ != nullptr) stop(*running_);
    return Fate::lost;
  }
  LIGHTCONE_ASSERT(*chosen < alternatives.size());
  if (alternatives[*chosen].what == Alternative::What::is_lost) return Fate::lost;
  return alternatives[*chosen].what == Alternative::What::doubled ? Fate::doubled : Fate::arrives;
}

void SimulatedNetwork::Simulation::post(Mailbox& to, InTransit parcel) {
  SimulatedMoment arrival = moment(now_ + draw_delay());
  if (options_.fifo) {
    SimulatedMoment& last = to.last[parcel.sender != nullptr ? parcel.sender->index : 0];
    if (arrival < last) arrival = {last.time, last.lot, arrival.number};
    last = arrival;
  }
  to.parcels.emplace(arrival, std::move(parcel));
  if (options_.chooser == nullptr) events_.push({arrival, nullptr, &to});
}

void SimulatedNetwork::Simulation::set_deadline(Member& member, SimulatedTime time) {
  member.wait->deadline = moment(time);
  if (options_.chooser == nullptr) events_.push({*member.wait->deadline, &member, nullptr});
}

/// On a closed network, whoever waits for an empty mailbox gets nothing.
void SimulatedNetwork::Simulation::release(Mailbox& mailbox) {
  if (!closed_ || !mailbox.parcels.empty()) return;
  for (Member* member : mailbox.waiting) {
    if (!member->wait->deadline) set_deadline(*member, now_);
  }
}

void SimulatedNetwork::Simulation::close() {
  closed_ = true;
  for (auto& [name, box] : mailboxes_) release(box);
}

/// An event in the queue may be out of date: the wait is over, or the parcel taken. A parcel that
/// no one waits for stays in its mailbox, and is found there.
std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::earliest_event() {
  while (!events_.empty()) {
    Event event = events_.top();
    events_.pop();
    if (event.mailbox == nullptr) {
      const auto& wait = event.member->wait;
      if (wait && wait->deadline == event.moment) return event;
    } else if (!event.mailbox->waiting.empty() && event.mailbox->parcels.contains(event.moment)) {
      event.member = event.mailbox->waiting.front();
      return event;
    }
  }
  return std::nullopt;
}

/// What may happen to a process that waits. On FIFO channels only the first parcel of each sender.
void SimulatedNetwork::Simulation::add_alternatives(Member& member) {
  const Wait& wait = *member.wait;
  if (wait.mailbox != nullptr) {
    std::set<const Member*> seen;  // looked up only
    for (const auto& [arrival, transit] : wait.mailbox->parcels) {
      if (options_.fifo && !seen.insert(transit.sender).second) continue;
      const std::string_view sender =
          transit.sender != nullptr ? transit.sender->name : std::string_view();
      alternatives_.push_back({Alternative::What::receives, member.name, arrival.time,
                               &transit.parcel, sender, transit.number, transit.copy});
      chosen_from_.push_back({arrival, &member, wait.mailbox});
    }
  }
  if (!wait.deadline) return;
  const auto what =
      wait.mailbox != nullptr ? Alternative::What::gives_up : Alternative::What::wakes;
  alternatives_.push_back({what, member.name, wait.deadline->time});
  chosen_from_.push_back({*wait.deadline, &member, nullptr});
}

std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::chosen_event() {
  alternatives_.clear();
  chosen_from_.clear();
  for (Member& member : members_) {
    if (member.wait) add_alternatives(member);
  }
  if (alternatives_.empty()) return std::nullopt;
  const auto chosen = options_.chooser->choose({Choice::Kind::next, {}, alternatives_});
  if (!chosen) {
    end_with(SimulationOutcome::End::stopped);
    return std::nullopt;
  }
  LIGHTCONE_ASSERT(*chosen < chosen_from_.size());
  return chosen_from_[*chosen];
}

std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::next_event() {
  return options_.chooser != nullptr ? chosen_event() : earliest_event();
}

Parcel SimulatedNetwork::Simulation::take(Mailbox& from, const SimulatedMoment& moment) {
  auto node = from.parcels.extract(moment);
  ++outcome_.received;
  release(from);
  return std::move(node.mapped().parcel);
}

void SimulatedNetwork::Simulation::happen(const Event& event) {
  Member& member = *event.member;
  now_ = std::max(now_, event.moment.time);
  if (Mailbox* const from = member.wait->mailbox) std::erase(from->waiting, &member);
  member.wait.reset();
  if (event.mailbox != nullptr) member.given = take(*event.mailbox, event.moment);
  resume(member);
}

void SimulatedNetwork::Simulation::tell_waiting() {
  for (const Member& member : members_) {
    if (!member.wait) continue;
    end_with(SimulationOutcome::End::deadlock);
    const std::source_location& where = member.wait->where;
    outcome_.waiting.push_back({member.name, member.wait->mailbox->name, member.wait->since,
                                fmt::format("{}:{}", where.file_name(), where.line())});
  }
}

SimulationOutcome SimulatedNetwork::Simulation::run() {
  while (!ended_) {
    const auto event = next_event();
    if (!event) break;
    happen(*event);
  }
  if (!ended_) tell_waiting();
  ended_ = true;
  outcome_.time = now_;
  const SimulationOutcome outcome = outcome_;  // what unwinding does is no part of it
  unwind();
  return outcome;
}

}  // namespace lightcone
