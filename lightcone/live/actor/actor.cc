// Gives the actors of a program their network: fibers with simulated delays, or threads.
#include <lightcone/actor.h>

#include <lightcone/live/process/surroundings.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace lightcone {
namespace {

/// One line with one write, so that the lines of several processes do not mix.
void print(std::FILE* file, const std::string& line) {
  std::fputs((line + '\n').c_str(), file);
  std::fflush(file);
}

template <Network N>
class NetworkActor final : public Actor {
 public:
  NetworkActor(N& network, Process& process, const Program& program)
      : Actor(process, program), network_(network) {}

 private:
  void send_text(std::string_view to, std::string_view text, const LiveState& state,
                 const std::source_location& where) override {
    lightcone::send(network_, process(), to, std::string(text), state, where);
  }
  [[nodiscard]] TakenParcel take_next(const std::source_location& where) override {
    auto parcel = lightcone::take(network_, process(), where);
    if (!parcel) throw std::runtime_error("no one sends any more");
    return std::move(*parcel);
  }

  N& network_;
};

/// One actor from its beginning to its end.
template <Network N>
void live(N& network, const Program& program, const std::string& name) {
  auto process = Process::start(program.options_of(name));
  if (!process) throw std::runtime_error(process.error().text());
  std::exception_ptr thrown;
  try {
    NetworkActor<N> actor(network, **process, program);
    program.part(actor);
  } catch (const std::exception&) {
    thrown = std::current_exception();
  }
  process->reset();  // what it did is recorded to its end, however that was
  if (thrown) std::rethrow_exception(thrown);
}

/// The actors of a program as threads.
class Threads {
 public:
  Threads(const Program& program, std::optional<RunOrders> orders)
      : program_(program), orders_(std::move(orders)) {}

  /// Returns whether all of them ended well.
  [[nodiscard]] bool run() {
    std::vector<std::thread> threads;
    for (const std::string& name : program_.names) {
      if (orders_ && !orders_->runs(name)) continue;
      threads.emplace_back([&] { run_one(name); });
    }
    for (std::thread& thread : threads) thread.join();
    return well_;
  }

 private:
  void run_one(const std::string& name) {
    try {
      live(network_, program_, name);
    } catch (const std::exception& exception) {
      fail(name + " failed: " + exception.what());
    }
  }

  /// Those who wait then fail for no other reason. Whoever replays or explores the program ends it.
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(well_, false)) print(stderr, why);
    if (!orders_ || orders_->record() != nullptr) network_.close();
  }

  const Program& program_;
  std::optional<RunOrders> orders_;
  ThreadNetwork network_;
  std::mutex mutex_;
  bool well_ = true;
};

}  // namespace

ProcessOptions Program::options_of(const std::string& name) const {
  ProcessOptions options = process;
  options.name = name;
  options.members = names;
  if (!traces.empty()) options.trace = traces + '/' + name + ".lct";
  if (!options.on_detection) {
    options.on_detection = [](const Detection& found) { print(stdout, found.line()); };
  }
  if (!options.on_error) {
    options.on_error = [](const Error& error) { print(stderr, error.text()); };
  }
  return options;
}

void Actor::send(std::string_view to, std::string_view text, const LiveState& state,
                 const std::source_location& where) {
  if (std::find(names().begin(), names().end(), to) == names().end()) {
    throw std::invalid_argument("there is no actor named " + std::string(to));
  }
  send_text(to, text, state, where);
}

TakenParcel Actor::receive(const LiveState& state, const std::source_location& where) {
  TakenParcel parcel = take_next(where);
  receive(parcel, state, where);
  return parcel;
}

int run_simulated(const Program& program, SimulationOptions options) {
  const SimulatedProgram simulated{.set_up = [&](SimulatedNetwork& network) {
    for (const std::string& name : program.names) {
      network.spawn(name, [&] { live(network, program, std::string(network.self())); });
    }
  }};
  return run_simulated(simulated, std::move(options));
}

int run_in_threads(const Program& program) {
  using Orders = Expected<std::optional<RunOrders>>;
  Orders orders = program.process.run ? Orders(program.process.run) : Surroundings::here().orders();
  if (!orders) {
    print(stderr, orders.error().text());
    return EXIT_FAILURE;
  }
  return Threads(program, std::move(*orders)).run() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace lightcone
