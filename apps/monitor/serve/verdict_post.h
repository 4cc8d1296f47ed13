// Verdicts as POST to a URL, from a thread of its own: a slow receiver holds nobody up.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lightcone::service {

/// Sends verdicts in their order, as JSON Lines, several at a time. What cannot be sent is tried
/// again; if too many wait, the oldest are dropped, counted and told of.
class VerdictPost {
 public:
  using Note = std::function<void(const std::string&)>;

  VerdictPost(std::string url, Note note);
  VerdictPost(const VerdictPost&) = delete;
  VerdictPost& operator=(const VerdictPost&) = delete;
  /// Tries for some seconds to send what is left.
  ~VerdictPost();

  void add(std::uint64_t number, const std::string& json);

  static constexpr std::size_t most_waiting = 10'000;

 private:
  void send();
  [[nodiscard]] bool try_to_send(const std::string& lines);

  std::string url_;
  Note note_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  std::uint64_t dropped_ = 0;
  bool stops_ = false, is_in_trouble_ = false;
  std::thread thread_;
};

}  // namespace lightcone::service
