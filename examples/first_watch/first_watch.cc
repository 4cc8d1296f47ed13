// The first example of docs/live.md: a cache reads what it was not told to forget.
#include <lightcone/network.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

void print_detection(const lightcone::Detection& found) { std::puts(found.line().c_str()); }
void print_error(const lightcone::Error& error) { std::puts(error.text().c_str()); }

/// One of the processes, or the end of the program.
std::unique_ptr<lightcone::Process> watched(std::string name) {
  lightcone::ProcessOptions options;
  options.name = std::move(name);
  options.members = {"store", "cache"};
  options.properties =
      "forbid stale : some flow at read ends with write -> read without invalidate\n";
  options.trace = options.name + ".lct";
  options.on_detection = print_detection;
  options.on_error = print_error;
  auto process = lightcone::Process::start(std::move(options));
  if (process) return std::move(*process);
  print_error(process.error());
  std::exit(1);
}

void be_store(lightcone::ThreadNetwork& network) {
  const auto store = watched("store");
  store->event({.labels = {"write"}, .variables = {{"version", std::int64_t{7}}}});
  send(network, *store, "cache", "version 7");
}

void be_cache(lightcone::ThreadNetwork& network) {
  const auto cache = watched("cache");
  auto message = take(network, *cache);  // waits for it
  if (message) cache->receive(std::move(message->taken), {.labels = {"read"}});
}

int main() {
  lightcone::ThreadNetwork network;
  std::jthread store([&] { be_store(network); });
  be_cache(network);
}
