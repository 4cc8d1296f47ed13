// LRDAG equations on the fly: B bits per process, B bits per message (RR-2384, section 5).
#pragma once

#include <lightcone/property/automata/lrdag.h>
#include <lightcone/riders/rider.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// The bits of the state that sent a message; the first 64 without an allocation.
class LrdagTag {
 public:
  LrdagTag() = default;
  explicit LrdagTag(std::span<const std::uint64_t> words) : first_(words.empty() ? 0 : words[0]) {
    if (words.size() > 1) rest_.assign(words.begin() + 1, words.end());
  }
  void add_to(std::vector<std::uint64_t>& words) const {
    if (!words.empty()) words[0] |= first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) words[i + 1] |= rest_[i];
  }

 private:
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> rest_;
};

/// Evaluates the equations of all `flow` and `logic` properties at each state of one process.
class LrdagRider {
 public:
  using Tag = LrdagTag;

  explicit LrdagRider(Lrdag& lrdag)
      : lrdag_(&lrdag), state_(lrdag.words(), 0), message_(lrdag.words(), 0) {}

  void start(const Step& step) { event(step); }
  void event(const Step& step) {
    for (std::uint64_t& word : message_) word = 0;
    advance(step);
  }
  void receive(const Step& step, std::span<const Tag* const> tags) {
    for (std::uint64_t& word : message_) word = 0;
    for (const Tag* tag : tags) tag->add_to(message_);
    advance(step);
  }
  [[nodiscard]] Tag tag() const { return Tag(state_); }

  /// The bits of the state that the last event created.
  [[nodiscard]] const std::vector<std::uint64_t>& state() const { return state_; }

 private:
  void advance(const Step& step) {
    if (state_.empty()) return;  // no property needs equations
    lrdag_->code(step.scene).run(state_.data(), message_.data(), state_.data());
  }

  Lrdag* lrdag_;
  std::vector<std::uint64_t> state_, message_;
};

static_assert(Rider<LrdagRider>);

}  // namespace lightcone
