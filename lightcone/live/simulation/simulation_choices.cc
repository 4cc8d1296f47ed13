// What could be different in a simulation, where it is not left to delays and rates: a chooser is
// asked, or an exploration.
#include <lightcone/error.h>
#include <lightcone/live/simulation/simulation.h>

#include <algorithm>
#include <array>

namespace lightcone {

/// Returns whether delays, rates and random numbers decide.
bool SimulatedNetwork::Simulation::is_drawn() const {
  return options_.chooser == nullptr && options_.explorer == nullptr;
}

/// Asks on the stack of the process that runs, if any. Nothing if the execution ends here.
std::optional<std::size_t> SimulatedNetwork::Simulation::decide(
    Choice::Kind kind, std::span<const Alternative> alternatives) {
  if (options_.explorer != nullptr) {
    if (running_ == nullptr || running_->stopped) return 0;
    const auto count = static_cast<std::uint32_t>(alternatives.size());
    return options_.explorer->exploration().branches(count);
  }
  const std::string_view process = running_ != nullptr ? running_->name : std::string_view();
  const auto chosen = options_.chooser->choose({kind, process, alternatives});
  if (!chosen) {
    end_with(SimulationOutcome::End::stopped);
    if (running_ != nullptr) stop(*running_);
    return std::nullopt;
  }
  LIGHTCONE_ASSERT(*chosen < alternatives.size());
  return chosen;
}

/// Of the faults only those that have a rate are among the alternatives.
SimulatedNetwork::Simulation::Fate SimulatedNetwork::Simulation::choose_fate(const Parcel& parcel,
                                                                             std::uint64_t number) {
  const std::string_view sender = running_ != nullptr ? running_->name : std::string_view();
  std::array<Alternative, 3> alternatives;
  std::size_t count = 0;
  const auto add = [&](Alternative::What what) {
    alternatives[count++] = {what, sender, now_, &parcel, sender, number};
  };
  add(Alternative::What::arrives);
  if (loss_ != 0) add(Alternative::What::is_lost);
  if (loss_or_doubling_ != loss_) add(Alternative::What::doubled);
  const auto chosen = decide(Choice::Kind::fate, std::span(alternatives).first(count));
  if (!chosen || alternatives[*chosen].what == Alternative::What::is_lost) return Fate::lost;
  return alternatives[*chosen].what == Alternative::What::doubled ? Fate::doubled : Fate::arrives;
}

std::uint32_t SimulatedNetwork::Simulation::choose(std::uint32_t alternatives) {
  LIGHTCONE_ASSERT(running_ != nullptr && alternatives != 0);
  if (is_drawn()) return random().below(alternatives);
  alternatives_.clear();
  for (std::uint32_t i = 0; i < alternatives; ++i) {
    alternatives_.push_back(
        {Alternative::What::goes_on, running_->name, now_, nullptr, running_->name, i});
  }
  return static_cast<std::uint32_t>(decide(Choice::Kind::branch, alternatives_).value_or(0));
}

/// What may happen to a process that waits. On FIFO channels only the first parcel of each sender.
void SimulatedNetwork::Simulation::add_alternatives(Member& member) {
  const Wait& wait = *member.wait;
  const std::string_view mailbox =
      wait.mailbox != nullptr ? std::string_view(wait.mailbox->name) : std::string_view();
  if (wait.mailbox != nullptr) {
    std::set<const Member*> seen;  // looked up only
    for (const auto& [arrival, transit] : wait.mailbox->parcels) {
      if (options_.fifo && !seen.insert(transit.sender).second) continue;
      const std::string_view sender =
          transit.sender != nullptr ? transit.sender->name : std::string_view();
      alternatives_.push_back({Alternative::What::receives, member.name, arrival.time,
                               &transit.parcel, sender, transit.number, transit.copy, mailbox});
      chosen_from_.push_back({arrival, &member, wait.mailbox});
    }
  }
  if (!wait.deadline) return;
  const auto what =
      wait.mailbox != nullptr ? Alternative::What::gives_up : Alternative::What::wakes;
  alternatives_.push_back({what, member.name, wait.deadline->time, nullptr, {}, 0, false, mailbox});
  chosen_from_.push_back({*wait.deadline, &member, nullptr});
}

std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::chosen_event() {
  alternatives_.clear();
  chosen_from_.clear();
  for (Member& member : members_) {
    if (member.wait) add_alternatives(member);
  }
  if (alternatives_.empty()) return std::nullopt;
  const auto chosen = decide(Choice::Kind::next, alternatives_);
  if (!chosen) return std::nullopt;
  return chosen_from_[*chosen];
}

std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::explored_event() {
  Exploration& exploration = options_.explorer->exploration();
  const auto next = exploration.next();
  if (exploration.trouble()) end_with(SimulationOutcome::End::stopped);
  if (!next) return std::nullopt;
  Member& member = *explored_[next->process];
  const Wait& wait = *member.wait;
  if (next->what != Exploration::Next::What::takes) {
    return Event{wait.deadline.value_or(SimulatedMoment{closed_at_}), &member, nullptr};
  }
  const auto parcel = std::ranges::find_if(wait.mailbox->parcels, [&](const auto& entry) {
    const InTransit& transit = entry.second;
    const std::uint32_t sender = transit.sender != nullptr ? transit.sender->id : outside;
    return transit.number == next->number && sender == next->sender;
  });
  LIGHTCONE_ASSERT(parcel != wait.mailbox->parcels.end());
  return Event{parcel->first, &member, wait.mailbox};
}

}  // namespace lightcone
