// What programs call, and how they start, stop and crash.
#include <lightcone/live/simulation/simulated_network.h>

#include <lightcone/base/error.h>
#include <lightcone/live/simulation/simulation.h>

#include <algorithm>
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
  if (options_.explorer == nullptr || ended_) return;
  member.id = options_.explorer->process(member.name);
  if (member.id >= explored_.size()) explored_.resize(member.id + 1);
  explored_[member.id] = &member;
  options_.explorer->exploration().spawns(member.id);
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
  // A process that catches everything and goes on would do so for ever.
  LIGHTCONE_ASSERT(++member.ignored < most_ignored);
  throw Stopped();
}

/// Whether the process may still act; it is stopped if not.
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
    const bool replayed = orders && *orders && (*orders)->mode == RunOrders::Mode::replay;
    if (options_.explorer == nullptr && !replayed) end_with(SimulationOutcome::End::failed);
  };
  try {
    member.body();
  } catch (const Stopped&) {
  } catch (const std::exception& exception) {
    fail(exception.what());
  } catch (...) {
    fail("an exception that is no std::exception");
  }
}

void SimulatedNetwork::Simulation::resume(Member& member) {
  if (!member.fiber) {
    member.fiber = std::make_unique<Fiber>([this, &member] { live(member); }, options_.stack_size);
  }
  running_ = &member;
  {
    const World::Visit visit(inside_);
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
  if (options_.explorer != nullptr) {
    using What = Waiting::What;
    const What patient = patience ? What::polls : What::receives;
    options_.explorer->exploration().waits(from != nullptr ? Waiting{patient, from->id}
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
  if (orders && *orders && (*orders)->mode == RunOrders::Mode::explore) return std::nullopt;
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

SimulatedNetwork::SimulatedNetwork(SimulationOptions options)
    : simulation_(std::make_unique<Simulation>(std::move(options))) {}

SimulatedNetwork::~SimulatedNetwork() = default;

void SimulatedNetwork::spawn(std::string name, std::function<void()> body) {
  simulation_->spawn(std::move(name), std::move(body));
}

SimulationOutcome SimulatedNetwork::run() { return simulation_->run(); }

void SimulatedNetwork::send(std::string_view to, Parcel parcel) {
  simulation_->send(to, std::move(parcel));
}

std::optional<Parcel> SimulatedNetwork::receive(std::string_view mailbox,
                                                const std::source_location& where) {
  return simulation_->wait(mailbox, {}, where);
}

std::optional<Parcel> SimulatedNetwork::receive_within(SimulatedTime patience,
                                                       std::string_view mailbox,
                                                       const std::source_location& where) {
  return simulation_->wait(mailbox, patience, where);
}

std::optional<Parcel> SimulatedNetwork::try_receive(std::string_view mailbox) {
  return simulation_->wait(mailbox, simulation_->options().poll, std::source_location());
}

void SimulatedNetwork::close() { simulation_->close(); }

SimulatedTime SimulatedNetwork::now() const { return simulation_->now(); }

void SimulatedNetwork::sleep(SimulatedTime duration) {
  static_cast<void>(simulation_->wait({}, duration, std::source_location()));
}

PortableRandom& SimulatedNetwork::random() { return simulation_->random(); }

std::uint32_t SimulatedNetwork::choose(std::uint32_t alternatives) {
  return simulation_->choose(alternatives);
}

std::string_view SimulatedNetwork::self() const { return simulation_->self(); }

}  // namespace lightcone
