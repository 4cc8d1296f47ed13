// Simulates processes that act at random, and messages that take their time; checks their shape.
#include <lightcone/causal/random/random_computation.h>

#include <lightcone/base/random.h>
#include <lightcone/causal/builder.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace lightcone {
namespace {

constexpr std::uint64_t progress_interval = 1 << 16;
constexpr std::uint32_t most_receivers = 8;  // of one multicast

enum class Role : std::uint8_t { work, report, release };

/// A message on its way to one receiver.
struct Flight {
  std::uint64_t due;
  std::uint64_t number;  // messages of the same due time arrive in the order they were sent
  MessageIndex message;
  Role role;
  bool again;  // a redelivery
};

[[nodiscard]] bool later(const Flight& a, const Flight& b) {
  return std::pair(a.due, a.number) > std::pair(b.due, b.number);
}

/// One process of the simulation.
struct Player {
  std::vector<Flight> inbox;  // a heap, the earliest on top
  std::uint32_t work_left = 0;
  bool waiting = false;           // at a barrier, for the release and nothing else
  std::optional<Flight> release;  // on its way

  [[nodiscard]] std::uint64_t next_due() const {
    if (waiting) return release ? release->due : UINT64_MAX;
    return inbox.empty() ? UINT64_MAX : inbox.front().due;
  }
};

class Simulation {
 public:
  explicit Simulation(const RandomShape& shape);
  [[nodiscard]] Expected<Computation> run(const Progress& progress);

 private:
  void name_everything();
  void begin();
  [[nodiscard]] std::uint32_t pick();
  [[nodiscard]] bool act(std::uint32_t p);
  void receive(std::uint32_t p);
  [[nodiscard]] Flight land(Player& player);
  void arrive(std::uint32_t p, const Flight& flight);
  [[nodiscard]] bool stand_at_barrier(std::uint32_t p);
  void start_work(Player& player);
  void work(std::uint32_t p);
  [[nodiscard]] std::uint32_t neighbour_count(std::uint32_t p) const;
  [[nodiscard]] std::uint32_t neighbour(std::uint32_t p, std::uint32_t i) const;
  void choose_receivers(std::uint32_t p);
  void send(std::uint32_t p, Role role);
  void launch(std::uint32_t to, const Flight& flight);
  [[nodiscard]] std::uint64_t due(std::uint32_t from, std::uint32_t to);
  void decorate(std::uint32_t p);
  void change(std::uint32_t p, std::size_t variable);
  void skip_idle_time();

  const RandomShape& shape_;
  PortableRandom random_;
  Builder builder_;
  std::vector<Player> players_;
  std::uint64_t now_ = 0;
  std::uint64_t made_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t idle_ = 0;
  std::uint32_t reports_ = 0;   // phases: that the first process has received
  std::uint32_t released_ = 0;  // phases: processes that it has released
  bool hub_;                    // the first process acts as often as all others together

  std::uint64_t message_chance_;
  std::uint64_t multicast_chance_;
  std::uint64_t batch_chance_;
  std::uint64_t duplicate_chance_;
  std::uint64_t mean_delay_;
  tsl::robin_map<std::uint64_t, std::uint64_t> channel_due_;  // fifo only

  NameIndex message_prefix_ = NameIndex::none;
  std::vector<NameIndex> process_names_;
  std::vector<NameSetIndex> only_process_;
  std::vector<std::pair<NameIndex, std::uint64_t>> labels_;  // with their chances
  std::vector<std::pair<NameIndex, std::uint64_t>> variables_;
  std::vector<std::int64_t> values_;  // by process, then variable; reals in quarters

  std::vector<std::uint32_t> receivers_;
  std::vector<MessageIndex> taken_;
  std::vector<NameIndex> members_;
};

Simulation::Simulation(const RandomShape& shape)
    : shape_(shape),
      random_(shape.seed),
      players_(shape.processes),
      hub_((shape.topology == Topology::star || shape.topology == Topology::phases) &&
           shape.processes > 2),
      message_chance_(PortableRandom::threshold(shape.message_rate)),
      multicast_chance_(PortableRandom::threshold(shape.multicast_rate)),
      batch_chance_(PortableRandom::threshold(shape.batch_rate)),
      duplicate_chance_(PortableRandom::threshold(shape.duplicate_rate)),
      mean_delay_(static_cast<std::uint64_t>(std::llround(shape.delay * shape.processes))) {}

void Simulation::name_everything() {
  message_prefix_ = builder_.name("m");
  for (std::uint32_t p = 0; p < shape_.processes; ++p) {
    const std::string name = "p" + std::to_string(p + 1);
    builder_.process(name);
    process_names_.push_back(builder_.name(name));
    only_process_.push_back(builder_.name_set({&process_names_.back(), 1}));
  }
  for (const LabelRate& label : shape_.labels) {
    labels_.emplace_back(builder_.name(label.name), PortableRandom::threshold(label.rate));
  }
  for (const VariableRate& variable : shape_.variables) {
    variables_.emplace_back(builder_.name(variable.name), PortableRandom::threshold(variable.rate));
  }
}

void Simulation::begin() {
  name_everything();
  for (Player& player : players_) start_work(player);
  values_.assign(players_.size() * variables_.size(), 0);
  if (variables_.empty()) return;
  for (std::uint32_t p = 0; p < shape_.processes; ++p) {
    builder_.add({.process = p, .kind = Kind::initial});
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      const VariableRate::Type type = shape_.variables[v].type;
      Value zero = std::int64_t{0};
      if (type == VariableRate::Type::boolean) zero = false;
      if (type == VariableRate::Type::real) zero = 0.0;
      builder_.assign(variables_[v].first, zero);
    }
  }
}

Expected<Computation> Simulation::run(const Progress& progress) {
  begin();
  while (made_ < shape_.events) {
    ++now_;
    if (!act(pick())) {
      if (++idle_ > 4 * players_.size()) skip_idle_time();
      continue;
    }
    idle_ = 0;
    if (++made_ % progress_interval == 0 && progress) {
      progress("generating", made_, shape_.events);
    }
  }
  return builder_.build();
}

std::uint32_t Simulation::pick() {
  if (!hub_) return random_.below(shape_.processes);
  if ((random_.word() >> 31) != 0) return 0;
  return 1 + random_.below(shape_.processes - 1);
}

/// One turn of a process; false if it can do nothing but wait.
bool Simulation::act(std::uint32_t p) {
  const Player& player = players_[p];
  if (player.next_due() <= now_) {
    receive(p);
  } else if (shape_.topology == Topology::phases && player.work_left == 0) {
    return stand_at_barrier(p);
  } else {
    work(p);
  }
  return true;
}

void Simulation::receive(std::uint32_t p) {
  const bool batch = random_.chance(batch_chance_) && !players_[p].waiting;
  bool again = false;
  taken_.clear();
  do {
    const Flight flight = land(players_[p]);
    taken_.push_back(flight.message);
    again = again || flight.again;
    arrive(p, flight);
  } while (batch && players_[p].next_due() <= now_);
  builder_.add({.process = p, .kind = Kind::receive, .takes = taken_, .duplicate = again});
  decorate(p);
}

/// Takes the next message that the process waits for.
Flight Simulation::land(Player& player) {
  if (player.waiting) return *std::exchange(player.release, std::nullopt);
  std::pop_heap(player.inbox.begin(), player.inbox.end(), later);
  const Flight flight = player.inbox.back();
  player.inbox.pop_back();
  return flight;
}

/// What the arrival of a message sets off beside the event itself.
void Simulation::arrive(std::uint32_t p, const Flight& flight) {
  if (flight.again) return;
  if (flight.role == Role::report) ++reports_;
  if (flight.role == Role::release) start_work(players_[p]);
  if (!random_.chance(duplicate_chance_)) return;
  Flight once_more = flight;
  once_more.again = true;
  once_more.due = now_ + 1 + mean_delay_;
  launch(p, once_more);
}

/// Everyone reports to the first process and waits; it releases them when all have reported.
bool Simulation::stand_at_barrier(std::uint32_t p) {
  Player& player = players_[p];
  if (p != 0) {
    if (player.waiting) return false;
    player.waiting = true;
    receivers_.assign(1, 0);
    send(p, Role::report);
    return true;
  }
  if (shape_.processes > 1) {
    if (reports_ < shape_.processes - 1) return false;
    receivers_.assign(1, ++released_);
    send(p, Role::release);
    if (released_ < shape_.processes - 1) return true;
  }
  // Those released first may have reported again.
  reports_ -= shape_.processes - 1;
  released_ = 0;
  start_work(player);
  return shape_.processes > 1;
}

void Simulation::start_work(Player& player) {
  player.waiting = false;
  player.work_left = (shape_.phase_length + 1) / 2 + random_.below(shape_.phase_length + 1);
}

void Simulation::work(std::uint32_t p) {
  if (shape_.topology == Topology::phases) --players_[p].work_left;
  if (neighbour_count(p) > 0 && random_.chance(message_chance_)) {
    choose_receivers(p);
    send(p, Role::work);
    return;
  }
  builder_.add({.process = p, .kind = Kind::internal});
  decorate(p);
}

std::uint32_t Simulation::neighbour_count(std::uint32_t p) const {
  const std::uint32_t n = shape_.processes;
  switch (shape_.topology) {
    case Topology::ring: return std::min(n - 1, 2U);
    case Topology::star: return p == 0 ? n - 1 : 1;
    case Topology::pairs: return (p ^ 1U) < n ? 1 : 0;
    default: return n - 1;
  }
}

std::uint32_t Simulation::neighbour(std::uint32_t p, std::uint32_t i) const {
  const std::uint32_t n = shape_.processes;
  switch (shape_.topology) {
    case Topology::ring: return (p + (i == 0 ? 1 : n - 1)) % n;
    case Topology::star: return p == 0 ? i + 1 : 0;
    case Topology::pairs: return p ^ 1U;
    default: return i < p ? i : i + 1;
  }
}

void Simulation::choose_receivers(std::uint32_t p) {
  const std::uint32_t available = neighbour_count(p);
  std::uint32_t wanted = 1;
  if (available > 1 && random_.chance(multicast_chance_)) {
    wanted = 2 + random_.below(std::min(available, most_receivers) - 1);
  }
  receivers_.clear();
  while (receivers_.size() < wanted) {
    const std::uint32_t chosen = neighbour(p, random_.below(available));
    if (std::find(receivers_.begin(), receivers_.end(), chosen) == receivers_.end()) {
      receivers_.push_back(chosen);
    }
  }
}

void Simulation::send(std::uint32_t p, Role role) {
  const MessageIndex message = builder_.fresh_message(message_prefix_, ++sent_);
  builder_.add({.process = p, .kind = Kind::send, .sends = message});
  if (receivers_.size() == 1) {
    builder_.set_to(only_process_[receivers_.front()]);
  } else {
    members_.clear();
    for (const std::uint32_t to : receivers_) members_.push_back(process_names_[to]);
    builder_.set_to(builder_.name_set(members_));
  }
  for (const std::uint32_t to : receivers_) {
    launch(to,
           {.due = due(p, to), .number = sent_, .message = message, .role = role, .again = false});
  }
  decorate(p);
}

void Simulation::launch(std::uint32_t to, const Flight& flight) {
  Player& player = players_[to];
  if (flight.role == Role::release && !flight.again) {
    player.release = flight;
    return;
  }
  player.inbox.push_back(flight);
  std::push_heap(player.inbox.begin(), player.inbox.end(), later);
}

std::uint64_t Simulation::due(std::uint32_t from, std::uint32_t to) {
  std::uint64_t share = 1 << 16;  // of the mean delay, in units of 2^-16
  if (shape_.spread == Spread::uniform) share = random_.word() >> 15;
  if (shape_.spread == Spread::exponential) share = random_.exponential();
  const std::uint64_t arrival = now_ + 1 + ((mean_delay_ * share) >> 16);
  if (!shape_.fifo) return arrival;
  std::uint64_t& last = channel_due_[(std::uint64_t{from} << 32) | to];
  last = std::max(last, arrival);
  return last;
}

/// Labels, assignments and time of the event just added.
void Simulation::decorate(std::uint32_t p) {
  members_.clear();
  for (const auto& [name, chance] : labels_) {
    if (random_.chance(chance)) members_.push_back(name);
  }
  if (!members_.empty()) builder_.set_labels(builder_.name_set(members_));
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    if (random_.chance(variables_[v].second)) change(p, v);
  }
  if (!shape_.times) return;
  const std::uint64_t nanoseconds = now_ * 1'000'000 / shape_.processes;
  builder_.set_time(static_cast<double>(nanoseconds) / 1e9);
}

void Simulation::change(std::uint32_t p, std::size_t variable) {
  const NameIndex name = variables_[variable].first;
  std::int64_t& value = values_[p * variables_.size() + variable];
  const std::int64_t step = 1 + random_.below(3);
  const bool up = (random_.word() >> 31) != 0;
  switch (shape_.variables[variable].type) {
    case VariableRate::Type::boolean:
      value = 1 - value;
      builder_.assign(name, value != 0);
      break;
    case VariableRate::Type::integer:
      value += up ? step : -step;
      builder_.assign(name, value);
      break;
    case VariableRate::Type::real:
      value += up ? step : -step;
      builder_.assign(name, static_cast<double>(value) / 4);
      break;
  }
}

/// When everyone waits at a barrier for messages that are long under way.
void Simulation::skip_idle_time() {
  std::uint64_t next = UINT64_MAX;
  for (const Player& player : players_) next = std::min(next, player.next_due());
  if (next != UINT64_MAX) now_ = std::max(now_, next);
  idle_ = 0;
}

[[nodiscard]] Expected<void> check_rate(const std::string& what, double value) {
  if (value >= 0 && value <= 1) return {};
  return failure(what + " is not between 0 and 1", {}, 0, "a rate is a share, as 0.25");
}

/// Labels or variables: each rate, and that no name comes twice.
template <class Rates>
[[nodiscard]] Expected<void> check_rates(const std::string& what, const Rates& rates) {
  for (auto it = rates.begin(); it != rates.end(); ++it) {
    const std::string whose = what + " `" + it->name + "`";
    if (auto fine = check_rate("the rate of " + whose, it->rate); !fine) return fine;
    const auto same = [&](const auto& other) { return other.name == it->name; };
    if (std::any_of(rates.begin(), it, same)) return failure(whose + " is given twice");
  }
  return {};
}

}  // namespace

Expected<void> check_shape(const RandomShape& shape) {
  if (shape.processes == 0) return failure("a computation needs at least one process");
  if (shape.processes > 1'000'000) return failure("more than 1000000 processes");
  if (shape.events > 4'000'000'000) return failure("more than 4000000000 events");
  if (!(shape.delay >= 0 && shape.delay <= 1e6)) {
    return failure("the delay is not between 0 and 1000000");
  }
  if (shape.phase_length == 0) return failure("a phase needs at least one event");
  if (shape.phase_length > 1'000'000'000) return failure("a phase of more than 1000000000 events");
  const std::pair<const char*, double> rates[] = {{"the message rate", shape.message_rate},
                                                  {"the multicast rate", shape.multicast_rate},
                                                  {"the batch rate", shape.batch_rate},
                                                  {"the duplicate rate", shape.duplicate_rate}};
  for (const auto& [what, rate] : rates) {
    if (auto fine = check_rate(what, rate); !fine) return fine;
  }
  if (auto fine = check_rates("label", shape.labels); !fine) return fine;
  return check_rates("variable", shape.variables);
}

Expected<Computation> random_computation(const RandomShape& shape, const Progress& progress) {
  if (auto fine = check_shape(shape); !fine) return failure(std::move(fine.error()));
  return Simulation(shape).run(progress);
}

}  // namespace lightcone
