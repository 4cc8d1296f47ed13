// How much may be spent on an answer, and how much has been.
#pragma once

#include <lightcone/states.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace lightcone {

/// Counts what is spent, from any number of threads. Once a limit is hit, it stays so.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}

  /// Returns whether so many more states may be visited.
  [[nodiscard]] bool spend_states(std::uint64_t count) {
    const std::uint64_t spent = states_.fetch_add(count, std::memory_order_relaxed) + count;
    if (spent > limits_.states) hit("states");
    return has_time() && !is_spent();
  }
  /// Counts the states of a search that ended without an answer; whether there are any left for
  /// another one.
  [[nodiscard]] bool spend_and_go_on(std::uint64_t count) {
    return spend_states(count) && (left().states > 0 || spend_states(1));
  }
  [[nodiscard]] bool has_time() {
    note_time();
    return !is_spent();
  }
  /// Time is a limit that was hit, if it is over.
  void note_time() {
    if (seconds() > limits_.seconds) hit("time");
  }
  /// Returns whether so much memory may be held.
  [[nodiscard]] bool may_hold(std::size_t bytes) {
    if (bytes > limits_.bytes) hit("memory");
    return !is_spent();
  }

  [[nodiscard]] bool is_spent() const { return hit_.load(std::memory_order_relaxed) != nullptr; }
  /// Which limit was hit: `states`, `time` or `memory`; empty for none.
  [[nodiscard]] std::string_view what_was_hit() const {
    const char* what = hit_.load(std::memory_order_relaxed);
    return what == nullptr ? std::string_view() : std::string_view(what);
  }
  /// Returns how many states have been visited; never more than the limit.
  [[nodiscard]] std::uint64_t states() const {
    return std::min(states_.load(std::memory_order_relaxed), limits_.states);
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// When half of the time that is left will be over: for a solver that knows no other limit, and
  /// after which something else is tried.
  [[nodiscard]] std::chrono::steady_clock::time_point half_time() const {
    constexpr double most = 3600;
    const double time = std::min(left().seconds / 2, most);
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(time));
  }
  /// A solver knows no limit but time. Where states alone are limited, so that the answer does not
  /// depend on the clock, it is not asked.
  [[nodiscard]] bool may_ask_solver() const {
    return limits_.states == UINT64_MAX ||
           limits_.seconds < std::numeric_limits<double>::infinity();
  }
  /// What may still be spent, for a search that counts by itself.
  [[nodiscard]] Limits left() const {
    return {limits_.states - states(), std::max(limits_.seconds - seconds(), 0.0), limits_.bytes};
  }

 private:
  void hit(const char* what) { hit_.store(what, std::memory_order_relaxed); }

  Limits limits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> states_ = 0;
  std::atomic<const char*> hit_ = nullptr;
};

}  // namespace lightcone
