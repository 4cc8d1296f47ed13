// What programs call on a simulated network; the simulation does it.
#include <lightcone/simulation.h>

#include <lightcone/live/simulation/simulation.h>

#include <utility>

namespace lightcone {

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

std::uint32_t SimulatedNetwork::random_below(std::uint32_t end) {
  return simulation_->random().below(end);
}

PortableRandom& random_of(SimulatedNetwork& network) { return network.simulation_->random(); }

std::uint32_t SimulatedNetwork::choose(std::uint32_t alternatives) {
  return simulation_->choose(alternatives);
}

std::string_view SimulatedNetwork::self() const { return simulation_->self(); }

}  // namespace lightcone
