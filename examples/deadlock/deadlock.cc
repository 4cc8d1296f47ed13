// Philosophers around a table, each with a fork, who need the right neighbour's too to eat. When
// all of them insist on their own, snapshots show who waits forever. One is polite, unless --bug.
#include <lightcone/network.h>
#include <lightcone/simulation.h>
#include <lightcone/snapshot.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace std::chrono_literals;
using lightcone::Awaited;
using lightcone::Process;
using lightcone::ProcessOptions;
using Network = lightcone::SimulatedNetwork;

namespace {

constexpr std::array<const char*, 4> table = {"anna", "bert", "cleo", "dirk"};
constexpr int meals = 2;

/// Parts of snapshots travel like anything else, and without a tag: they are no messages of the
/// program.
void send_parts(Network& network, ProcessOptions& options) {
  options.on_snapshot_part = [&network, name = options.name](std::string_view part) {
    network.send("parts", {name, std::string(part), ""});
  };
}

class Philosopher {
 public:
  Philosopher(Network& network, std::size_t place, bool polite)
      : network_(network),
        left_(table[(place + table.size() - 1) % table.size()]),
        right_(table[(place + 1) % table.size()]),
        polite_(polite) {
    ProcessOptions options{.name = table[place]};
    options.save = [this] { return state(); };
    send_parts(network, options);
    process_ = *Process::start(options);
  }

  void live() {
    for (int meal = 0; meal < meals; ++meal) {
      network_.sleep(std::chrono::milliseconds(network_.random_below(10)));  // thinks
      hungry_ = true;
      send(right_, "may I?");
      while (!has_own_ || !has_right_) hear();
      network_.sleep(5ms);  // eats
      hungry_ = has_right_ = false;
      send(right_, "thanks");
      give();
    }
    is_done_ = true;
    while (hear()) {
    }
  }

 private:
  /// Whom it waits for, as a snapshot keeps it. Who is polite may be moved by either neighbour.
  [[nodiscard]] std::string state() const {
    if (is_done_) return "done";
    if (!hungry_) return "thinks";
    if (polite_) return "any of " + left_ + ' ' + right_;
    return "all of " + (has_own_ ? "" : left_ + ' ') + (has_right_ ? "" : right_);
  }
  bool hear() {
    const auto parcel = lightcone::receive(network_, *process_);
    if (!parcel) return false;
    if (parcel->content == "here") has_right_ = true;
    if (parcel->content == "thanks") has_own_ = true;
    if (parcel->content == "may I?") is_asked_ = true;
    give();
    return true;
  }
  /// Who is polite gives the fork away even when hungry.
  void give() {
    if (!is_asked_ || !has_own_ || (hungry_ && !polite_)) return;
    is_asked_ = has_own_ = false;
    send(left_, "here");
  }
  void send(const std::string& to, const char* text) {
    lightcone::send(network_, *process_, to, text);
  }

  Network& network_;
  std::string left_, right_;
  bool polite_, has_own_ = true, has_right_ = false, is_asked_ = false;
  bool hungry_ = false, is_done_ = false;
  std::unique_ptr<Process> process_;
};

/// Whom a philosopher waits for, by the state that was saved.
[[nodiscard]] Awaited awaited(std::string_view state) {
  Awaited awaited;
  if (state.starts_with("any of")) awaited.what = Awaited::For::any;
  if (state.starts_with("all of")) awaited.what = Awaited::For::all;
  for (const char* name : table) {
    if (state.find(name) != std::string_view::npos) awaited.senders.emplace_back(name);
  }
  return awaited;
}

/// Whether a snapshot shows that nothing more is to be expected.
[[nodiscard]] bool is_over(const lightcone::GlobalSnapshot& snapshot) {
  const auto stuck = lightcone::deadlocked(
      snapshot, [](std::string_view, std::string_view state) { return awaited(state); });
  if (!stuck.empty()) {
    std::fputs("wait forever:", stdout);
    for (const std::string& name : stuck) std::printf(" %s", name.c_str());
    std::puts("");
    return true;
  }
  const bool done = std::all_of(table.begin(), table.end(), [&](const char* name) {
    return snapshot.states().find(name)->second->state == "done";
  });
  if (done) std::puts("all have eaten");
  return done;
}

/// Takes snapshots until one shows that it is over. A marker brings the news to those who wait.
void observe(Network& network) {
  bool over = false, complete = false;
  lightcone::SnapshotCollector collector(
      {.processes = {table.begin(), table.end()},
       .on_complete = [&](const lightcone::GlobalSnapshot& snapshot) {
         complete = true;
         over = is_over(snapshot);
       }});
  ProcessOptions options{.name = "observer"};
  send_parts(network, options);
  const auto process = *Process::start(options);
  while (!over) {
    network.sleep(5ms);
    process->begin_snapshot();
    for (const char* name : table) lightcone::send_marker(network, *process, name);
    for (complete = false; !complete;) {
      const auto added = collector.add_bytes(network.receive("parts")->content);
      if (!added) std::puts(added.error().text().c_str());
    }
  }
  network.close();
}

}  // namespace

int main(int argc, char** argv) {
  const bool bug = argc > 1 && std::string_view(argv[1]) == "--bug";
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  Network network({.seed = seed, .delay = 5ms});
  network.spawn("observer", [&] { observe(network); });
  for (std::size_t place = 0; place < table.size(); ++place) {
    network.spawn(table[place],
                  [&, place] { Philosopher(network, place, place == 0 && !bug).live(); });
  }
  network.run();
}
