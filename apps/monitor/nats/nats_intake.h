// The front door of monitors that share a stream: what clients send is stored in it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "accept/arrival_taker.h"
#include "nats/message_writer.h"
#include "nats/nats_link.h"

namespace lightcone::service {

struct NatsIntakeOptions {
  std::size_t partitions = 1;
  std::string monitor = {};             ///< this one's name
  std::size_t queued_bytes = 32 << 20;  ///< before clients have to wait
  /// How long a message with lines without ranks is tried. The stream knows it again for 120 s.
  std::chrono::milliseconds unranked_trial{100'000};
  std::function<void(const std::string&)> note = {};
};

/// Clients are answered when the stream has what they sent. If the stream is gone, they wait.
class NatsIntake final : public ArrivalTaker {
 public:
  /// The link must outlive it.
  NatsIntake(NatsLink& link, NatsIntakeOptions options);
  /// Tries for some seconds to store what is left.
  ~NatsIntake() override;

  void offer(Arrival arrival) override;
  void settle() override;
  /// From now on nobody waits long.
  void end_soon();
  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  [[nodiscard]] std::size_t queued() const;

 private:
  void run();
  enum class Fate { stored, not_known, not_stored };
  [[nodiscard]] bool publish(const MessageWriter::Message& message);
  [[nodiscard]] Fate try_to_publish(const MessageWriter::Message& message);
  [[nodiscard]] bool tell_loss(const MessageWriter::Message& message);
  [[nodiscard]] bool is_too_late() const;

  NatsLink& link_;
  NatsIntakeOptions options_;
  MessageWriter writer_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Arrival> arrivals_;
  std::size_t queued_ = 0;
  std::uint64_t offered_ = 0, stored_ = 0;
  bool stops_ = false;
  ArrivalTime end_ = ArrivalTime::max();
  std::atomic<std::uint64_t> messages_ = 0;
  bool is_in_trouble_ = false;
  std::thread thread_;
};

}  // namespace lightcone::service
