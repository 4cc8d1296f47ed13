// The operating system as the surroundings of processes.
#include <lightcone/live/process/surroundings.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

namespace lightcone {
namespace {

thread_local Surroundings* visited = nullptr;

constexpr std::chrono::minutes longest_standstill{2};

class OperatingSystem final : public Surroundings {
 public:
  [[nodiscard]] Expected<std::optional<RunOrders>> orders() override {
    return RunOrders::from_environment();
  }
  [[nodiscard]] std::uint64_t now() override {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  }
  [[nodiscard]] std::uint64_t random() override {
    static thread_local std::mt19937_64 generator{std::random_device()()};
    return generator();
  }
  [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives) override {
    return random() % alternatives;
  }
  /// Whoever runs the program ends it when all stand still. What was sent may still be on its way
  /// out of this process, so that it must not end at once.
  void stand_still(const std::string& why) override {
    std::this_thread::sleep_for(longest_standstill);
    std::fputs((why + '\n').c_str(), stderr);
    std::_Exit(EXIT_FAILURE);
  }
  [[nodiscard]] bool is_stopping() override { return false; }
  void leave() override { std::_Exit(EXIT_SUCCESS); }
};

}  // namespace

Surroundings& Surroundings::here() {
  static OperatingSystem system;
  return visited != nullptr ? *visited : system;
}

Surroundings::Visit::Visit(Surroundings& other) : before_(visited) { visited = &other; }
Surroundings::Visit::~Visit() { visited = before_; }

}  // namespace lightcone
