// A transport inside one program: threads that pass messages through queues.
#pragma once

#include <lightcone/live/network/parcel.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace lightcone {

/// Mailboxes by name. Every parcel arrives. Parcels from one sender arrive in order, unless the
/// network was made with a seed. It may be used from all threads.
class ThreadNetwork {
 public:
  static constexpr bool finds_deadlocks = false;

  /// With a seed, any parcel that waits may be the next one received.
  explicit ThreadNetwork(std::optional<std::uint64_t> unruly = {});

  /// Sends a parcel. It waits in the mailbox until it is received.
  void send(std::string_view to, Parcel parcel);
  /// Returns the next parcel when there is one, or nothing if the network is closed and empty.
  [[nodiscard]] std::optional<Parcel> receive(std::string_view receiver);
  /// Returns the next parcel if it arrives in time.
  [[nodiscard]] std::optional<Parcel> receive_within(std::chrono::nanoseconds patience,
                                                     std::string_view receiver);
  /// Returns the next parcel if there is one.
  [[nodiscard]] std::optional<Parcel> try_receive(std::string_view receiver);
  /// Nothing will be sent any more. Wakes all that wait.
  void close();

 private:
  [[nodiscard]] std::deque<Parcel>& mailbox(std::string_view name);
  [[nodiscard]] Parcel take(std::deque<Parcel>& mailbox);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::string, std::deque<Parcel>, std::less<>> mailboxes_;
  std::optional<std::mt19937_64> random_;
  bool closed_ = false;
};
static_assert(Network<ThreadNetwork>);

}  // namespace lightcone
