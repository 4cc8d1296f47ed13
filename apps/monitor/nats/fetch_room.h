// How much memory the messages may take that were fetched and are not decided.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace lightcone::service {

/// The room of all partitions of a monitor, in shares. Whoever has a share may fetch so many bytes,
/// and gives it back when they are decided. It depends on no other partition until then. So all
/// get their turn. Safe to use from several threads.
class FetchRoom {
 public:
  static constexpr std::size_t share_bytes = 2 << 20;

  explicit FetchRoom(std::size_t bytes) : free_(bytes < share_bytes ? 1 : bytes / share_bytes) {}

  /// A share, as long as this object lives.
  class Share {
   public:
    Share() = default;
    explicit Share(FetchRoom& room) : room_(&room) {}
    Share(Share&& other) noexcept : room_(other.room_) { other.room_ = nullptr; }
    Share& operator=(Share&&) = delete;
    ~Share() {
      if (room_ != nullptr) room_->give_back();
    }
    /// False: there was none.
    [[nodiscard]] explicit operator bool() const { return room_ != nullptr; }

   private:
    FetchRoom* room_ = nullptr;
  };

  /// Waits for a share.
  [[nodiscard]] Share take(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, longest, [&] { return free_ > 0; })) return {};
    --free_;
    return Share(*this);
  }

 private:
  void give_back() {
    {
      const std::lock_guard lock(mutex_);
      ++free_;
    }
    changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t free_;
};

}  // namespace lightcone::service
