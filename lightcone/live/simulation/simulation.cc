// What is under way and what happens next. Processes run one at a time, each until it waits; when
// all wait, what happens next is chosen from all that may: that loses no execution. For take the
// first reception of an execution that has not happened yet. Everything before it has, so its
// parcel has been sent, and its process waits for it: it is one of the alternatives.
#include <lightcone/live/simulation/simulation.h>

#include <lightcone/error.h>

#include <fmt/format.h>

#include <algorithm>
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
  Mailbox& box =
      mailboxes_.try_emplace(std::string(name), Mailbox{std::string(name)}).first->second;
  if (options_.explorer != nullptr) box.id = options_.explorer->mailbox(name);
  return box;
}

/// Lots and delays are drawn in the order in which things happen; where that is explored, they
/// would make processes differ.
SimulatedMoment SimulatedNetwork::Simulation::moment(SimulatedTime time) {
  return {time, options_.explorer == nullptr ? random_.word() : 0, ++numbers_};
}

SimulatedTime SimulatedNetwork::Simulation::draw_delay() {
  if (options_.explorer != nullptr) return options_.delay;
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
  if (!is_drawn()) return choose_fate(parcel, number);
  const std::uint32_t word = random_.word();
  if (word < loss_) return Fate::lost;
  return word < loss_or_doubling_ ? Fate::doubled : Fate::arrives;
}

void SimulatedNetwork::Simulation::post(Mailbox& to, InTransit parcel) {
  SimulatedMoment arrival = moment(now_ + draw_delay());
  if (options_.fifo) {
    SimulatedMoment& last = to.last[parcel.sender != nullptr ? parcel.sender->index : 0];
    if (arrival < last) arrival = {last.time, last.lot, arrival.number};
    last = arrival;
  }
  if (options_.explorer != nullptr) options_.explorer->exploration().sends(to.id, parcel.number);
  to.parcels.emplace(arrival, std::move(parcel));
  if (is_drawn()) events_.push({arrival, nullptr, &to});
}

void SimulatedNetwork::Simulation::set_deadline(Member& member, SimulatedTime time) {
  member.wait->deadline = moment(time);
  if (is_drawn()) events_.push({*member.wait->deadline, &member, nullptr});
}

/// On a closed network, a process that waits for an empty mailbox gets nothing.
void SimulatedNetwork::Simulation::release(Mailbox& mailbox) {
  if (!closed_ || !mailbox.parcels.empty()) return;
  for (Member* member : mailbox.waiting) {
    if (!member->wait->deadline) set_deadline(*member, now_);
  }
}

void SimulatedNetwork::Simulation::close() {
  if (options_.explorer != nullptr && !ended_) options_.explorer->exploration().closes();
  if (!closed_) closed_at_ = now_;
  closed_ = true;
  for (auto& [name, box] : mailboxes_) release(box);
}

/// An event in the queue may be out of date: the wait is over, or the parcel taken. A parcel that
/// nothing waits for stays in its mailbox, and is found there.
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

std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::next_event() {
  if (options_.explorer != nullptr) return explored_event();
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
  if (options_.explorer != nullptr) now_ = member.time;  // depends on what it knows alone
  now_ = member.time = std::max(now_, event.moment.time);
  if (Mailbox* const from = member.wait->mailbox) std::erase(from->waiting, &member);
  member.wait.reset();
  if (event.mailbox != nullptr) member.given = take(*event.mailbox, event.moment);
  resume(member);
}

void SimulatedNetwork::Simulation::tell_end() {
  if (!outcome_.failed.empty()) return end_with(SimulationOutcome::End::failed);
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
  if (!ended_) tell_end();
  ended_ = true;
  outcome_.time = now_;
  const SimulationOutcome outcome = outcome_;  // what unwinding does is no part of it
  unwind();
  return outcome;
}

}  // namespace lightcone
