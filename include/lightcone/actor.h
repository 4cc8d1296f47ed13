// Programs of actors: what each actor does is a function, and where they run is chosen at the
// start.
#pragma once

#include <lightcone/network.h>
#include <lightcone/process.h>
#include <lightcone/simulation.h>

#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

class Actor;

/// A distributed program: actors by name, and what each of them does.
struct Program {
  std::vector<std::string> names;
  /// What an actor does. Its name says which actor it is. It throws if something is wrong.
  std::function<void(Actor&)> part;
  /// How the process of each actor starts. The library sets its name, the members and the trace.
  /// Detections and errors are printed, unless there are callbacks for them.
  ProcessOptions process = {};
  std::string traces = {};  ///< the directory for the traces of the actors; empty for none

  /// Returns the options that the process of one actor starts with. Its trace is NAME.lct.
  [[nodiscard]] ProcessOptions options_of(const std::string& name) const;
};

/// One process of a program, wherever it runs. It sends texts to other actors by their names, waits
/// for those that come, and says which events happen.
class Actor {
 public:
  virtual ~Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  [[nodiscard]] std::string_view name() const { return process_.name(); }
  /// All actors of the program, this one among them.
  [[nodiscard]] const std::vector<std::string>& names() const { return program_.names; }
  /// The process behind it: for the time, random numbers and whatever else an actor has no function
  /// for.
  [[nodiscard]] Process& process() { return process_; }

  /// An internal event.
  void event(const LiveState& state = {},
             const std::source_location& where = std::source_location::current()) {
    process_.event(state, where);
  }
  /// Sends a text and records the event of sending it. Throws if there is no such actor.
  void send(std::string_view to, std::string_view text, const LiveState& state = {},
            const std::source_location& where = std::source_location::current());
  /// Waits for a message and records the event of receiving it. Throws if none will come.
  TakenParcel receive(const LiveState& state = {},
                      const std::source_location& where = std::source_location::current());
  /// Only waits for a message. For actors that must read it to know which state it creates. They
  /// call `receive(message, state)` later.
  [[nodiscard]] TakenParcel take(
      const std::source_location& where = std::source_location::current()) {
    return take_next(where);
  }
  /// Records the event of receiving a message that was taken.
  void receive(TakenParcel& message, const LiveState& state = {},
               const std::source_location& where = std::source_location::current()) {
    process_.receive(std::move(message.taken), state, where);
  }

 protected:
  Actor(Process& process, const Program& program) : process_(process), program_(program) {}

 private:
  /// What a network does for its actors. Both throw a std::exception if it fails.
  virtual void send_text(std::string_view to, std::string_view text, const LiveState& state,
                         const std::source_location& where) = 0;
  [[nodiscard]] virtual TakenParcel take_next(const std::source_location& where) = 0;

  Process& process_;
  const Program& program_;
};

/// Runs a program on a simulated network, as `lightcone record`, `replay` or `explore` says, or
/// once without them. Prints failures. Returns the exit status for `main`.
[[nodiscard]] int run_simulated(const Program& program, SimulationOptions options = {});

/// Runs the actors of a program as threads that pass messages through queues, as `record`, `replay`
/// or `explore` says. If one throws, those that wait are stopped. Prints failures. Returns the exit
/// status for `main`. Actors that wait for each other wait forever.
[[nodiscard]] int run_in_threads(const Program& program);

}  // namespace lightcone
