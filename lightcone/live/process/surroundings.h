// What a process asks its surroundings beside messages: the time, random numbers, alternatives.
#pragma once

#include <lightcone/error.h>
#include <lightcone/recording.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lightcone {

/// The surroundings of the processes of a thread. A simulated network is one; else it is the
/// operating system.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// How processes are to run; nothing for an ordinary run.
  [[nodiscard]] virtual Expected<std::optional<RunOrders>> orders() = 0;
  /// Nanoseconds since some beginning.
  [[nodiscard]] virtual std::uint64_t now() = 0;
  [[nodiscard]] virtual std::uint64_t random() = 0;
  /// One of so many alternatives, counted from 0.
  [[nodiscard]] virtual std::uint64_t choose(std::uint64_t alternatives) = 0;
  /// The process that runs can go no further, and says why; the others go on. Returns only while
  /// an exception passes.
  virtual void stand_still(const std::string& why) = 0;

  /// The process that starts takes no part in a replay. Returns as above.
  virtual void leave() = 0;

  /// Returns whether the process that runs is being stopped, and does not end by itself.
  [[nodiscard]] virtual bool is_stopping() = 0;

  /// Those of the thread that calls.
  [[nodiscard]] static Surroundings& here();

  /// While it lives, the thread is in other surroundings.
  class Visit {
   public:
    explicit Visit(Surroundings& other);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    Surroundings* before_;
  };
};

}  // namespace lightcone
