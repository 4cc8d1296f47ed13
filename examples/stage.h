// The stage of the examples that are explored: the same program on a simulated network, or as
// processes of the operating system.
#pragma once

#include <lightcone/network.h>
#include <lightcone/process.h>

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace stage {

/// One process of a program, wherever it runs.
class Actor {
 public:
  virtual ~Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  [[nodiscard]] lightcone::Process& process() { return process_; }
  [[nodiscard]] std::string_view name() const { return process_.name(); }

  /// Sends a message and records the event of sending it.
  virtual void send(const std::string& to, const std::string& text,
                    const lightcone::LiveState& state = {},
                    const std::source_location& where = std::source_location::current()) = 0;
  /// Waits for a message. Who must read it to know what state it creates calls
  /// `process().receive(message.tag, state)` then.
  [[nodiscard]] virtual lightcone::Parcel take(
      const std::source_location& where = std::source_location::current()) = 0;
  /// Waits for a message and records the event of receiving it.
  lightcone::Parcel receive(const lightcone::LiveState& state = {},
                            const std::source_location& where = std::source_location::current());

 protected:
  explicit Actor(lightcone::Process& process) : process_(process) {}

 private:
  lightcone::Process& process_;
};

/// Processes by name. What each of them does is its part; it throws when something is wrong.
struct Program {
  std::vector<std::string> names;
  std::function<void(Actor&)> part;
};

/// The command line: `[--bug] [--processes] [--seed N] [TRACES]`.
struct Arguments {
  bool valid = false;
  bool bug = false;
  bool processes = false;   ///< those of the operating system
  std::uint64_t seed = 0;   ///< of the simulated network's delays; from the clock if not said
  std::string traces = {};  ///< the folder where each process leaves its trace; empty: none
};
[[nodiscard]] Arguments arguments_of(int count, char** words);

/// Runs a program, as `lightcone record`, `replay` or `explore` say; what `main` returns.
[[nodiscard]] int run(const Program& program, const Arguments& arguments);

}  // namespace stage
