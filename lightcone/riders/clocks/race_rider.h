// Finds at the receive itself whether it races (RR-2257, section 3.4).
#pragma once

#include <lightcone/riders/clocks/vector_clock_rider.h>
#include <lightcone/riders/rider.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Netzer's and Miller's test: a message must be traced for replay unless the previous receive of
/// this process happened before its send. The clock counts receives only, which is enough: the
/// entry for j in the tag of m is r iff the first r receives of j, and no others, happened before
/// send(m) or are send(m) itself (a receive that also sends). So the previous receive of j, its
/// r-th, did iff that entry is r at least. Processes that never receive have no entry.
///
/// The entry of the receiver itself is what the test reads: an encoding of tags may leave out
/// others that the receiver holds, but never that one.
class RaceRider {
 public:
  using Tag = VectorClockRider::Tag;

  explicit RaceRider(std::uint32_t self = 0) : self_(self), clock_(self) {}

  void start(const Step&) {}
  void event(const Step&) {}
  void receive(const Step&, std::span<const Tag* const> tags) {
    traced_.clear();
    for (const Tag* tag : tags)
      traced_.push_back(must_trace(self_ < tag->size() ? (*tag)[self_] : 0));
    for (const Tag* tag : tags) clock_.join(*tag);
    receive();
  }
  /// The same piece by piece: one entry of a tag, then the receive itself.
  void take(std::uint32_t process, std::uint32_t receives) { clock_.take(process, receives); }
  void forget(std::uint32_t process) { clock_.forget(process); }
  void receive() {
    clock_.tick();
    if (receives_ != UINT32_MAX) ++receives_;
  }
  /// Takes up the clock of a process that has made so many receives.
  void resume(std::uint32_t receives) {
    clock_.take(self_, receives);
    receives_ = receives;
  }
  [[nodiscard]] Tag tag() const { return clock_.tag(); }
  [[nodiscard]] const Tag& clock() const { return clock_.clock(); }

  /// Returns whether a message must be traced that comes now, from a sender that knew of so many
  /// receives of this process. All must, once no more receives can be counted.
  [[nodiscard]] bool must_trace(std::uint32_t receives_known) const {
    return receives_known < receives_ || receives_ == UINT32_MAX;
  }
  /// The answers for the messages of the last receive, in their order.
  [[nodiscard]] const std::vector<bool>& traced() const { return traced_; }
  /// Returns how many receives this process has made; a batch is one.
  [[nodiscard]] std::uint32_t receives() const { return receives_; }

 private:
  std::uint32_t self_;
  std::uint32_t receives_ = 0;
  VectorClockRider clock_;
  std::vector<bool> traced_;
};

static_assert(Rider<RaceRider>);

}  // namespace lightcone
