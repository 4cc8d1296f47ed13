// Vector clocks that count only the events at which what is read of a process changes.
#pragma once

#include <lightcone/riders/clocks/vector_clock_rider.h>

#include <cstdint>
#include <span>

namespace lightcone {

/// The clock of one process at the user's level (RR-2194, 2.2.2): it ticks at relevant events and
/// joins at every receive. Its value after a relevant event is the timestamp that monitors of
/// global predicates want.
class RelevantClockRider {
 public:
  using Tag = VectorClockRider::Tag;

  /// `readings` says, by scene, what is read in a state; they must outlive the rider.
  RelevantClockRider(std::uint32_t self, std::span<const std::uint32_t> readings)
      : clock_(self), readings_(readings) {}

  void start(const Step& step) { reading_ = readings_[step.scene]; }
  void event(const Step& step) {
    const std::uint32_t before = reading_;
    reading_ = readings_[step.scene];
    has_ticked_ = reading_ != before;
    if (has_ticked_) clock_.tick();
  }
  void receive(const Step& step, std::span<const Tag* const> tags) {
    for (const Tag* tag : tags) clock_.join(*tag);
    event(step);
  }
  [[nodiscard]] Tag tag() const { return clock_.tag(); }

  [[nodiscard]] const std::vector<std::uint32_t>& clock() const { return clock_.clock(); }
  /// Returns whether the last event was relevant.
  [[nodiscard]] bool has_ticked() const { return has_ticked_; }
  /// What is read in the state since then.
  [[nodiscard]] std::uint32_t reading() const { return reading_; }

 private:
  VectorClockRider clock_;
  std::span<const std::uint32_t> readings_;
  std::uint32_t reading_ = 0;
  bool has_ticked_ = false;
};

static_assert(Rider<RelevantClockRider>);

}  // namespace lightcone
