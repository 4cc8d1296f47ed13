// Vector clocks on the fly: how much of each process lies in the past.
#pragma once

#include <lightcone/riders/clocks/plain_clock.h>
#include <lightcone/riders/rider.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Fidge's and Mattern's vector clock of one process. Clocks grow as processes are heard of; an
/// entry that is not there is 0.
class VectorClockRider {
 public:
  using Tag = std::vector<std::uint32_t>;

  explicit VectorClockRider(std::uint32_t self = 0) : self_(self) {}

  void start(const Step&) {}
  void event(const Step&) { tick(); }
  void receive(const Step& step, std::span<const Tag* const> tags) {
    for (const Tag* tag : tags) join(*tag);
    event(step);
  }

  /// An event that counts. A clock of relevant events ticks at these only, and joins at all
  /// receives. A clock that has come to its end stands still.
  void tick() {
    std::uint32_t& own = entry(self_);
    if (own != UINT32_MAX) ++own;
  }
  /// Learns what the sender of a message knew.
  void join(const Tag& tag) {
    if (clock_.size() < tag.size()) clock_.resize(tag.size(), 0);
    raise(clock_.data(), tag.data(), tag.size());
  }
  /// One entry of a tag.
  void take(std::uint32_t process, std::uint32_t rank) {
    std::uint32_t& mine = entry(process);
    mine = std::max(mine, rank);
  }
  /// Forgets what is known of a process, whose number another one gets.
  void forget(std::uint32_t process) {
    if (process < clock_.size()) clock_[process] = 0;
  }
  [[nodiscard]] Tag tag() const { return clock_; }
  [[nodiscard]] const std::vector<std::uint32_t>& clock() const { return clock_; }

 private:
  [[nodiscard]] std::uint32_t& entry(std::uint32_t process) {
    if (process >= clock_.size()) clock_.resize(process + 1, 0);
    return clock_[process];
  }

  std::uint32_t self_;
  std::vector<std::uint32_t> clock_;
};

static_assert(Rider<VectorClockRider>);

}  // namespace lightcone
