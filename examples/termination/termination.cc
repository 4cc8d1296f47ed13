// Jobs beget jobs, and no worker knows whether there are others left: snapshots tell when all is
// done.
#include <lightcone/network.h>
#include <lightcone/simulation.h>
#include <lightcone/snapshot.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using lightcone::Process;
using lightcone::ProcessOptions;
using Network = lightcone::SimulatedNetwork;

namespace {

constexpr std::array<const char*, 3> workers = {"ada", "ben", "cid"};

/// Parts of snapshots travel like anything else, and without a tag: they are no messages of the
/// program.
void send_parts(Network& network, ProcessOptions& options) {
  options.on_snapshot_part = [&network, name = options.name](std::string_view part) {
    network.send("parts", {name, std::string(part), ""});
  };
}

/// Has jobs, each with a size, and hands on parts of them.
void work(Network& network, const std::string& name, std::vector<int> jobs) {
  ProcessOptions options{.name = name};
  options.save = [&] { return std::to_string(jobs.size()); };
  send_parts(network, options);
  const auto process = *Process::start(options);
  for (;;) {
    // Who has a job looks only whether another one has come; who has none waits.
    auto parcel =
        jobs.empty() ? lightcone::take(network, *process) : lightcone::poll(network, *process);
    if (!parcel && jobs.empty()) return;  // the network was closed
    if (parcel) {
      process->receive(std::move(parcel->taken));
      jobs.push_back(std::stoi(parcel->content));
    }
    const int size = jobs.back();
    jobs.pop_back();
    network.sleep(1ms * size);
    for (int part = size / 2; part > 0; part /= 2) {
      lightcone::send(network, *process, workers[network.random_below(workers.size())],
                      std::to_string(part));
    }
  }
}

/// A worker without jobs does nothing until one comes; the observer does nothing else.
[[nodiscard]] bool is_passive(std::string_view process, std::string_view jobs) {
  return process == "observer" || jobs == "0";
}

/// Takes snapshots until one shows that all is over. A marker brings the news to those who wait.
void observe(Network& network) {
  bool over = false, complete = false;
  lightcone::SnapshotCollector collector(
      {.processes = {workers.begin(), workers.end()},
       .on_complete = [&](const lightcone::GlobalSnapshot& snapshot) {
         complete = true;
         over = lightcone::is_terminated(snapshot, is_passive);
         std::printf("snapshot %llu: %s\n", static_cast<unsigned long long>(snapshot.number()),
                     over ? "all is done" : "still at work");
       }});
  ProcessOptions options{.name = "observer"};
  send_parts(network, options);
  const auto process = *Process::start(options);
  while (!over) {
    network.sleep(20ms);
    process->begin_snapshot();
    for (const char* worker : workers) lightcone::send_marker(network, *process, worker);
    for (complete = false; !complete;) {
      const auto added = collector.add_bytes(network.receive("parts")->content);
      if (!added) std::puts(added.error().text().c_str());
    }
  }
  network.close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  Network network({.seed = seed, .delay = 5ms});
  network.spawn("observer", [&] { observe(network); });
  for (const char* worker : workers) {
    network.spawn(worker, [&, worker] { work(network, worker, {20}); });
  }
  network.run();
}
