// Shares of a budget are large enough to cost little, and small enough to stop in time.
#include <lightcone/lattice/visit/state_budget.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {

using namespace std::chrono_literals;

StateBudget::StateBudget(const Limits& limits, const Progress& progress, std::uint64_t parts)
    : limits_(limits), progress_(progress), parts_(parts), remaining_(limits.states) {}

bool StateBudget::refill(Share& share) {
  constexpr std::uint64_t largest = 1U << 20;
  const auto now = Clock::now();
  if (share.holds) {
    if (now - share.taken < 1ms) share.next = std::min(share.next * 2, largest);
    if (now - share.taken > 10ms) share.next = std::max<std::uint64_t>(share.next / 2, 1);
  }
  std::unique_lock lock(lock_);
  release(share);
  if (std::chrono::duration<double>(now - begin_).count() >= limits_.seconds &&
      ending_ == Ending::complete) {
    ending_ = Ending::limited;
  }
  report(now);
  // Others may return what would have sufficed.
  returned_.wait(lock,
                 [&] { return remaining_ > 0 || holders_ == 0 || ending_ != Ending::complete; });
  if (remaining_ == 0 && ending_ == Ending::complete) ending_ = Ending::limited;
  if (ending_ != Ending::complete) {
    returned_.notify_all();
    return false;
  }
  share.left = std::min(share.next, remaining_);
  share.taken = now;
  share.holds = true;
  remaining_ -= share.left;
  ++holders_;
  return true;
}

void StateBudget::give_back(Share& share) {
  const std::lock_guard lock(lock_);
  release(share);
}

void StateBudget::stop() {
  const std::lock_guard lock(lock_);
  ending_ = Ending::stopped;
  returned_.notify_all();
}

void StateBudget::finish_part() {
  const std::lock_guard lock(lock_);
  ++finished_parts_;
}

void StateBudget::release(Share& share) {
  if (!share.holds) return;
  remaining_ += share.left;
  share.left = 0;
  share.holds = false;
  --holders_;
  returned_.notify_all();
}

void StateBudget::report(Clock::time_point now) {
  if (!progress_ || now - told_ < 100ms) return;
  told_ = now;
  const double rate =
      static_cast<double>(visited()) / std::chrono::duration<double>(now - begin_).count();
  progress_(fmt::format("{} states visited, {:.1f} M/s", visited(), rate / 1e6), finished_parts_,
            parts_ == 1 ? 0 : parts_);
}

}  // namespace lightcone
