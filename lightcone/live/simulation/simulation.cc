// The inside of a simulated network: how processes start, stop and crash, what is under way, and
// what happens next. Where that is not left to delays and rates, a chooser is asked, or an
// exploration.
#include <lightcone/live/simulation/simulation.h>

#include <lightcone/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace lightcone {
namespace {

/// Thrown into a process that is to end. No std::exception, so that programs do not catch it.
struct Stopped {};

constexpr std::uint32_t most_ignored = 1000;

/// The seed of a process: the FNV-1a hash of its name, mixed with the network's seed.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ (seed * 0x9e3779b97f4a7c15ULL);
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  return hash;
}

/// `time * factor / 2^16`, without losing the high bits.
[[nodiscard]] SimulatedTime scaled(SimulatedTime time, std::uint64_t factor) {
  const auto count = static_cast<std::uint64_t>(time.count());
  return SimulatedTime((count >> 16) * factor + (((count & 0xffff) * factor) >> 16));
}

}  // namespace

SimulatedNetwork::Simulation::Simulation(SimulationOptions options)
    : options_(std::move(options)),
      random_(options_.seed),
      loss_(PortableRandom::threshold(options_.loss_rate)),
      loss_or_doubling_(loss_ + PortableRandom::threshold(options_.duplicate_rate)) {}

void SimulatedNetwork::Simulation::spawn(std::string name, std::function<void()> body) {
  LIGHTCONE_ASSERT(names_.insert(name).second);
  Member& member = members_.emplace_back();
  member.name = std::move(name);
  member.index = members_.size();
  member.body = std::move(body);
  for (const Crash& crash : options_.crashes) {
    if (crash.process == member.name) member.crash_at = crash.action;
  }
  member.wait = Wait{};  // Clang does not find `emplace` here
  set_deadline(member, now_);
  if (options_.exploration == nullptr || ended_) return;
  member.id = options_.exploration->names().process(member.name);
  if (member.id >= explored_.size()) explored_.resize(member.id + 1);
  explored_[member.id] = &member;
  options_.exploration->exploration().spawns(member.id);
}

std::string_view SimulatedNetwork::Simulation::self() const {
  LIGHTCONE_ASSERT(running_ != nullptr);
  return running_->name;
}

PortableRandom& SimulatedNetwork::Simulation::random() {
  LIGHTCONE_ASSERT(running_ != nullptr);
  if (!running_->random) running_->random.emplace(seed_of(options_.seed, running_->name));
  return *running_->random;
}

void SimulatedNetwork::Simulation::end_with(SimulationOutcome::End end) {
  if (ended_) return;
  ended_ = true;
  outcome_.end = end;
}

/// Nothing may be thrown while an exception passes: its destructors' calls then have no effect.
void SimulatedNetwork::Simulation::stop(Member& member) {
  member.stopped = true;
  if (std::uncaught_exceptions() != 0) return;
  // A process that catches everything and goes on would do so forever.
  LIGHTCONE_ASSERT(++member.ignored < most_ignored);
  throw Stopped();
}

/// Returns whether the process may still act; it is stopped if not.
bool SimulatedNetwork::Simulation::begin_action(Member& member) {
  if (!member.stopped) {
    if (++member.actions == member.crash_at) {
      outcome_.crashed.push_back(member.name);
    } else if (outcome_.actions == options_.action_limit) {
      end_with(SimulationOutcome::End::limit);
    } else {
      ++outcome_.actions;
      return true;
    }
  }
  stop(member);
  return false;
}

/// All of a process, on its own stack. No exception leaves it.
void SimulatedNetwork::Simulation::live(Member& member) {
  const auto fail = [&](const char* what) {
    if (member.stopped || ended_) return;
    if (!outcome_.failed.empty()) return;
    outcome_.failed = member.name;
    outcome_.what = what;
    // Where all is explored the others go on: what they do could have prevented it. In a replay
    // they do all that they did before, however late it comes this time.
    const auto orders = inside_.orders();
    const bool replayed = orders && *orders && (*orders)->replay() != nullptr;
    if (options_.exploration == nullptr && !replayed) end_with(SimulationOutcome::End::failed);
  };
  try {
    member.body();
  } catch (const Stopped&) {
  } catch (const std::exception& exception) {
    fail(exception.what());
  } catch (...) {
    fail("an exception other than a std::exception");
  }
}

void SimulatedNetwork::Simulation::resume(Member& member) {
  if (!member.fiber) {
    member.fiber = std::make_unique<Fiber>([this, &member] { live(member); }, options_.stack_size);
  }
  running_ = &member;
  {
    const Surroundings::Visit visit(inside_);
    member.fiber->resume();
  }
  running_ = nullptr;
  if (!member.fiber->ended()) return;
  member.ended = true;
  member.fiber.reset();  // its stack can be used again
}

/// Ends the fibers that are left, so that what lies on their stacks is destroyed.
void SimulatedNetwork::Simulation::unwind() {
  for (std::size_t i = 0; i < members_.size(); ++i) {  // destructors might spawn more
    Member& member = members_[i];
    member.stopped = true;
    while (member.fiber) resume(member);
  }
}

std::optional<Parcel> SimulatedNetwork::Simulation::suspend(Member& member) {
  member.fiber->suspend();
  if (member.stopped) stop(member);
  return std::exchange(member.given, std::nullopt);
}

std::optional<Parcel> SimulatedNetwork::Simulation::wait(std::optional<std::string_view> name,
                                                         std::optional<SimulatedTime> patience,
                                                         const std::source_location& where) {
  LIGHTCONE_ASSERT(running_ != nullptr);
  Member& member = *running_;
  if (!begin_action(member)) return std::nullopt;
  Mailbox* const from = name ? &mailbox(*name) : nullptr;
  // Without a chooser the earliest event is next, and no other is earlier than one in the past.
  if (is_drawn() && from != nullptr && !from->parcels.empty() &&
      from->parcels.begin()->first.time <= now_) {
    return take(*from, from->parcels.begin()->first);
  }
  member.wait = Wait{from, {}, now_, where};
  if (patience) set_deadline(member, now_ + *patience);
  if (options_.exploration != nullptr) {
    using What = Waiting::What;
    const What patient = patience ? What::polls : What::receives;
    options_.exploration->exploration().waits(from != nullptr ? Waiting{patient, from->id}
                                                              : Waiting{What::ready, 0});
  } else if (from != nullptr) {
    from->waiting.push_back(&member);
    release(*from);
  }
  return suspend(member);
}

/// Who explores a simulation does so from outside of its processes, which need not know.
Expected<std::optional<RunOrders>> SimulatedNetwork::Simulation::Inside::orders() {
  if (simulation_.options_.run) return simulation_.options_.run;
  auto orders = RunOrders::from_environment();
  if (orders && *orders && (*orders)->explore() != nullptr) return std::nullopt;
  return orders;
}

std::uint64_t SimulatedNetwork::Simulation::Inside::now() {
  return static_cast<std::uint64_t>(simulation_.now_.count());
}

std::uint64_t SimulatedNetwork::Simulation::Inside::random() {
  PortableRandom& random = simulation_.random();
  const std::uint64_t high = random.word();
  return high << 32 | random.word();
}

std::uint64_t SimulatedNetwork::Simulation::Inside::choose(std::uint64_t alternatives) {
  if (simulation_.is_drawn()) return random() % alternatives;
  return simulation_.choose(static_cast<std::uint32_t>(alternatives));
}

void SimulatedNetwork::Simulation::Inside::stand_still(const std::string&) {
  simulation_.stop(*simulation_.running_);
}

bool SimulatedNetwork::Simulation::Inside::is_stopping() { return simulation_.running_->stopped; }

void SimulatedNetwork::Simulation::Inside::leave() { simulation_.stop(*simulation_.running_); }

SimulatedNetwork::Simulation::Mailbox& SimulatedNetwork::Simulation::mailbox(
    std::string_view name) {
  const auto known = mailboxes_.find(name);
  if (known != mailboxes_.end()) return known->second;
  Mailbox& box =
      mailboxes_.try_emplace(std::string(name), Mailbox{std::string(name)}).first->second;
  if (options_.exploration != nullptr) box.id = options_.exploration->names().mailbox(name);
  return box;
}

/// Lots and delays are drawn in the order in which things happen; where that is explored, they
/// would make processes differ.
SimulatedMoment SimulatedNetwork::Simulation::moment(SimulatedTime time) {
  return {time, options_.exploration == nullptr ? random_.word() : 0, ++numbers_};
}

SimulatedTime SimulatedNetwork::Simulation::draw_delay() {
  if (options_.exploration != nullptr) return options_.delay;
  switch (options_.spread) {
    case DelaySpread::fixed: break;
    case DelaySpread::uniform: return scaled(options_.delay, random_.word() >> 15);
    case DelaySpread::exponential: return scaled(options_.delay, random_.exponential());
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
  if (options_.exploration != nullptr)
    options_.exploration->exploration().sends(to.id, parcel.number);
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
  if (options_.exploration != nullptr && !ended_) options_.exploration->exploration().closes();
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
  if (options_.exploration != nullptr) return explored_event();
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
  if (options_.exploration != nullptr) now_ = member.time;  // depends on what it knows alone
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

/// Returns whether delays, rates and random numbers decide.
bool SimulatedNetwork::Simulation::is_drawn() const {
  return options_.chooser == nullptr && options_.exploration == nullptr;
}

/// Asks on the stack of the process that runs, if any. Nothing if the execution ends here.
std::optional<std::size_t> SimulatedNetwork::Simulation::decide(
    OpenChoice::Kind kind, std::span<const Alternative> alternatives) {
  if (options_.exploration != nullptr) {
    if (running_ == nullptr || running_->stopped) return 0;
    const auto count = static_cast<std::uint32_t>(alternatives.size());
    return options_.exploration->exploration().branches(count);
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
  const auto chosen = decide(OpenChoice::Kind::fate, std::span(alternatives).first(count));
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
  return static_cast<std::uint32_t>(decide(OpenChoice::Kind::branch, alternatives_).value_or(0));
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
  const auto chosen = decide(OpenChoice::Kind::next, alternatives_);
  if (!chosen) return std::nullopt;
  return chosen_from_[*chosen];
}

std::optional<SimulatedNetwork::Simulation::Event> SimulatedNetwork::Simulation::explored_event() {
  Exploration& exploration = options_.exploration->exploration();
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
